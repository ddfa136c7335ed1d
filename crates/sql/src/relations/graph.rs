//! Questions about the graph, answered by the analyses: never by recursive SQL.

use super::function::{Function, object};
use crate::relation::RowsError;
use crate::relations::listed::RowValues;
use crate::source::QuerySource;
use crate::value::{SqlType, object_of_id};
use heaplens_analysis::paths::{PathOptions, paths};
use heaplens_base::Task;
use heaplens_graph::Bits;
use heaplens_heap::{ExcludedReferences, ObjectId, reach::reached};
use heaplens_tables::columns::Value;

pub(super) const OF: (&str, SqlType) = ("of", SqlType::Object);
pub(super) const ID: (&str, SqlType, &str) = ("id", SqlType::Object, "The object");
pub(super) const CLASS: (&str, SqlType, &str) = ("class", SqlType::Text, "Its class");
pub(super) const SHALLOW: (&str, SqlType, &str) = ("shallow_bytes", SqlType::Bytes, "Bytes of the object itself");
const RETAINED: (&str, SqlType, &str) = ("retained_bytes", SqlType::Bytes, "Bytes freed if it were collected");

pub(super) const PATH: Function = Function {
    name: "path",
    about: "Shortest path from a GC root to an object: why it is alive",
    columns: &[
        ("step", SqlType::Integer, "Position on the path, from 0 at the root"),
        ID,
        CLASS,
        ("label", SqlType::Text, "Short text that identifies it"),
        ("reference", SqlType::Text, "Field or element through which the previous object refers to it"),
        SHALLOW,
        RETAINED,
        ("root", SqlType::Text, "Why the first object is a GC root"),
    ],
    arguments: &[OF],
    compute: |source, arguments, task| {
        let Some(object) = object(source, "path", arguments)? else { return Ok(Vec::new()) };
        let (heap, analysis) = (source.heap(), source.analysis());
        let options =
            PathOptions::default().min_strength(analysis.rules.min_strength).max_listed_at_end(usize::MAX / 2);
        let reached = paths(source.data(), object, options, task)?;
        let Some(path) = reached.into_iter().next() else { return Ok(Vec::new()) };
        let kind = path.root_kind;
        let row = |(step, reached): (i64, heaplens_analysis::PathStep)| {
            vec![
                Value::Integer(step),
                Value::object(heap, reached.object),
                Value::text(reached.class),
                Value::optional(reached.label, Value::text),
                Value::optional(reached.reference, Value::text),
                Value::Bytes(reached.shallow),
                Value::Bytes(reached.retained),
                if step == 0 { Value::text(kind.name()) } else { Value::Null },
            ]
        };
        Ok((0..).zip(path.steps).map(row).collect())
    },
};

pub(super) const DOMINATORS: Function = Function {
    name: "dominators",
    about: "Objects that dominate an object, the immediate dominator first",
    columns: &[("level", SqlType::Integer, "1 is the immediate dominator"), ID, CLASS, SHALLOW, RETAINED],
    arguments: &[OF],
    compute: |source, arguments, task| {
        let (heap, analysis) = (source.heap(), source.analysis());
        let mut rows = Vec::new();
        let mut at = object(source, "dominators", arguments)?;
        while let Some(above) = at.and_then(|object| analysis.shown_immediate_dominator(heap, object)) {
            task.checkpoint_at(rows.len())?;
            let level = Value::Count(rows.len() as u64 + 1);
            rows.push([level].into_iter().chain(of_object(source, above)).collect());
            at = Some(above);
        }
        Ok(rows)
    },
};

pub(super) const RETAINED_SET: Function = Function {
    name: "retained_set",
    about: "Objects that an object retains; of ids in a text, '0x1,0x2', those that all of them retain together",
    columns: &[ID, CLASS, SHALLOW, RETAINED],
    arguments: &[OF],
    compute: |source, arguments, task| {
        let analysis = source.analysis();
        if let Some(Value::Text(ids)) = arguments.first()
            && ids.contains(',')
        {
            return retained_together(source, ids, task);
        }
        let object = object(source, "retained_set", arguments)?;
        let Some(preorders) = object.and_then(|object| analysis.subtree(object)) else { return Ok(Vec::new()) };
        let mut rows = Vec::with_capacity(preorders.len());
        for preorder in preorders {
            task.checkpoint_at(rows.len())?;
            rows.extend(analysis.at_preorder(preorder).map(|reached| of_object(source, reached)));
        }
        Ok(rows)
    },
};

/// The objects that only several objects hold, together: what no path reaches that avoids all of them.
fn retained_together(source: &QuerySource, ids: &str, task: &Task) -> Result<Vec<RowValues>, RowsError> {
    let (heap, analysis) = (source.heap(), source.analysis());
    let mut set = Bits::new(heap.len());
    for (at, id) in ids.split(',').map(str::trim).enumerate() {
        task.checkpoint_at(at)?;
        let named = id.parse().map_or_else(|_| heap.find(id), |number| object_of_id(heap, number));
        let Some(object) = named else {
            return Err(RowsError::Message(format!("retained_set: the dump has no object {id}")));
        };
        set.insert(object.raw());
    }
    let (roots, strength) = (analysis.roots().objects(), analysis.rules.min_strength);
    let left = reached(heap, roots, strength, &ExcludedReferences::objects(set), task)?;
    let mut rows = Vec::new();
    for object in heap.objects() {
        task.checkpoint_at(object.index())?;
        if !left.contains(object.raw()) && analysis.is_reachable(object) {
            rows.push(of_object(source, object));
        }
    }
    Ok(rows)
}

pub(super) const REACHABLE_FROM: Function = Function {
    name: "reachable_from",
    about: "Objects that references lead to from an object, itself included, nearest first",
    columns: &[ID, CLASS, SHALLOW, RETAINED, ("distance", SqlType::Integer, "Number of references from the object")],
    arguments: &[OF],
    compute: |source, arguments, task| {
        let heap = source.heap();
        let mut level: Vec<ObjectId> = object(source, "reachable_from", arguments)?.into_iter().collect();
        let mut met = Bits::new(heap.len());
        met.extend(level.iter().map(|object| object.raw()));
        let (mut rows, mut distance) = (Vec::new(), 0);
        while !level.is_empty() {
            let mut next = Vec::new();
            for &from in &level {
                task.checkpoint_at(rows.len())?;
                let last = Value::Integer(distance);
                rows.push(of_object(source, from).into_iter().chain([last]).collect());
                let targets = heap.references(from).iter().filter(|&&to| (to as usize) < heap.len() && met.insert(to));
                next.extend(targets.copied().filter_map(ObjectId::from_raw));
            }
            (level, distance) = (next, distance + 1);
        }
        Ok(rows)
    },
};

/// Id, class and sizes of an object.
fn of_object(source: &QuerySource, object: ObjectId) -> RowValues {
    let heap = source.heap();
    vec![
        Value::object(heap, object),
        Value::text(heap.class(object).name.to_string()),
        Value::Bytes(heap.shallow(object)),
        Value::Bytes(source.analysis().retained(object)),
    ]
}
