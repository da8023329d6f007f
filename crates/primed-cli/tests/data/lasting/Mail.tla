---- MODULE Mail ----
\* People send each other letters; who reads a letter keeps what it says. A register counts what is generated.
EXTENDS Naturals, Sequences, FiniteSets, TLC
CONSTANTS People, Letters
VARIABLES box, kept, last

Init == /\ box = [p \in People |-> <<>>]
        /\ kept = [p \in People |-> {}]
        /\ last = [who |-> "nobody", what |-> "nothing"]
        /\ TLCSet(7, 0)

Send(p, q) ==
    /\ p # q /\ Len(box[q]) < Letters
    /\ \E word \in {"yes", "no"} : box' = [box EXCEPT ![q] = Append(@, [from |-> p, word |-> word])]
    /\ last' = [who |-> "sender", what |-> ToString(Len(box[q]))]
    /\ UNCHANGED kept

Read(p) ==
    /\ box[p] # <<>>
    /\ kept' = [kept EXCEPT ![p] = (@ \union {Head(box[p]).word}) \ {"none"}]
    /\ box' = [box EXCEPT ![p] = Tail(@)]
    /\ last' = [who |-> "reader", what |-> "word " \o ToString(Cardinality(kept[p]))]

Next == \E p \in People : Read(p) \/ \E q \in People : Send(p, q)

Counted == TLCSet(7, TLCGet(7) + 1)
Symmetric == Permutations(People)
Seen == <<box, kept, last.who>>
Fits == \A p \in People : Len(box[p]) <= Letters
AllCounted == TLCGet(7) >= TLCGet("distinct") /\ TLCGet(7) + 1 >= TLCGet("generated")
====
