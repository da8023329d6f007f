---- MODULE Inner ----
Word == "sq3"
====
