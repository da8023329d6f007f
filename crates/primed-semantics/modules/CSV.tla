------------------------------------- MODULE CSV --------------------------------
(* Files of comma separated values.  Reading and writing is the engine's;  *)
(* the definitions declare the operators.                                  *)
LOCAL INSTANCE TLC
LOCAL INSTANCE Integers

\* Adds a line: the template filled with the elements of val, or a record's
\* fields in the order of headers.
CSVWrite(template, val, file) == TRUE
CSVWriteRecord(record, delim, headers, file) == TRUE

\* The lines as records with those columns, and their number.
CSVRead(columns, delimiter, file) == CHOOSE records : TRUE
CSVRecords(file) == CHOOSE n \in Nat : TRUE
=================================================================================
