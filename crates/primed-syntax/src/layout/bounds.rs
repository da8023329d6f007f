//! Whether what stands in brackets is a bound.

use crate::layout::Layout;
use crate::token::Tok;

/// Tokens of the path of an EXCEPT that are walked back; a longer one is taken for a path, so that the pass stays linear.
const MOST: usize = 1_000;

impl Layout<'_> {
    /// Behind a `[` that follows an operand: SANY takes `x \in S`, `x, y \in S` and `<<x, y>> \in S` for the bound of a function that
    /// is constructed, and then misses the arrow. It is one where a function is defined, and none in the path of an EXCEPT.
    pub(super) fn argument_is_a_bound(&self) -> bool {
        let mut ahead = 0;
        match self.peek(0) {
            Some(Tok::LAngle) => match self.closing(0, Tok::LAngle, Tok::RAngle) {
                Some(close) => ahead = close + 1,
                None => return false,
            },
            Some(Tok::Ident) => {
                ahead += 1;
                while self.peek(ahead) == Some(Tok::Comma) && self.peek(ahead + 1) == Some(Tok::Ident) {
                    ahead += 2;
                }
            }
            _ => return false,
        }
        let is_bound = matches!(self.peek(ahead), Some(Tok::Infix(o)) if o.symbol == "\\in");
        is_bound && !self.function_is_defined() && !self.is_path_of_except()
    }

    /// The token, counted from the next one, that closes the one `from`.
    fn closing(&self, from: usize, open: Tok, close: Tok) -> Option<usize> {
        let mut depth = 0_usize;
        let mut at = from;
        loop {
            let tok = self.peek(at)?;
            if tok == open {
                depth += 1;
            } else if tok == close {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    return Some(at);
                }
            }
            at += 1;
        }
    }

    /// `f[x \in S] == e`, whose `[` was read last.
    fn function_is_defined(&self) -> bool {
        let mut depth = 1_usize;
        let mut at = 0;
        while let Some(tok) = self.peek(at) {
            match tok {
                Tok::LBracket => depth += 1,
                Tok::RBracket | Tok::RBracketSub => depth -= 1,
                _ => {}
            }
            at += 1;
            if depth == 0 {
                return self.peek(at) == Some(Tok::DefEq);
            }
        }
        false
    }

    /// The `[` that was read last stands in `!.a[i]` or `![i][j]`.
    fn is_path_of_except(&self) -> bool {
        let tok = |at: usize| self.tokens.get(at).map(|t| t.tok);
        // The token before the bracket.
        let Some(mut at) = self.next.checked_sub(2) else { return false };
        let last = at;
        loop {
            if last - at > MOST {
                return true;
            }
            match tok(at) {
                Some(Tok::Bang) => return true,
                Some(Tok::RBracket) => {
                    let mut depth = 0_usize;
                    loop {
                        match tok(at) {
                            Some(Tok::RBracket) => depth += 1,
                            Some(Tok::LBracket) => depth -= 1,
                            _ => {}
                        }
                        let Some(before) = at.checked_sub(1).filter(|_| last - at <= MOST) else {
                            return last - at > MOST;
                        };
                        at = before;
                        if depth == 0 {
                            break;
                        }
                    }
                }
                Some(Tok::Ident) if at > 1 && tok(at - 1) == Some(Tok::Dot) => at -= 2,
                _ => return false,
            }
        }
    }
}
