------------------------------------ MODULE Json --------------------------------
(* Values as JSON text, and files of JSON.  The engine reads and writes;   *)
(* the definitions here say which shape an operator's result has.          *)
LOCAL INSTANCE Sequences
LOCAL INSTANCE FiniteSets
LOCAL INSTANCE TLC

\* The texts of a sequence, with commas between them.
RECURSIVE Joined(_)
LOCAL Joined(parts) ==
  CASE Len(parts) = 0 -> ""
    [] Len(parts) = 1 -> Head(parts)
    [] OTHER -> Head(parts) \o "," \o Joined(Tail(parts))

LOCAL Listed(S) ==
  LET list[T \in SUBSET S] ==
        IF T = {} THEN <<>>
        ELSE LET x == CHOOSE x \in T : TRUE IN <<x>> \o list[T \ {x}]
  IN  list[S]

\* An array of the elements, by index.
ToJsonArray(value) ==
  LET keys == Listed(DOMAIN value)
  IN  "[" \o Joined([i \in DOMAIN keys |-> ToString(value[keys[i]])]) \o "]"

\* An object with a field for each argument.
ToJsonObject(value) ==
  LET keys == Listed(DOMAIN value)
      Field(k) == ToString(ToString(k)) \o ":" \o ToString(value[k])
  IN  "{" \o Joined([i \in DOMAIN keys |-> Field(keys[i])]) \o "}"

\* The text of any value: sequences and sets are arrays, functions objects.
ToJson(value) == CHOOSE text \in STRING : TRUE

\* Writing and reading a file of one value.
JsonSerialize(absoluteFilename, value) == TRUE
JsonDeserialize(absoluteFilename) == CHOOSE value : TRUE

\* The same with a value a line: the lines are a sequence.
ndJsonSerialize(absoluteFilename, value) == TRUE
ndJsonDeserialize(absoluteFilename) == CHOOSE values : Len(values) = Len(values)
=================================================================================
