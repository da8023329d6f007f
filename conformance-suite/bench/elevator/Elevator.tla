---- MODULE Elevator ----
(* Cars in a building: a record for each car and for each person. Everybody who calls gets where they want to go. *)
EXTENDS Integers, FiniteSets
CONSTANTS Cars, People, Floors
VARIABLES car, person, calls
vars == <<car, person, calls>>

Bottom == 1
Ways == {"up", "down"}
Turn(w) == IF w = "up" THEN "down" ELSE "up"

Init ==
  /\ car = [c \in Cars |-> [floor |-> Bottom, way |-> "up", doors |-> "shut", stops |-> {}]]
  /\ person = [p \in People |-> [at |-> Bottom, inside |-> "nobody", goal |-> Bottom]]
  /\ calls = {}

Inside(p) == person[p].inside \in Cars

Call(p) == \E f \in 1 .. Floors :
  /\ ~Inside(p) /\ person[p].goal = person[p].at /\ f # person[p].at
  /\ person' = [person EXCEPT ![p].goal = f]
  /\ calls' = calls \union {person[p].at}
  /\ UNCHANGED car

Open(c) ==
  /\ car[c].doors = "shut"
  /\ car[c].floor \in car[c].stops \union calls
  /\ car' = [car EXCEPT ![c].doors = "open", ![c].stops = @ \ {car[c].floor}]
  /\ calls' = calls \ {car[c].floor}
  /\ UNCHANGED person

Enter(p, c) ==
  /\ ~Inside(p) /\ person[p].goal # person[p].at
  /\ car[c].doors = "open" /\ car[c].floor = person[p].at
  /\ person' = [person EXCEPT ![p].inside = c]
  /\ car' = [car EXCEPT ![c].stops = @ \union {person[p].goal}]
  /\ UNCHANGED calls

Exit(p, c) ==
  /\ person[p].inside = c
  /\ car[c].doors = "open" /\ car[c].floor = person[p].goal
  /\ person' = [person EXCEPT ![p] = [at |-> car[c].floor, inside |-> "nobody", goal |-> car[c].floor]]
  /\ UNCHANGED <<car, calls>>

Shut(c) ==
  /\ car[c].doors = "open"
  /\ \A p \in People : ~(person[p].inside = c /\ person[p].goal = car[c].floor)
  /\ \A p \in People : ~(~Inside(p) /\ person[p].at = car[c].floor /\ person[p].goal # person[p].at)
  /\ car' = [car EXCEPT ![c].doors = "shut"]
  /\ UNCHANGED <<person, calls>>

Ahead(c) == {f \in car[c].stops \union calls : IF car[c].way = "up" THEN f > car[c].floor ELSE f < car[c].floor}

Move(c) ==
  /\ car[c].doors = "shut"
  /\ car[c].floor \notin car[c].stops \union calls
  /\ car[c].stops \union calls # {}
  /\ car' = IF Ahead(c) = {} THEN [car EXCEPT ![c].way = Turn(@)]
            ELSE [car EXCEPT ![c].floor = IF car[c].way = "up" THEN @ + 1 ELSE @ - 1]
  /\ UNCHANGED <<person, calls>>

Next ==
  \/ \E p \in People : Call(p) \/ \E c \in Cars : Enter(p, c) \/ Exit(p, c)
  \/ \E c \in Cars : Open(c) \/ Shut(c) \/ Move(c)
Fair ==
  /\ \A c \in Cars : WF_vars(Open(c)) /\ WF_vars(Shut(c)) /\ WF_vars(Move(c))
  /\ \A p \in People, c \in Cars : WF_vars(Enter(p, c)) /\ WF_vars(Exit(p, c))
Spec == Init /\ [][Next]_vars /\ Fair

ShutWhileMoving == \A c \in Cars : car[c].floor \in 1 .. Floors /\ car[c].way \in Ways
Arrives == \A p \in People, f \in 1 .. Floors : person[p].goal = f ~> person[p].at = f
====
