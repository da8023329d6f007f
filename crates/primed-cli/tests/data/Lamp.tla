-------------------------------- MODULE Lamp --------------------------------
(* A lamp, for the tests of what is put before the real TLC.                *)
EXTENDS Integers
VARIABLE on
Init == on = 0
Press == on' = 1 - on
Unused == 7
Next == Press
Odd == on \in {0, 1}
=============================================================================
