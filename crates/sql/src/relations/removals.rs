//! Removals of references: what they would free, as a sum and object by object.

use super::function::{Function, object};
use super::graph::{CLASS, ID, OF, SHALLOW};
use crate::relation::RowsError;
use crate::source::QuerySource;
use crate::value::SqlType;
use heaplens_analysis::Cut;
use heaplens_analysis::cuts::{SMALLEST_LIMIT, SmallestCut, smallest_cut, what_if, what_if_with_objects};
use heaplens_analysis::naming::Unresolved;
use heaplens_base::Task;
use heaplens_tables::columns::Value;

/// Names of references that a function takes, one or more.
const CUTS: [(&str, SqlType); 8] = [
    ("cut", SqlType::Text),
    ("cut2", SqlType::Text),
    ("cut3", SqlType::Text),
    ("cut4", SqlType::Text),
    ("cut5", SqlType::Text),
    ("cut6", SqlType::Text),
    ("cut7", SqlType::Text),
    ("cut8", SqlType::Text),
];

pub(super) const FREED_BY: Function = Function {
    name: "freed_by",
    about: "Objects that removing references would free: freed_by('Class.field'), freed_by('A.x', 'B.y')",
    columns: &[ID, CLASS, SHALLOW],
    arguments: &CUTS,
    compute: |source, arguments, task| {
        let heap = source.heap();
        let cuts = cuts(source, "freed_by", arguments, task)?;
        let freed = what_if_with_objects(source.data(), &cuts, task)?.freed;
        let freed = freed.list(source.data().analysis, task)?;
        let row = |object| {
            let class = Value::text(heap.class(object).name.to_string());
            vec![Value::object(heap, object), class, Value::Bytes(heap.shallow(object))]
        };
        Ok(freed.into_iter().map(row).collect())
    },
};

pub(super) const WHAT_IF: Function = Function {
    name: "what_if",
    about: "What removing references would free, as sums: what_if('Class.field'), what_if('A.x', 'B.y')",
    columns: &[
        ("objects", SqlType::Integer, "Number of objects freed"),
        ("bytes", SqlType::Bytes, "Bytes freed"),
        ("cut_references", SqlType::Integer, "Number of references removed"),
        ("still_held_bytes", SqlType::Bytes, "Bytes that other references still hold"),
        ("other_references", SqlType::Integer, "Number of these references"),
    ],
    arguments: &CUTS,
    compute: |source, arguments, task| {
        let effect = what_if(source.data(), &cuts(source, "what_if", arguments, task)?, task)?;
        Ok(vec![vec![
            Value::Count(effect.freed.objects),
            Value::Bytes(effect.freed.shallow),
            Value::Count(effect.references),
            Value::Bytes(effect.still_held.shallow),
            Value::Count(effect.other_references),
        ]])
    },
};

pub(super) const SMALLEST_CUT: Function = Function {
    name: "smallest_cut",
    about: "The fewest references without which an object is freed: smallest_cut('0x…')",
    columns: &[
        ("cut", SqlType::Text, "The reference, as --cut and freed_by() take it"),
        ("holder_id", SqlType::Object, "Object that has the reference"),
        ("holder_class", SqlType::Text, "Its class"),
        ("target_id", SqlType::Object, "Object that it leads to"),
    ],
    arguments: &[OF],
    compute: |source, arguments, task| {
        let (heap, namer) = (source.heap(), source.namer(task)?);
        let Some(object) = object(source, "smallest_cut", arguments)? else { return Ok(Vec::new()) };
        let cuts = match smallest_cut(source.data(), object, task)? {
            SmallestCut::References(cuts) => cuts,
            SmallestCut::AlwaysAlive => {
                let why = "the object is a GC root or a class: no removal of references frees it";
                return Err(RowsError::Message(why.to_owned()));
            }
            SmallestCut::HeldByEngine => {
                let why = "the engine holds the object, too: no removal of references of the program frees it";
                return Err(RowsError::Message(why.to_owned()));
            }
            SmallestCut::TooMany => {
                let why = format!("more than {SMALLEST_LIMIT} references must be removed, or the search is too large");
                return Err(RowsError::Message(why));
            }
        };
        let mut rows = Vec::new();
        for cut in cuts {
            let Cut::Reference { from, to } = cut else { continue };
            let class = Value::text(heap.class(from).name.to_string());
            let name = Value::text(namer.cut_name(&cut, task)?);
            rows.push(vec![name, Value::object(heap, from), class, Value::object(heap, to)]);
        }
        Ok(rows)
    },
};

/// The references that the arguments of a function name.
fn cuts(
    source: &QuerySource,
    function: &str,
    arguments: &[Value<'static>],
    task: &Task,
) -> Result<Vec<Cut>, RowsError> {
    let (namer, mut cuts) = (source.namer(task)?, Vec::new());
    for argument in arguments.iter().filter(|argument| !matches!(argument, Value::Null)) {
        let Value::Text(text) = argument else { break };
        cuts.push(namer.resolve_cut(text, task).map_err(|unresolved| match unresolved {
            Unresolved::Cancelled => RowsError::Cancelled,
            why => RowsError::Message(why.to_string()),
        })?);
    }
    if cuts.is_empty() {
        let why = "needs references, objects or classes as texts";
        return Err(RowsError::Message(format!("{function} {why}: {function}('app.Cache.entries')")));
    }
    Ok(cuts)
}
