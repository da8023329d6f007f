---- MODULE Told ----
(* What cannot be evaluated, and where TLC says so. The variables are shown in another order than this. *)
EXTENDS Naturals, TLC
VARIABLES queue, alpha, k
Init == k \in {0, 5} /\ alpha = 0 /\ queue = {}
Step == k' = (k + 1) % 3 /\ UNCHANGED <<alpha, queue>>
Number == k' = k /\ alpha' = 0 /\ queue' = queue /\ (IF k = 5 THEN alpha ELSE TRUE)
Chosen == \/ k < 2 /\ Step
          \/ CASE k = 2 -> 7 [] OTHER -> Step
Nowhere == k = 7 /\ Step
Spec == Init /\ [][Step]_<<queue, alpha, k>>
One == <>(IF k = 5 THEN k = "a" ELSE k = 1)
Both == <>(k = "a" /\ k = 1)
Ahead == <>(IF k = 2 THEN k = "a" ELSE k = 7)
Again == []<>(IF k = 2 THEN alpha ELSE k = 7)
Action == []<><<IF k = 2 THEN alpha ELSE k = 7>>_k
Square == <>[][IF k = 2 THEN alpha ELSE k = 7]_k
Stated == []<>Assert(k # 2, "two")
Ev(n) == <>(k = n)
All == <>(k = 1) => \A n \in {k} : Ev(n)
Arm(n) == CASE k = n -> []<>(k = 1) [] OTHER -> <>(k = 2)
Cases == <>(k = 1) => Arm(1)
Enabled == ENABLED (IF k = 5 THEN 7 ELSE Step)
Shown == [level |-> TLCGet("level")]
Level == PrintT(TLCGet("level")) /\ PrintT(DOMAIN TLCGet("stats")) /\ PrintT(DOMAIN TLCGet("spec"))
====
