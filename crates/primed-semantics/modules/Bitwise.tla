--------------------------------- MODULE Bitwise -------------------------------
(* Bit by bit operations on natural numbers.                               *)
LOCAL INSTANCE Integers

LOCAL Bit(n) == n % 2

x & y ==
  LET RECURSIVE And(_, _)
      And(a, b) == IF a = 0 \/ b = 0 THEN 0
                   ELSE Bit(a) * Bit(b) + 2 * And(a \div 2, b \div 2)
  IN  And(x, y)

x | y ==
  LET RECURSIVE Or(_, _)
      Or(a, b) == IF a = 0 THEN b ELSE IF b = 0 THEN a
                  ELSE (IF Bit(a) + Bit(b) = 0 THEN 0 ELSE 1)
                         + 2 * Or(a \div 2, b \div 2)
  IN  Or(x, y)

x ^^ y ==
  LET RECURSIVE Xor(_, _)
      Xor(a, b) == IF a = 0 THEN b ELSE IF b = 0 THEN a
                   ELSE Bit(a + b) + 2 * Xor(a \div 2, b \div 2)
  IN  Xor(x, y)

\* Each bit of a up to its highest one is turned over.
Not(a) ==
  LET RECURSIVE Turn(_)
      Turn(n) == IF n = 0 THEN 0 ELSE 1 - Bit(n) + 2 * Turn(n \div 2)
  IN  Turn(a)

\* n shifted to the right by pos bits.
RECURSIVE shiftR(_, _)
shiftR(n, pos) == IF pos = 0 THEN n ELSE shiftR(n \div 2, pos - 1)
================================================================================
