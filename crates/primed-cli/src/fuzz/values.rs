//! Values as TLC prints them, written in the Informal Trace Format, which windows are given in.

/// The JSON for a printed value; `None` if the text is none.
pub(super) fn itf(text: &str) -> Option<String> {
    let mut reader = Reader { rest: text };
    let value = reader.value(0)?;
    reader.rest.trim().is_empty().then_some(value)
}

/// Deepest nesting that is read.
const DEEPEST: usize = 60;

struct Reader<'t> {
    rest: &'t str,
}

impl Reader<'_> {
    fn eat(&mut self, token: &str) -> bool {
        self.rest = self.rest.trim_start();
        match self.rest.strip_prefix(token) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    fn value(&mut self, depth: usize) -> Option<String> {
        if depth > DEEPEST {
            return None;
        }
        if self.eat("<<") {
            return Some(format!("{{\"#tup\":[{}]}}", self.list(">>", depth)?));
        }
        if self.eat("{") {
            return Some(format!("{{\"#set\":[{}]}}", self.list("}", depth)?));
        }
        if self.eat("[") {
            return self.record(depth);
        }
        if self.eat("(") {
            return self.function(depth);
        }
        self.scalar()
    }

    fn list(&mut self, end: &str, depth: usize) -> Option<String> {
        let mut items = Vec::new();
        while !self.eat(end) {
            if !items.is_empty() && !self.eat(",") {
                return None;
            }
            items.push(self.value(depth + 1)?);
        }
        Some(items.join(","))
    }

    fn record(&mut self, depth: usize) -> Option<String> {
        let mut fields = Vec::new();
        while !self.eat("]") {
            if !fields.is_empty() && !self.eat(",") {
                return None;
            }
            let name = self.word()?.to_owned();
            if !self.eat("|->") {
                return None;
            }
            fields.push(format!("\"{name}\":{}", self.value(depth + 1)?));
        }
        Some(format!("{{{}}}", fields.join(",")))
    }

    fn function(&mut self, depth: usize) -> Option<String> {
        let mut pairs = Vec::new();
        while !self.eat(")") {
            if !pairs.is_empty() && !self.eat("@@") {
                return None;
            }
            let argument = self.value(depth + 1)?;
            if !self.eat(":>") {
                return None;
            }
            pairs.push(format!("[{argument},{}]", self.value(depth + 1)?));
        }
        Some(format!("{{\"#map\":[{}]}}", pairs.join(",")))
    }

    fn word(&mut self) -> Option<&str> {
        self.rest = self.rest.trim_start();
        let ends = |c: char| !(c.is_alphanumeric() || c == '_' || c == '-');
        let end = self.rest.find(ends).unwrap_or(self.rest.len());
        let (word, rest) = self.rest.split_at(end);
        self.rest = rest;
        Some(word).filter(|word| !word.is_empty())
    }

    fn scalar(&mut self) -> Option<String> {
        if self.eat("\"") {
            let (text, rest) = self.rest.split_once('"')?;
            self.rest = rest;
            return Some(format!("\"{text}\""));
        }
        let word = self.word()?.to_owned();
        match word.as_str() {
            "TRUE" => Some("true".into()),
            "FALSE" => Some("false".into()),
            number if number.parse::<i64>().is_ok() && self.eat("..") => {
                let (from, to) = (number.parse::<i64>().ok()?, self.word()?.parse::<i64>().ok()?);
                let items: Vec<String> = (from..=to.min(from + 1000)).map(|n| n.to_string()).collect();
                Some(format!("{{\"#set\":[{}]}}", items.join(",")))
            }
            number if number.parse::<i64>().is_ok() => Some(number.to_owned()),
            model => Some(format!("\"{model}\"")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::itf;

    #[test]
    fn printed_values_become_itf() {
        let cases = [
            ("<<1, -2>>", r##"{"#tup":[1,-2]}"##),
            ("{TRUE, FALSE}", r##"{"#set":[true,false]}"##),
            ("[fa |-> \"x\", fb |-> m1]", r#"{"fa":"x","fb":"m1"}"#),
            ("(1 :> {} @@ 3 :> <<>>)", r##"{"#map":[[1,{"#set":[]}],[3,{"#tup":[]}]]}"##),
            ("0..2", r##"{"#set":[0,1,2]}"##),
        ];
        for (text, json) in cases {
            assert_eq!(itf(text).as_deref(), Some(json));
        }
        for bad in ["<<1", "{1 2}", "[fa]", "(1 :> 2", "", "1 2"] {
            assert_eq!(itf(bad), None, "{bad}");
        }
    }
}
