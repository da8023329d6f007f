---- MODULE Spec ----
VARIABLE x
Init == x = 1
Next == UNCHANGED x
View == <<"always", {}>>
====
