---- MODULE Spec ----
EXTENDS Naturals, Sequences, TLC
VARIABLE x
D0 == x
D1 == D0 + D0
D2 == D1 + D1
D3 == D2 + D2
D4 == D3 + D3
D5 == D4 + D4
D6 == D5 + D5
D7 == D6 + D6
D8 == D7 + D7
D9 == D8 + D8
D10 == D9 + D9
D11 == D10 + D10
D12 == D11 + D11
D13 == D12 + D12
D14 == D13 + D13
D15 == D14 + D14
D16 == D15 + D15
D17 == D16 + D16
D18 == D17 + D17
Init == x = 0
Next == x' = (x + 1) % 2 /\ D18' >= 0
Inv == D18 >= 0
====
