//! Long values over several lines, as TLC breaks them when it prints states and the output of `Print`.
//!
//! It works on printed text: what is not a set, tuple, record or function given by its elements stays as it is.

/// The columns that TLC fills.
pub const WIDTH: usize = 80;

/// Values nested deeper are not broken.
const DEPTH: usize = 200;

/// A printed value in lines of about `width` columns. The text is returned unchanged if it is short enough, or not understood.
pub fn lay_out(text: &str, width: usize) -> String {
    // There are never more characters than bytes.
    if text.len() <= width || text.chars().count() <= width {
        return text.to_owned();
    }
    let mut parser = Parser { text, at: 0 };
    match parser.value(0) {
        Some(tree) if parser.at == text.len() => {
            let mut out = String::with_capacity(text.len() * 2);
            tree.write(&mut out, width as isize, 0, 0);
            out
        }
        _ => text.to_owned(),
    }
}

/// A part of the text.
struct Tree<'t> {
    text: &'t str,
    length: isize,
    shape: Shape<'t>,
}

enum Shape<'t> {
    Atom,
    /// Sets and tuples.
    List {
        open: &'static str,
        close: &'static str,
        items: Vec<Tree<'t>>,
    },
    /// Records and functions.
    Pairs {
        open: &'static str,
        close: &'static str,
        separator: &'static str,
        arrow: &'static str,
        pairs: Vec<(Tree<'t>, Tree<'t>)>,
    },
}

/// How far the value of a pair is moved to the right on a line of its own.
const INDENT: usize = 4;

impl Tree<'_> {
    /// Appends the value. `width` columns are left, of which the last `trailer` of its last line are kept free; lines after
    /// the first begin at column `margin`.
    fn write(&self, out: &mut String, width: isize, trailer: isize, margin: usize) {
        if self.length <= width - trailer {
            return out.push_str(self.text);
        }
        match &self.shape {
            Shape::Atom => out.push_str(self.text),
            Shape::List { open, close, items } => {
                let (pad, trailer) = (open.len(), trailer + close.len() as isize);
                let (width, margin) = (width - pad as isize, margin + pad);
                out.push_str(open);
                for (i, item) in items.iter().enumerate() {
                    let last = i + 1 == items.len();
                    item.write(out, width, if last { trailer } else { 1 }, margin);
                    if !last {
                        out.push(',');
                        new_line(out, margin);
                    }
                }
                out.push_str(close);
            }
            Shape::Pairs { open, close, separator, arrow, pairs } => {
                let (pad, trailer) = (open.len(), trailer + close.len() as isize);
                let (width, margin) = (width - pad as isize, margin + pad);
                out.push_str(open);
                for (i, (key, value)) in pairs.iter().enumerate() {
                    let last = i + 1 == pairs.len();
                    let behind = if last { trailer } else { separator.len() as isize };
                    pair(out, (key, arrow, value), width, (trailer, behind), margin);
                    if !last {
                        out.push_str(separator);
                        new_line(out, margin);
                    }
                }
                out.push_str(close);
            }
        }
    }
}

/// A field or a point: on one line, or the value on lines of its own.
fn pair(
    out: &mut String,
    (key, arrow, value): (&Tree<'_>, &str, &Tree<'_>),
    width: isize,
    (trailer, behind): (isize, isize),
    margin: usize,
) {
    let arrow_length = arrow.len() as isize;
    if key.length + arrow_length + 1 + value.length + behind <= width {
        out.push_str(&format!("{}{arrow} {}", key.text, value.text));
        return;
    }
    match key.length + arrow_length <= width {
        true => out.push_str(key.text),
        false => key.write(out, width, trailer + arrow_length, margin),
    }
    out.push_str(arrow);
    new_line(out, margin + INDENT);
    value.write(out, width - INDENT as isize, behind, margin + INDENT);
}

fn new_line(out: &mut String, margin: usize) {
    out.push('\n');
    out.extend(std::iter::repeat_n(' ', margin));
}

/// Reads a printed value.
struct Parser<'t> {
    text: &'t str,
    at: usize,
}

