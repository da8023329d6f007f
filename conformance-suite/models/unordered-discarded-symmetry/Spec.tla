---- MODULE Spec ----
EXTENDS Integers, TLC
CONSTANT S
VARIABLES x, y
Init == x = 0 /\ y = 0
Next == y < 3 /\ y' = y + 1 /\ x' = IF y = 1 THEN {1, "a"} ELSE 0
C == y < 2
Sym == Permutations(S)
====
