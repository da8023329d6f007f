------------------------------- MODULE Functions ------------------------------
(* Operators on functions: restriction, range, inverses, injections and    *)
(* their kin, folds.                                                       *)
EXTENDS Integers, Folds

\* f on the subset S of its domain.
Restrict(f, S) == [x \in S |-> f[x]]
\* f on those arguments, or where it has those values, that pass the test.
RestrictDomain(f, Test(_)) == [x \in {x \in DOMAIN f : Test(x)} |-> f[x]]
RestrictValues(f, Test(_)) == [x \in {x \in DOMAIN f : Test(f[x])} |-> f[x]]

\* wide is defined wherever narrow is, with the same value.
IsRestriction(narrow, wide) ==
  /\ DOMAIN narrow \subseteq DOMAIN wide
  /\ \A x \in DOMAIN narrow : narrow[x] = wide[x]

\* The set of all values.
Range(f) == {f[x] : x \in DOMAIN f}

\* Two functions combined argument by argument.
Pointwise(f, g, T(_, _)) == [x \in DOMAIN f |-> T(f[x], g[x])]

\* For each t of T an argument in S that f maps to t, if t is a value of f.
Inverse(f, S, T) == [t \in T |-> CHOOSE s \in S : t \in Range(f) => f[s] = t]
AntiFunction(f) == [t \in Range(f) |-> CHOOSE s \in DOMAIN f : f[s] = t]
-------------------------------------------------------------------------------
\* Different arguments have different values.
IsInjective(f) == \A x, y \in DOMAIN f : x # y => f[x] # f[y]

Injection(S, T) == {f \in [S -> T] : IsInjective(f)}
Surjection(S, T) == {f \in [S -> T] : T \subseteq Range(f)}
Bijection(S, T) == {f \in [S -> T] : IsInjective(f) /\ T \subseteq Range(f)}

ExistsInjection(S, T) == \E f \in [S -> T] : IsInjective(f)
ExistsSurjection(S, T) == \E f \in [S -> T] : T \subseteq Range(f)
ExistsBijection(S, T) == \E f \in [S -> T] :
                           IsInjective(f) /\ T \subseteq Range(f)
-------------------------------------------------------------------------------
\* op(fun[xn], ... op(fun[x2], op(fun[x1], base))), where x1, x2, ... are the
\* indices in the order in which CHOOSE takes them.
FoldFunctionOnSet(op(_, _), base, fun, indices) ==
  LET RECURSIVE Fold(_, _)
      Fold(rest, result) ==
        IF rest = {} THEN result
        ELSE LET x == CHOOSE x \in rest : TRUE
             IN  Fold(rest \ {x}, op(fun[x], result))
  IN  Fold(indices, base)

FoldFunction(op(_, _), base, fun) ==
  FoldFunctionOnSet(op, base, fun, DOMAIN fun)

SumFunctionOnSet(fun, indices) == FoldFunctionOnSet(+, 0, fun, indices)
SumFunction(fun) == FoldFunctionOnSet(+, 0, fun, DOMAIN fun)
===============================================================================
