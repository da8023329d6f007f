------------------------------- MODULE Spec -------------------------------
VARIABLE x
First == CHOOSE s \in {"sq4", "sq3"} : TRUE
Init == x = First
Next == UNCHANGED x
I == INSTANCE Inner
Inv == x = "sq3"
===========================================================================
