------------------------------- MODULE Spec -------------------------------
VARIABLE x
Init == x = TRUE
Next == UNCHANGED x
Spec == Init /\ [][Next]_x
Prop == TRUE ~> (LET S == {} IN IF S = {} THEN x ELSE CHOOSE s \in S : TRUE)
===========================================================================
