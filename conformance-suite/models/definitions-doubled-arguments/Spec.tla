---- MODULE Spec ----
EXTENDS Naturals, Sequences, TLC
VARIABLE x
F0(a) == a
F1(a) == F0(a) + F0(a)
F2(a) == F1(a) + F1(a)
F3(a) == F2(a) + F2(a)
F4(a) == F3(a) + F3(a)
F5(a) == F4(a) + F4(a)
F6(a) == F5(a) + F5(a)
F7(a) == F6(a) + F6(a)
F8(a) == F7(a) + F7(a)
F9(a) == F8(a) + F8(a)
F10(a) == F9(a) + F9(a)
F11(a) == F10(a) + F10(a)
F12(a) == F11(a) + F11(a)
F13(a) == F12(a) + F12(a)
F14(a) == F13(a) + F13(a)
F15(a) == F14(a) + F14(a)
F16(a) == F15(a) + F15(a)
Init == x = 0
Next == x' = (x + 1) % 2
Inv == F16(x) >= 0
====
