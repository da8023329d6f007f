---- MODULE Spec ----
EXTENDS Bags, Integers
VARIABLES x, y
Both == SetToBag({1, 2})
Some == {SetToBag({1}), EmptyBag, Both}
Init == x \in ({Both} \union SubBag(Both)) \cap Some /\ y \in SubBag(Both) \cup {Both}
Next == x' \in (SubBag(x) \cup {x}) \ {EmptyBag} /\ y' = x
Spec == Init /\ [][Next]_<<x, y>>
====
