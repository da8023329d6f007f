---- MODULE Lower ----
EXTENDS Naturals
LOCAL INSTANCE Sequences
LowSet == {n \in Nat : n < 3}
a ++ b == a + b
Other == 2 ++ 2
====
