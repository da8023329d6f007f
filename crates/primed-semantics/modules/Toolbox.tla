-------------------------------- MODULE Toolbox ------------------------------
(* The names by which a trace explorer knows its trace and the position in *)
(* it.  Both have a value only inside such a tool.                         *)
LOCAL INSTANCE Naturals
LOCAL INSTANCE FiniteSets
LOCAL INSTANCE TLC

\* The states of the trace, by number.
_TETrace == CHOOSE states \in [Nat \ {0} -> STRING] : TRUE

LOCAL Last == Cardinality(DOMAIN _TETrace)

\* The number of the current state, kept between 1 and that of the last.
_TEPosition == LET level == TLCGet("level")
               IN  CASE level \geq Last -> Last
                     [] level = 0 /\ level < Last -> 1
                     [] OTHER -> level
==============================================================================
