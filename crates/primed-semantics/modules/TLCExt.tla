-------------------------------- MODULE TLCExt -------------------------------
(* More operators for model checking: tests, registers with a default, the *)
(* current behaviour, hints to the evaluator.  The definitions state values*)
(* only; the engine adds the effects.                                      *)
LOCAL INSTANCE TLC
LOCAL INSTANCE Integers

\* Whether a and b are equal; prints both if they are not.
AssertEq(a, b) == \/ a = b
                  \/ /\ PrintT("Assertion failed")
                     /\ PrintT(a)
                     /\ PrintT(b)
                     /\ FALSE

\* TRUE if evaluating exp fails with the text err, or does not fail.
AssertError(err, exp) ==
  LET failure == CHOOSE text \in STRING : TRUE
      fails   == CHOOSE b \in BOOLEAN : TRUE
  IN  fails => Assert(failure = err, failure)

\* The register key, or defaultVal while it was never set.
TLCGetOrDefault(key, defaultVal) == CHOOSE v : v = defaultVal \/ v = TLCGet(key)

\* The old value of the register; sets it to Op(old value, val).
TLCGetAndSet(key, Op(_, _), val, defaultVal) ==
  LET old == TLCGetOrDefault(key, defaultVal)
  IN  IF TLCSet(key, Op(old, val)) THEN old ELSE old
------------------------------------------------------------------------------
\* The states from the initial one to the current one, as records.
Trace == CHOOSE states : TRUE

\* The counterexample found: its states and actions; and the same as a trace.
CounterExample == CHOOSE ce : TRUE
ToTrace(CE) == CHOOSE states : TRUE

\* The model value that is printed as str.
TLCModelValue(str) == CHOOSE m : ToString(m) = str

\* TRUE; the expression is evaluated when the state has been completed.
TLCDefer(expression) == TRUE

\* val; a place to hook a debugger on.
TLCNoOp(val) == val

\* In an interactive run the user picks among the steps that satisfy exp.
PickSuccessor(exp) == exp \/ CHOOSE picked \in BOOLEAN : TRUE

\* expression, evaluated once for equal values of closure.
TLCCache(expression, closure) == expression

\* The fingerprint of the value of var.
TLCFP(var) == CHOOSE fp \in Int : TRUE

\* The value of the definition with that name.
TLCEvalDefinition(definitionName) == CHOOSE v : TRUE
==============================================================================
