----------------------------------- MODULE IOUtils ------------------------------
(* Files, commands and the environment.  The engine acts only as far as a  *)
(* flag allows it; the definitions say which shape a result has.           *)
LOCAL INSTANCE TLC
LOCAL INSTANCE Integers
LOCAL INSTANCE Sequences
LOCAL INSTANCE SequencesExt

LOCAL Outcome == [exitValue : Int, stdout : STRING, stderr : STRING]

\* A value in the checker's own binary form.
IOSerialize(val, absoluteFilename, compress) == TRUE
IODeserialize(absoluteFilename, compressed) == CHOOSE val : TRUE

\* Text files.
Serialize(value, dest, options) == CHOOSE r \in Outcome : TRUE
Deserialize(src, options) == CHOOSE val : TRUE
---------------------------------------------------------------------------------
\* Commands, as a sequence of words or as a template with parameters, in the
\* environment of the checker or with some variables set.
IOExec(command) == CHOOSE r \in Outcome : TRUE
IOEnvExec(env, command) == CHOOSE r \in Outcome : TRUE
IOExecTemplate(commandTemplate, parameters) == CHOOSE r \in Outcome : TRUE
IOEnvExecTemplate(env, commandTemplate, parameters) == CHOOSE r \in Outcome : TRUE

\* The environment: a record of all variables.
IOEnv == CHOOSE env \in [STRING -> STRING] : TRUE

\* The integer that is written str.
atoi(str) == CHOOSE n \in Int : ToString(n) = str

\* n in decimal, with zeros before it up to the width.
zeroPadN(n, width) ==
  LET digits == ToString(n)
      RECURSIVE Pad(_)
      Pad(text) == IF Len(text) >= width THEN text ELSE Pad("0" \o text)
  IN  Pad(digits)
=================================================================================
