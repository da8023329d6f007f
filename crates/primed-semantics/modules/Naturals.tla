------------------------------ MODULE Naturals ------------------------------
(* The natural numbers and their arithmetic.                               *)
(*                                                                         *)
(* The set Nat is any model of Peano's axioms that starts at the literal 0;*)
(* the operators are defined from its successor function.  The engine      *)
(* computes all of them natively, on 32-bit integers, negative ones too.   *)
LOCAL Peano(N, S) ==
  /\ 0 \in N
  /\ S \in [N -> N]
  /\ \A n \in N : S[n] # 0
  /\ \A m, n \in N : S[m] = S[n] => m = n
  /\ \A T \in SUBSET N : (0 \in T /\ \A n \in T : S[n] \in T) => T = N

Nat == CHOOSE N : \E S : Peano(N, S)

LOCAL Next(n) == (CHOOSE S : Peano(Nat, S))[n]
LOCAL Before(n) == CHOOSE m \in Nat : Next(m) = n

a + b == LET sum[n \in Nat] == IF n = 0 THEN a ELSE Next(sum[Before(n)])
         IN  sum[b]
a - b == CHOOSE d : b + d = a
a * b == LET prod[n \in Nat] == IF n = 0 THEN 0 ELSE prod[Before(n)] + a
         IN  prod[b]
a ^ b == LET pow[n \in Nat] == IF n = 0 THEN Next(0) ELSE pow[Before(n)] * a
         IN  pow[b]

a \leq b == \E d \in Nat : a + d = b
a \geq b == b \leq a
a < b == a \leq b /\ a # b
a > b == b < a

a .. b == {n \in Nat : a \leq n /\ n \leq b}

\* Division rounds down; the remainder lies between 0 and the divisor.
a \div b == CHOOSE q : \E r \in 0 .. (b - Next(0)) : a = b * q + r
a % b == a - b * (a \div b)
=============================================================================
