//! `refs`: one row for each reference between objects, as the references of the heap are counted. References of objects
//! to their classes are not among them.

use std::cell::OnceCell;
use std::sync::Arc;

use rustc_hash::FxHashMap;

use crate::relation::{
    Access, ColumnRole, Comparison, Constraint, Plan, Rows, RowsError, SortedBy, SqlColumn, SqlRelation,
};
use crate::source::QuerySource;
use crate::value::{SqlType, object_of_id};
use heaplens_analysis::Direction;
use heaplens_analysis::references::references;
use heaplens_base::{Cancelled, Task};
use heaplens_heap::{ObjectId, ReferenceName};
use heaplens_tables::columns::Value;

/// Places of the columns; the last three are other names of the first, second and fourth.
const SOURCE: usize = 0;
const TARGET: usize = 1;
const FIELD: usize = 2;
const POSITION: usize = 3;
const STRENGTH: usize = 4;
const ALIASES: [usize; 3] = [SOURCE, TARGET, POSITION];

/// The table.
pub(crate) struct References {
    source: Arc<QuerySource>,
    columns: Vec<SqlColumn>,
}

impl References {
    pub(crate) fn new(source: Arc<QuerySource>) -> Self {
        let shown = SqlColumn::shown;
        let alias = |name, kind, about| shown(name, kind, about).with_role(ColumnRole::Alias);
        let columns = vec![
            shown("source", SqlType::Object, "The object that refers"),
            shown("target", SqlType::Object, "The object referred to"),
            shown("field", SqlType::Text, "Name of the field, or index of the element in brackets"),
            shown("position", SqlType::Integer, "Position among the references of its object, from 0"),
            shown("strength", SqlType::Text, "strong, soft, weak, phantom or finalizer"),
            alias("from", SqlType::Object, "Another name of source"),
            alias("to", SqlType::Object, "Another name of target"),
            alias("index", SqlType::Integer, "Another name of position"),
        ];
        Self { source, columns }
    }
}

fn meant(column: usize) -> usize {
    column.checked_sub(STRENGTH + 1).and_then(|alias| ALIASES.get(alias).copied()).unwrap_or(column)
}

impl SqlRelation for References {
    fn columns(&self) -> &[SqlColumn] {
        &self.columns
    }

    fn plan(&self, constraints: &[Constraint], _order: Option<SortedBy>) -> Option<Plan> {
        let of = |column: usize| {
            let is = |constraints: &Constraint| {
                constraints.is_usable && constraints.by == Comparison::Equal && meant(constraints.column) == column
            };
            constraints.iter().position(is)
        };
        let used: Vec<usize> = [of(SOURCE), of(TARGET)].into_iter().flatten().collect();
        let all = self.source.heap().reference_count() as f64;
        let (rows, cost) = if used.is_empty() { (all, 2.0 * all) } else { (8.0, 30.0) };
        Some(Plan { used, rows, cost, ..Plan::default() })
    }

    fn rows(&self, access: &Access, task: &Task) -> Result<Box<dyn Rows>, RowsError> {
        let heap = self.source.heap();
        let known = |column: usize| {
            let mut of_column = access.known.iter().filter(|known| meant(known.column) == column);
            of_column.next().map(|known| match known.value {
                Value::Integer(id) => object_of_id(heap, id),
                _ => None,
            })
        };
        let (from, to) = (known(SOURCE), known(TARGET));
        let sources = match (from, to) {
            (Some(from), _) => Sources::Listed(from.into_iter().collect::<Vec<_>>().into_iter()),
            (None, Some(to)) => {
                let retainers = to.map_or(&[][..], |to| self.source.analysis().retainers(to));
                let mut retainers: Vec<ObjectId> =
                    retainers.iter().filter_map(|&row| ObjectId::from_raw(row)).collect();
                retainers.dedup();
                Sources::Listed(retainers.into_iter())
            }
            (None, None) => Sources::All(0),
        };
        let target = to.map(|to| to.map_or(heaplens_graph::NONE, ObjectId::raw));
        let (source, task) = (Arc::clone(&self.source), task.clone());
        Ok(Box::new(ReferenceRows { source, task, sources, target, current: None }))
    }
}

