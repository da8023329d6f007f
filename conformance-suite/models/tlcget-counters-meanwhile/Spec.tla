---- MODULE Spec ----
EXTENDS Integers, Sequences, TLC
VARIABLE x
ASSUME TLCSet(1, <<>>)
Counts(what) == <<what, x, TLCGet("level"), TLCGet("diameter"), TLCGet("generated"), TLCGet("distinct"), TLCGet("queue")>>
Note(what) == TLCSet(1, Append(TLCGet(1), Counts(what)))
Init == x \in 0..1
A(i) == x < 3 /\ x' = x + i
Next == \E i \in 1..2 : A(i)
Con == Note("c")
ActionCon == Note("a")
Prop == [][Note("p")]_x
Inv == TLCGet("level") = 1 /\ TLCGet("config").worker = 1 => TLCGet("stats").initial = x + 1
Post ==
  TLCGet("config").worker = 1 => TLCGet(1) = <<
       <<"c", 0, 1, 1, 1, 0, 0>>, <<"c", 1, 1, 1, 2, 1, 1>>,
       <<"c", 1, 2, 1, 3, 2, 1>>, <<"a", 0, 1, 1, 3, 2, 1>>, <<"p", 0, 1, 1, 3, 2, 1>>,
       <<"c", 2, 2, 1, 4, 2, 1>>, <<"a", 0, 1, 1, 4, 2, 1>>, <<"p", 0, 1, 2, 4, 3, 1>>,
       <<"c", 2, 2, 2, 5, 3, 1>>, <<"a", 1, 1, 2, 5, 3, 1>>, <<"p", 1, 1, 2, 5, 3, 1>>,
       <<"c", 3, 2, 2, 6, 3, 1>>, <<"a", 1, 1, 2, 6, 3, 1>>, <<"p", 1, 1, 2, 6, 4, 1>>,
       <<"c", 3, 3, 2, 7, 4, 1>>, <<"a", 2, 2, 2, 7, 4, 1>>, <<"p", 2, 2, 2, 7, 4, 1>>,
       <<"c", 4, 3, 2, 8, 4, 1>>, <<"a", 2, 2, 2, 8, 4, 1>>, <<"p", 2, 2, 3, 8, 5, 1>> >>
====
