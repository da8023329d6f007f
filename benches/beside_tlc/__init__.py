"""What `benches/against-tlc` measures: searches (`models`, `searches`) and windows (`windows`)."""