/// Objects whose references are read next.
enum Sources {
    All(usize),
    Listed(std::vec::IntoIter<ObjectId>),
}

struct ReferenceRows {
    source: Arc<QuerySource>,
    task: Task,
    sources: Sources,
    /// Only references to this row.
    target: Option<u32>,
    current: Option<Current>,
}

/// The object whose references are read, and the current one of them.
struct Current {
    from: ObjectId,
    position: usize,
    /// Names by position, once asked for.
    names: OnceCell<Vec<Option<ReferenceName>>>,
}

impl ReferenceRows {
    fn next_source(&mut self) -> Result<Option<ObjectId>, Cancelled> {
        Ok(match &mut self.sources {
            Sources::All(next) => {
                self.task.checkpoint_at(*next)?;
                let object = ObjectId::new(*next).filter(|object| object.index() < self.source.heap().len());
                *next += 1;
                object
            }
            Sources::Listed(rows) => rows.next(),
        })
    }

    /// Name of the current reference.
    fn name<'a>(&self, current: &'a Current) -> Result<Option<&'a ReferenceName>, Cancelled> {
        let names = match current.names.get() {
            Some(names) => names,
            None => {
                let names = names(&self.source, current.from, self.target, &self.task)?;
                current.names.get_or_init(|| names)
            }
        };
        Ok(names.get(current.position).and_then(Option::as_ref))
    }
}

/// Names of the references of an object, by position; if only those to one target are asked for, of these.
fn names(
    source: &QuerySource,
    from: ObjectId,
    target: Option<u32>,
    task: &Task,
) -> Result<Vec<Option<ReferenceName>>, Cancelled> {
    let (heap, contents) = (source.heap(), source.contents());
    let mut by_target: FxHashMap<u32, Vec<ReferenceName>> = FxHashMap::default();
    match target.and_then(ObjectId::from_raw) {
        Some(to) => _ = by_target.insert(to.raw(), contents.reference_names(heap, from, to, usize::MAX)),
        None => {
            let all = references(source.data(), from, Direction::Outgoing, usize::MAX, task)?;
            for row in all.rows {
                by_target.entry(row.object.raw()).or_default().push(row.name);
            }
        }
    }
    by_target.values_mut().for_each(|names| names.reverse());
    let names = heap.references(from).iter().map(|to| by_target.get_mut(to).and_then(Vec::pop));
    Ok(names.collect())
}

impl Rows for ReferenceRows {
    fn advance(&mut self) -> Result<bool, RowsError> {
        loop {
            if let Some(current) = &mut self.current {
                let row = self.source.heap().references(current.from);
                let next = current.position.wrapping_add(1);
                let passes = |to: &u32| self.target.is_none_or(|target| target == *to);
                if let Some(skipped) = row.get(next..).and_then(|rest| rest.iter().position(passes)) {
                    current.position = next + skipped;
                    return Ok(true);
                }
            }
            let Some(from) = self.next_source()? else { return Ok(false) };
            self.current = Some(Current { from, position: usize::MAX, names: OnceCell::new() });
        }
    }

    /// The row of the source, and the position of the reference: the same in every scan, as SQLite needs it.
    fn number(&self) -> i64 {
        let number = |current: &Current| i64::from(current.from.raw()) << 32 | current.position as i64 & 0xffff_ffff;
        self.current.as_ref().map_or(0, number)
    }

    fn value(&self, column: usize) -> Result<Value<'_>, RowsError> {
        let (heap, Some(current)) = (self.source.heap(), &self.current) else { return Ok(Value::Null) };
        let target = || heap.references(current.from).get(current.position).copied().and_then(ObjectId::from_raw);
        Ok(match meant(column) {
            SOURCE => Value::object(heap, current.from),
            TARGET => Value::optional(target(), |target| Value::object(heap, target)),
            FIELD => Value::optional(self.name(current)?, |name| Value::text(&*name.text)),
            POSITION => Value::Count(current.position as u64),
            STRENGTH => Value::text(heaplens_base::Named::word(heap.strength(current.from, current.position))),
            _ => Value::Null,
        })
    }
}
