---- MODULE Counter ----
(* A counter that is counted at several replicas. Deltas travel in a bag: two equal ones are two. Each is applied once at each
   other replica, a ledger of stock goes down with each sale. *)
EXTENDS Integers, Bags, FiniteSets
CONSTANTS Replicas, Sales, Stock
VARIABLES count, sold, network, stock
vars == <<count, sold, network, stock>>

Init ==
  /\ count = [r \in Replicas |-> 0]
  /\ sold = [r \in Replicas |-> 0]
  /\ network = EmptyBag
  /\ stock = [r \in Replicas |-> Stock]

To(r, n) == SetToBag({[to |-> o, delta |-> n] : o \in Replicas \ {r}})

Sell(r) ==
  /\ sold[r] < Sales /\ stock[r] > 0
  /\ sold' = [sold EXCEPT ![r] = @ + 1]
  /\ stock' = [stock EXCEPT ![r] = @ - 1]
  /\ count' = [count EXCEPT ![r] = @ + 1]
  /\ network' = network (+) To(r, 1)

Return(r) ==
  /\ sold[r] > 0 /\ stock[r] < Stock
  /\ sold' = [sold EXCEPT ![r] = @ - 1]
  /\ stock' = [stock EXCEPT ![r] = @ + 1]
  /\ count' = [count EXCEPT ![r] = @ - 1]
  /\ network' = network (+) To(r, -1)

Apply == \E m \in BagToSet(network) :
  /\ count' = [count EXCEPT ![m.to] = @ + m.delta]
  /\ network' = network (-) SetToBag({m})
  /\ UNCHANGED <<sold, stock>>

\* Two opposite deltas for the same replica may be dropped together.
Cancel(r) ==
  LET up == [to |-> r, delta |-> 1]  down == [to |-> r, delta |-> -1] IN
  /\ BagIn(up, network) /\ BagIn(down, network)
  /\ network' = network (-) SetToBag({up, down})
  /\ UNCHANGED <<count, sold, stock>>

Next == Apply \/ \E r \in Replicas : Sell(r) \/ Return(r) \/ Cancel(r)
Spec == Init /\ [][Next]_vars

Few == BagCardinality(network) <= 2 * Cardinality(Replicas)

RECURSIVE Sum(_, _)
Sum(f, s) == IF s = {} THEN 0 ELSE LET x == CHOOSE x \in s : TRUE IN f[x] + Sum(f, s \ {x})
OnTheWay(r) == CopiesIn([to |-> r, delta |-> 1], network) - CopiesIn([to |-> r, delta |-> -1], network)
Converges == LET all == Sum(sold, Replicas) IN \A r \in Replicas : count[r] + OnTheWay(r) = all
InStock == \A r \in Replicas : stock[r] + sold[r] = Stock
====
