---- MODULE Inst ----
EXTENDS Naturals
CONSTANT K
Val == K
====
