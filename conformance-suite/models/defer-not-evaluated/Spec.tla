---- MODULE Spec ----
EXTENDS Integers, TLC, TLCExt
VARIABLE x
Init == x = 0
Next == x' = (x + 1) % 4 /\ TLCDefer(PrintT(<<"deferred", x, x'>>)) /\ TLCDefer(Assert(x < 2, "boom"))
====
