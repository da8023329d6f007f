//! What the modules Graphs and UndirectedGraphs of the Community Modules give over to Java: their definitions quantify over the
//! infinite set of paths.

use primed_value::error::EvalError;
use primed_value::host::Result;
use primed_value::limits::check_size;
use primed_value::value::Value;
use primed_value::{build, functions, sets};

use super::complaints::argument;
use super::{Entry, Native, pure};
use crate::env::Env;

/// Module Graphs.
pub(super) const GRAPHS: &[Entry] = &[
    pure("SimplePath", Native::One(|e, g| simple_paths(e, Kind::Directed, g))),
    pure("AreConnectedIn", Native::Three(|e, m, n, g| are_connected(e, Kind::Directed, [m, n], g))),
    pure("IsStronglyConnected", Native::One(is_strongly_connected)),
];

/// Module UndirectedGraphs.
pub(super) const UNDIRECTED_GRAPHS: &[Entry] = &[
    pure("SimplePath", Native::One(|e, g| simple_paths(e, Kind::Undirected, g))),
    pure("AreConnectedIn", Native::Three(|e, m, n, g| are_connected(e, Kind::Undirected, [m, n], g))),
    pure("ConnectedComponents", Native::One(connected_components)),
];

/// How an edge is written.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// `<<from, to>>`.
    Directed,
    /// `{one, other}`, or `{one}` for a loop.
    Undirected,
}

impl Kind {
    fn name(self) -> &'static str {
        match self {
            Kind::Directed => "graph",
            Kind::Undirected => "undirected graph",
        }
    }

    /// The two ends; `None` for what can be no edge, which is passed over.
    fn ends<'a>(self, env: &mut Env<'a>, edge: Value<'a>) -> Result<Option<[Value<'a>; 2]>> {
        if self == Kind::Directed {
            return Ok(match functions::as_sequence(env, edge) {
                Some([from, to]) => Some([*from, *to]),
                _ => None,
            });
        }
        if !sets::is_set(edge) || !sets::is_enumerable(edge) {
            return Ok(None);
        }
        Ok(match sets::elements(env, edge)? {
            [one] => Some([*one, *one]),
            [one, other] => Some([*one, *other]),
            _ => None,
        })
    }
}

/// A graph: its nodes in order, and for each the places of those that an edge leads to, in the order of the edges.
struct Graph<'a> {
    nodes: &'a [Value<'a>],
    next: Vec<Vec<usize>>,
}

impl<'a> Graph<'a> {
    /// Reads the argument that is called `which` in complaints (2169) of the operator.
    fn read(env: &mut Env<'a>, kind: Kind, (operator, which): (&str, &str), value: Value<'a>) -> Result<Graph<'a>> {
        let wrong = |env: &mut Env<'a>, detail: &str| -> Box<EvalError> {
            argument(env, which, operator, &format!("{} {detail}", kind.name()), value)
        };
        let record = functions::force(env, value)?;
        if !matches!(record, Value::Record(_)) {
            return Err(wrong(env, "record with a node and an edge field"));
        }
        let field = |env: &mut Env<'a>, name: &str| {
            let key = build::string(env, name);
            match functions::lookup(env, record, key)? {
                Some(set) if sets::is_set(set) && sets::is_enumerable(set) => sets::elements(env, set),
                _ => Err(wrong(env, &format!("record whose {name} field is a set"))),
            }
        };
        let (nodes, edges) = (field(env, "node")?, field(env, "edge")?);
        let mut next = vec![Vec::new(); nodes.len()];
        for edge in edges {
            let Some([from, to]) = kind.ends(env, *edge)? else { continue };
            let (Some(from), Some(to)) = (sets::position(env, nodes, from)?, sets::position(env, nodes, to)?) else {
                continue;
            };
            next[from].push(to);
            if kind == Kind::Undirected && from != to {
                next[to].push(from);
            }
        }
        Ok(Graph { nodes, next })
    }

    /// Which nodes a path leads to from this one; itself among them.
    fn reachable(&self, from: usize) -> Vec<bool> {
        let mut reached = vec![false; self.nodes.len()];
        reached[from] = true;
        let mut frontier = vec![from];
        while let Some(node) = frontier.pop() {
            for next in &self.next[node] {
                if !std::mem::replace(&mut reached[*next], true) {
                    frontier.push(*next);
                }
            }
        }
        reached
    }

    /// Every edge turned round.
    fn transposed(&self) -> Graph<'a> {
        let mut next = vec![Vec::new(); self.nodes.len()];
        for (from, targets) in self.next.iter().enumerate() {
            targets.iter().for_each(|to| next[*to].push(from));
        }
        Graph { nodes: self.nodes, next }
    }
}