impl<'t> Parser<'t> {
    fn value(&mut self, depth: usize) -> Option<Tree<'t>> {
        if depth > DEPTH {
            return None;
        }
        let start = self.at;
        let shape = if self.skip("{") {
            Shape::List { open: "{ ", close: " }", items: self.items("}", depth)? }
        } else if self.skip("<<") {
            Shape::List { open: "<< ", close: " >>", items: self.items(">>", depth)? }
        } else if self.skip("[") {
            let pairs = self.pairs(", ", " |->", "]", depth)?;
            Shape::Pairs { open: "[ ", close: " ]", separator: ",", arrow: " |->", pairs }
        } else if self.skip("(") {
            let pairs = self.pairs(" @@ ", " :>", ")", depth)?;
            Shape::Pairs { open: "( ", close: " )", separator: " @@", arrow: " :>", pairs }
        } else {
            self.atom()?;
            Shape::Atom
        };
        let text = &self.text[start..self.at];
        Some(Tree { text, length: text.chars().count() as isize, shape })
    }

    fn skip(&mut self, token: &str) -> bool {
        let found = self.text[self.at..].starts_with(token);
        self.at += if found { token.len() } else { 0 };
        found
    }

    /// A string, or everything up to a space, comma or closing bracket.
    fn atom(&mut self) -> Option<()> {
        let rest = &self.text[self.at..];
        let length = if rest.starts_with('"') {
            let mut escaped = false;
            let end = rest.char_indices().skip(1).find(|(_, c)| {
                let ends = *c == '"' && !escaped;
                escaped = *c == '\\' && !escaped;
                ends
            });
            end?.0 + 1
        } else {
            rest.find([' ', ',', '}', ']', ')', '>']).unwrap_or(rest.len())
        };
        self.at += length;
        (length > 0).then_some(())
    }

    fn items(&mut self, close: &str, depth: usize) -> Option<Vec<Tree<'t>>> {
        let mut items = Vec::new();
        if self.skip(close) {
            return Some(items);
        }
        loop {
            items.push(self.value(depth + 1)?);
            if self.skip(close) {
                return Some(items);
            }
            self.skip(", ").then_some(())?;
        }
    }

    fn pairs(&mut self, separator: &str, arrow: &str, close: &str, depth: usize) -> Option<Vec<(Tree<'t>, Tree<'t>)>> {
        let mut pairs = Vec::new();
        loop {
            let key = self.value(depth + 1)?;
            (self.skip(arrow) && self.skip(" ")).then_some(())?;
            pairs.push((key, self.value(depth + 1)?));
            if self.skip(close) {
                return Some(pairs);
            }
            self.skip(separator).then_some(())?;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_fits_stays_on_one_line() {
        assert_eq!(lay_out("{1, 2}", 6), "{1, 2}");
        assert_eq!(lay_out("{1, 2}", 5), "{ 1,\n  2 }");
        assert_eq!(lay_out("SUBSET {1, 2, 3}", 5), "SUBSET {1, 2, 3}");
        assert_eq!(lay_out("[{1, 2} -> {3}]", 5), "[{1, 2} -> {3}]");
    }

    #[test]
    fn long_values_are_broken_as_tlc_does() {
        let record = r#"[name |-> "Next", location |-> [beginLine |-> 5, module |-> "M"], x |-> <<1, 2>>]"#;
        let expected = concat!(
            "[ name |-> \"Next\",\n",
            "  location |->\n",
            "      [beginLine |-> 5, module |-> \"M\"],\n",
            "  x |-> <<1, 2>> ]"
        );
        assert_eq!(lay_out(record, 44), expected);
        let function = "(a :> {1, 2, 3} @@ bb :> <<4, \"x, }\\\" y\">>)";
        let expected = "( a :> {1, 2, 3} @@\n  bb :>\n      << 4,\n         \"x, }\\\" y\" >> )";
        assert_eq!(lay_out(function, 20), expected);
    }

    #[test]
    fn anything_is_accepted() {
        for text in ["", "<<", "{1, 2", "[a |-> ", "(1 :> 2", "{\"a", "<<1 2>>", "1..3 x"] {
            assert_eq!(lay_out(text, 0), text);
        }
        let deep = "{".repeat(5000) + &"}".repeat(5000);
        assert_eq!(lay_out(&deep, 80), deep);
    }
}
