---- MODULE Spec ----
EXTENDS Naturals
ASSUME 1 + 1 = 3
====
