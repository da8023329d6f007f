//! Modules in the file of the root module (a monolith): where no file has a module's name, newer versions of SANY cut it out of
//! that file, line by line.

use hashbrown::HashMap;
use primed_syntax::span::SourceFile;

/// Where the root's file has the headers of modules, and where what is cut out ends.
pub(super) struct Within {
    /// By the module's name: the first of its headers that is a line by itself.
    headers: HashMap<String, usize>,
    /// The ends of lines that begin with `====`, in order.
    ends: Vec<usize>,
    left: usize,
}

/// The most bytes that are cut out of a file: modules may stand inside of each other's comments.
const MAX_CUT: usize = 64 << 20;

impl Within {
    pub(super) fn new(root: &SourceFile) -> Within {
        let (mut headers, mut ends, mut at) = (HashMap::new(), Vec::new(), 0);
        for line in root.text().split_inclusive(['\n', '\r']) {
            if let Some(name) = header(line.trim_end_matches(['\n', '\r'])) {
                headers.entry_ref(name).or_insert(at);
            }
            at += line.len();
            if line.starts_with("====") {
                ends.push(at);
            }
        }
        Within { headers, ends, left: MAX_CUT }
    }

    /// The module of this name: from its header to the next line that begins with `====`, whichever module that ends. Places
    /// in it count from its header, as SANY's do.
    pub(super) fn module(&mut self, root: &SourceFile, name: &str) -> Option<SourceFile> {
        let start = *self.headers.get(name)?;
        let end = self.ends.get(self.ends.partition_point(|e| *e <= start)).copied().unwrap_or(root.text().len());
        self.left = self.left.checked_sub(end - start)?;
        Some(SourceFile::new(format!("{}/{name}.tla", root.name()), root.text().get(start..end)?))
    }
}

/// Whether this is the text of a module in another one's file.
pub(super) fn is_cut_out(file: &SourceFile) -> bool {
    file.name().rsplit_once(['/', '\\']).is_some_and(|(folder, _)| folder.ends_with(".tla"))
}

/// The name in a line that is the header of a module: `----...MODULE name ---...`, with blanks around the words only.
fn header(line: &str) -> Option<&str> {
    let blank = |c: char| matches!(c, ' ' | '\t' | '\u{b}' | '\u{c}');
    let words = line.trim_start_matches('-');
    let rest = words.trim_start_matches(blank).strip_prefix("MODULE").filter(|_| line.len() - words.len() >= 4)?;
    let name = rest.trim_start_matches(blank);
    let end = name.trim_end_matches('-');
    let good = name.len() < rest.len() && name.len() - end.len() >= 3;
    Some(end.trim_end_matches(blank)).filter(|n| good && !n.is_empty())
}
