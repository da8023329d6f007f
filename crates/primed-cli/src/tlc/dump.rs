//! `-dump`: all states in a file, or the state graph in the language of GraphViz.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use primed::{Graph, GraphState, GraphStep};

/// A file that the states go to.
pub(crate) enum Writer {
    Plain(Plain),
    Dot(Box<Dot>),
}

impl Writer {
    /// Opens the file, for GraphViz if there are TLC's words for what is shown (none, for the plain form).
    ///
    /// # Errors
    /// If it cannot be written.
    pub(crate) fn open(file: &Path, dot: Option<Vec<String>>) -> io::Result<Writer> {
        let out = BufWriter::new(File::create(file)?);
        Ok(match &dot {
            None => Writer::Plain(Plain { out, trouble: None }),
            Some(flags) => {
                let has = |flag: &str| flags.iter().any(|f| f == flag);
                let mut dot = Dot::new(out, has("colorize"), has("actionlabels"), has("constrained"));
                dot.once = has("strict").then(Default::default);
                dot.stuttering = has("stuttering");
                dot.copy = has("snapshot").then(|| snapshot(file)).map(|copy| (file.to_path_buf(), copy));
                dot.put(&dot.head());
                Writer::Dot(Box::new(dot))
            }
        })
    }

    /// Writes the end.
    ///
    /// # Errors
    /// The first that there was while writing.
    pub(crate) fn finish(&mut self) -> io::Result<()> {
        match self {
            Writer::Plain(plain) => plain.trouble.take().map_or_else(|| plain.out.flush(), Err),
            Writer::Dot(dot) => {
                let tail = dot.tail();
                dot.put(&tail);
                dot.trouble.take().map_or_else(|| dot.out.flush(), Err)?;
                dot.copy.take().map_or(Ok(()), |(file, copy)| std::fs::copy(file, copy).map(drop))
            }
        }
    }
}

impl Graph for Writer {
    fn state(&mut self, state: &GraphState<'_>) {
        match self {
            Writer::Plain(plain) => plain.state(state),
            Writer::Dot(dot) => dot.state(state),
        }
    }

    fn step(&mut self, step: &GraphStep<'_>) {
        if let Writer::Dot(dot) = self {
            dot.step(step);
        }
    }
}

/// `State N:` and its variables.
pub(crate) struct Plain {
    out: BufWriter<File>,
    trouble: Option<io::Error>,
}

impl Plain {
    fn state(&mut self, state: &GraphState<'_>) {
        if state.inside && self.trouble.is_none() {
            self.trouble = writeln!(self.out, "State {}:\n{}", state.number, text(state.values)).err();
        }
    }
}

/// A state as TLC prints it.
fn text(values: &[(String, String)]) -> String {
    match values {
        [(name, value)] => format!("{name} = {value}\n"),
        values => values.iter().map(|(name, value)| format!("/\\ {name} = {value}\n")).collect(),
    }
}

/// The state graph, with the words of TLC.
pub(crate) struct Dot {
    out: BufWriter<File>,
    trouble: Option<io::Error>,
    /// Steps get a colour for each action.
    colors: bool,
    /// Steps get the names of their actions.
    labels: bool,
    /// States outside the constraints are shown.
    constrained: bool,
    /// Each state has a step to itself, as TLC shows it where temporal properties are checked.
    stuttering: bool,
    /// The file and the one to which it is copied.
    copy: Option<(PathBuf, PathBuf)>,
    /// Between two states one step is enough; those that were written.
    once: Option<std::collections::HashSet<(u64, u64)>>,
    actions: BTreeMap<String, usize>,
    levels: BTreeMap<u64, Vec<u64>>,
    /// States that are not shown.
    hidden: std::collections::HashSet<u64>,
    /// The step that was found last, until it is clear whether the state that it leads to is shown.
    pending: Option<(u64, String)>,
    known: u64,
}

/// The colours that GraphViz has under one name.
const SCHEME: &str = "paired12";

impl Dot {
    fn new(out: BufWriter<File>, colors: bool, labels: bool, constrained: bool) -> Dot {
        Dot {
            out,
            trouble: None,
            colors,
            labels,
            constrained,
            stuttering: false,
            copy: None,
            once: None,
            actions: BTreeMap::new(),
            levels: BTreeMap::new(),
            hidden: Default::default(),
            pending: None,
            known: 0,
        }
    }

    fn put(&mut self, text: &str) {
        if self.trouble.is_none() {
            self.trouble = self.out.write_all(text.as_bytes()).err();
        }
    }

    fn head(&self) -> String {
        let colors = if self.colors { format!("edge [colorscheme=\"{SCHEME}\"]\n") } else { String::new() };
        format!(
            "strict digraph DiskGraph {{\nnode [shape=box,style=rounded]\n{colors}nodesep=0.35;\nsubgraph cluster_graph \
             {{\ncolor=\"white\";\n"
        )
    }

