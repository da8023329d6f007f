---- MODULE Inner ----
EXTENDS Integers
VARIABLE v
Less(n) == v < n
====
