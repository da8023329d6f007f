//! Any input ends with an answer: soups of words, damaged modules, deep and wide ones. What is too deep is refused by an error
//! that names the limit, and the work grows with the length of the text, not with its square.

mod deep;
mod soups;
mod wide;