    fn tail(&self) -> String {
        let mut text = String::new();
        for states in self.levels.values() {
            let states: String = states.iter().map(|n| format!("{n};")).collect();
            text.push_str(&format!("{{rank = same; {states}}}\n"));
        }
        text.push_str("}\n");
        if self.colors && self.actions.len() > 1 {
            text.push_str(
                "subgraph cluster_legend {graph[style=bold];label = \"Next State Actions\" style=\"solid\"\n",
            );
            text.push_str(&format!("node [ labeljust=\"l\",colorscheme=\"{SCHEME}\",style=filled,shape=record ]\n"));
            for (action, color) in &self.actions {
                let node = action.replace('!', ":");
                text.push_str(&format!("{node} [label=\"{action}\",fillcolor={color}]\n"));
            }
            text.push('}');
        }
        text.push('}');
        text
    }

    fn state(&mut self, state: &GraphState<'_>) {
        self.known = self.known.max(state.number);
        let step = self.pending.take().map(|(_, step)| step).unwrap_or_default();
        if !state.inside && !self.constrained {
            self.hidden.insert(state.number);
            return;
        }
        self.put(&step);
        let label = escaped(&text(state.values));
        let number = state.number;
        let line = match (state.level, state.inside) {
            (1, _) => format!("{number} [label=\"{label}\",style = filled]\n"),
            (_, true) => format!("{number} [label=\"{label}\",tooltip=\"{label}\"];\n"),
            (_, false) => {
                format!("{number} [label=\"{label}\",tooltip=\"{label}\",style = filled, fillcolor=lightyellow];\n")
            }
        };
        self.put(&line);
        if self.stuttering && state.inside {
            self.put(&format!("{number} -> {number} [style=\"dashed\",color=\"lightgray\"];\n"));
        }
        self.levels.entry(state.level).or_default().push(number);
    }

    fn step(&mut self, step: &GraphStep<'_>) {
        if self.hidden.contains(&step.to) || self.once.as_mut().is_some_and(|o| !o.insert((step.from, step.to))) {
            return;
        }
        let color = match self.colors {
            true => self.color(step.action.unwrap_or("UnnamedAction")).to_string(),
            false => "black".into(),
        };
        let label = if self.labels { escaped(step.signature) } else { String::new() };
        let line =
            format!("{} -> {} [label=\"{label}\",color=\"{color}\",fontcolor=\"{color}\"];\n", step.from, step.to);
        if step.to > self.known {
            self.pending = Some((step.to, line));
        } else {
            self.put(&line);
        }
    }

    /// The action's colour, from 2 on in the order in which actions are met.
    fn color(&mut self, action: &str) -> usize {
        let next = self.actions.len() + 2;
        *self.actions.entry(action.to_owned()).or_insert(next)
    }
}

/// Where TLC keeps a graph that is complete at any time: here it is written once, at the end.
fn snapshot(file: &Path) -> PathBuf {
    PathBuf::from(file.to_string_lossy().replace(".dot", "_snapshot.dot"))
}

/// Text within quotation marks.
fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"").trim().replace('\n', "\\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(name: &str, flags: Option<&[&str]>) -> String {
        let file = std::env::temp_dir().join(format!("primed-dump-{}-{name}", std::process::id()));
        let flags = flags.map(|f| f.iter().map(ToString::to_string).collect());
        let mut writer = Writer::open(&file, flags).unwrap();
        let values = [("x".to_owned(), "\"a\\b\"".to_owned())];
        writer.state(&GraphState { number: 1, level: 1, inside: true, values: &values });
        writer.step(&GraphStep { from: 1, to: 2, action: Some("Go"), signature: "Go(1)" });
        writer.state(&GraphState { number: 2, level: 2, inside: true, values: &values });
        writer.step(&GraphStep { from: 2, to: 3, action: Some("Out"), signature: "Out" });
        writer.state(&GraphState { number: 3, level: 3, inside: false, values: &values });
        writer.step(&GraphStep { from: 2, to: 1, action: Some("Back"), signature: "Back" });
        writer.finish().unwrap();
        let text = std::fs::read_to_string(&file).unwrap();
        std::fs::remove_file(&file).unwrap();
        text
    }

    #[test]
    fn the_plain_form_lists_states() {
        assert_eq!(written("plain", None), "State 1:\nx = \"a\\b\"\n\nState 2:\nx = \"a\\b\"\n\n");
    }

    #[test]
    fn the_graph_has_what_was_asked_for() {
        let label = r#"x = \"a\\b\""#;
        let plain = written("dot", Some(&[]));
        assert!(plain.starts_with("strict digraph DiskGraph {\nnode [shape=box,style=rounded]\nnodesep=0.35;\n"));
        let first = format!("1 [label=\"{label}\",style = filled]\n1 -> 2 [label=\"\",color=\"black\"");
        assert!(plain.contains(&first), "{plain}");
        assert!(!plain.contains("-> 3") && plain.ends_with("{rank = same; 1;}\n{rank = same; 2;}\n}\n}"), "{plain}");
        let loops = written("loops", Some(&["stuttering"]));
        assert!(loops.contains("2 -> 2 [style=\"dashed\",color=\"lightgray\"];\n"), "{loops}");
        let all = written("all", Some(&["colorize", "actionlabels", "constrained"]));
        assert!(all.contains("1 -> 2 [label=\"Go(1)\",color=\"2\",fontcolor=\"2\"];\n"), "{all}");
        assert!(all.contains("fillcolor=lightyellow") && all.contains("Back [label=\"Back\",fillcolor=4]"), "{all}");
    }
}
