//! Java's format strings (`java.util.Formatter`), as far as strings need them.

use primed_value::error::EvalError;
use primed_value::host::Result;

/// Widest field.
const MAX_WIDTH: usize = 1_000_000;

/// What stands between a percent sign and the letter.
struct Specifier<'t> {
    /// As it is written.
    text: &'t str,
    /// `2$`.
    index: Option<usize>,
    /// `<`: the argument of the specifier before.
    again: bool,
    left: bool,
    width: usize,
    precision: Option<usize>,
    letter: char,
}

/// The template with its specifiers filled: `%s`, `%S`, `%2$s`, `%<s`, `%-10.3s`, `%n`, `%%`.
///
/// # Errors
/// Of a specifier that is not known, or has no value.
pub(super) fn filled(template: &str, values: &[String]) -> Result<String> {
    let mut line = String::new();
    let mut rest = template;
    let (mut next, mut last) = (0, None);
    while let Some(at) = rest.find('%') {
        line.push_str(&rest[..at]);
        let specifier = specifier(&rest[at..])?;
        rest = &rest[at + specifier.text.len()..];
        match specifier.letter {
            'n' => line.push('\n'),
            '%' => pad(&mut line, "%", &specifier),
            _ => {
                let index = match (specifier.index, specifier.again) {
                    (Some(index), _) => index.checked_sub(1),
                    (None, true) => last,
                    (None, false) => {
                        next += 1;
                        Some(next - 1)
                    }
                };
                let Some(value) = index.and_then(|i| values.get(i)) else {
                    return Err(EvalError::new(1000, format!("Format specifier '{}'", specifier.text)));
                };
                last = index;
                let upper = if specifier.letter == 'S' { value.to_uppercase() } else { value.clone() };
                pad(&mut line, &upper, &specifier);
            }
        }
    }
    line.push_str(rest);
    Ok(line)
}

/// The specifier at the beginning of a text, which is a percent sign.
fn specifier(text: &str) -> Result<Specifier<'_>> {
    let known = |c: char| c.is_ascii_digit() || "$-#+ 0,(<.".contains(c);
    let end = text.char_indices().skip(1).find(|(_, c)| !known(*c));
    let Some((end, letter)) = end else { return Err(EvalError::new(1000, "Conversion = '%'")) };
    let written = &text[..end + letter.len_utf8()];
    let wrong = || EvalError::new(1000, format!("the format specifier '{written}' is not known"));
    let mut inner = &text[1..end];
    let index = inner.split_once('$').map(|(digits, rest)| (digits.parse::<usize>(), rest));
    let index = match index {
        Some((Ok(index), rest)) => {
            inner = rest;
            Some(index)
        }
        Some(_) => return Err(wrong()),
        None => None,
    };
    let again = inner.starts_with('<');
    inner = inner.strip_prefix('<').unwrap_or(inner);
    let left = inner.starts_with('-');
    inner = inner.strip_prefix('-').unwrap_or(inner);
    let (width, precision) = inner.split_once('.').map_or((inner, None), |(w, p)| (w, Some(p)));
    let number = |digits: &str| digits.parse::<usize>().ok().filter(|n| *n <= MAX_WIDTH).ok_or_else(wrong);
    let precision = precision.map(number).transpose()?;
    let width = if width.is_empty() { 0 } else { number(width)? };
    match letter {
        'n' if inner.is_empty() && !left => {}
        's' | 'S' | '%' if !left || width > 0 => {}
        'd' | 'x' | 'o' | 'c' | 'f' | 'e' => return Err(EvalError::new(1000, format!("{letter} != java.lang.String"))),
        _ => return Err(wrong()),
    }
    Ok(Specifier { text: written, index, again, left, width, precision, letter })
}

/// Adds a text in the width of its specifier.
fn pad(line: &mut String, text: &str, specifier: &Specifier<'_>) {
    let shown: String = text.chars().take(specifier.precision.unwrap_or(usize::MAX)).collect();
    let missing = specifier.width.saturating_sub(shown.chars().count());
    let space = " ".repeat(missing);
    let (before, after) = if specifier.left { ("", &*space) } else { (&*space, "") };
    line.push_str(before);
    line.push_str(&shown);
    line.push_str(after);
}

#[cfg(test)]
mod tests {
    use super::filled;

    #[test]
    fn templates_are_filled_as_in_java() {
        let values = ["1".to_string(), "\"a\"".to_string()];
        let text = |template| filled(template, &values).map_err(|e| e.message);
        assert_eq!(text("%s,%s").as_deref(), Ok("1,\"a\""));
        assert_eq!(text("%2$s;%1$s;").as_deref(), Ok("\"a\";1;"));
        assert_eq!(text("100%% %s").as_deref(), Ok("100% 1"));
        assert_eq!(text("%3s|%-3s|%S").as_deref().ok(), None);
        assert_eq!(text("%3s|%-5s|").as_deref(), Ok("  1|\"a\"  |"));
        assert_eq!(text("%s%<s%n").as_deref(), Ok("11\n"));
        assert_eq!(text("%2$.2S").as_deref(), Ok("\"A"));
        assert!(text("%s%s%s").is_err());
        assert!(text("%d").is_err());
        assert!(text("%").is_err());
        assert!(text("%0$s").is_err());
        assert!(text("%9999999999s").is_err());
        assert!(text("%é").is_err());
    }
}