/// `SimplePath(G)`: the paths on which no node occurs twice.
fn simple_paths<'a>(env: &mut Env<'a>, kind: Kind, graph: Value<'a>) -> Result<Value<'a>> {
    let graph = Graph::read(env, kind, ("SimplePath", "first"), graph)?;
    let mut paths = Vec::new();
    for start in 0..graph.nodes.len() {
        // Each node of the path with the number of its edges that have been followed.
        let mut path = vec![(start, 0)];
        let mut on_path = vec![false; graph.nodes.len()];
        on_path[start] = true;
        while let Some((_, followed)) = path.last() {
            if *followed == 0 {
                check_size(env, paths.len() + 1)?;
                let nodes: Vec<Value<'a>> = path.iter().map(|(node, _)| graph.nodes[*node]).collect();
                paths.push(build::tuple_vec(env, nodes));
            }
            let Some((node, followed)) = path.last_mut() else { break };
            match graph.next[*node].get(*followed) {
                Some(next) => {
                    *followed += 1;
                    if !std::mem::replace(&mut on_path[*next], true) {
                        path.push((*next, 0));
                    }
                }
                None => {
                    on_path[*node] = false;
                    path.pop();
                }
            }
        }
    }
    build::set(env, paths)
}

/// `AreConnectedIn(m, n, G)`: a path leads from m to n.
fn are_connected<'a>(env: &mut Env<'a>, kind: Kind, ends: [Value<'a>; 2], graph: Value<'a>) -> Result<Value<'a>> {
    let graph = Graph::read(env, kind, ("AreConnectedIn", "third"), graph)?;
    let [from, to] = ends;
    let Some(from) = sets::position(env, graph.nodes, from)? else { return Ok(Value::Bool(false)) };
    let Some(to) = sets::position(env, graph.nodes, to)? else { return Ok(Value::Bool(false)) };
    Ok(Value::Bool(graph.reachable(from)[to]))
}

/// `IsStronglyConnected(G)`: every node reaches every other.
fn is_strongly_connected<'a>(env: &mut Env<'a>, graph: Value<'a>) -> Result<Value<'a>> {
    let graph = Graph::read(env, Kind::Directed, ("IsStronglyConnected", "first"), graph)?;
    let everywhere = |graph: &Graph<'a>| graph.reachable(0).into_iter().all(|reached| reached);
    Ok(Value::Bool(graph.nodes.is_empty() || (everywhere(&graph) && everywhere(&graph.transposed()))))
}

/// `ConnectedComponents(G)`: the largest sets of nodes that are connected among themselves.
fn connected_components<'a>(env: &mut Env<'a>, graph: Value<'a>) -> Result<Value<'a>> {
    let graph = Graph::read(env, Kind::Undirected, ("ConnectedComponents", "first"), graph)?;
    let mut seen = vec![false; graph.nodes.len()];
    let mut components = Vec::new();
    for node in 0..graph.nodes.len() {
        if seen[node] {
            continue;
        }
        let reached = graph.reachable(node);
        let members: Vec<Value<'a>> = graph.nodes.iter().zip(&reached).filter(|(_, r)| **r).map(|(n, _)| *n).collect();
        seen.iter_mut().zip(reached).for_each(|(seen, reached)| *seen |= reached);
        let members = env.copied(&members);
        components.push(build::set_sorted(env, members));
    }
    build::set(env, components)
}
