------------------------------- MODULE Spec -------------------------------
EXTENDS Integers
VARIABLE x
Init == x = 0
Next == UNCHANGED x
In(p) == INSTANCE Inner WITH v <- p
Always == In(2)!Less(0)
===========================================================================
