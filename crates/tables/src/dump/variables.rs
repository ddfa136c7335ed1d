//! Fields, statics and variables with a name.

use crate::columns::{Columns, Item, Value, heading, headings};
use crate::{RowOf, RowTarget, TableContext, Totals, TypedTable};
use heaplens_analysis::TextFilter;
use heaplens_analysis::variables::{Variable, VariableTarget};
use heaplens_heap::ClassId;

pub(crate) const COLUMNS: Columns<Item<Variable>> = &[&[
    heading("kind", "Kind", "static, variable (captured by functions of a script), export, property or field")
        .text(|variable, _| Some(variable.kind.name().into())),
    heading("declared_by", "Declared by", "Class, file or global object that declares it")
        .text(|variable, _| Some(variable.declared_by.to_string().into())),
    heading("name", "Name", "Name in the source").text(|variable, _| Some(variable.name.to_string().into())),
    heading("id", "Object", "Object that it refers to, or the class object of a static without one")
        .object(|variable, _| variable.object()),
    heading("class", "Class", "Class of that object; of a field, the class of the instances that have it")
        .text(|variable, dump| Some(dump.heap.classes.get(class(dump, variable)).name.to_string().into())),
    heading("holders", "Holders", "Objects that have it: instances, contexts of closures; 1 of the others")
        .count(|variable, _| Some(variable.holders)),
    headings::RETAINED_BY_ALL.bytes(|variable, dump| {
        Some(match variable.target {
            VariableTarget::Value(object) | VariableTarget::Declaring(object) => dump.analysis.retained(object),
            VariableTarget::Instances(class) => dump.analysis.class_retained(class),
        })
    }),
]];

fn class(dump: TableContext<'_>, variable: &Variable) -> ClassId {
    match variable.target {
        VariableTarget::Value(object) | VariableTarget::Declaring(object) => dump.heap.class_id(object),
        VariableTarget::Instances(class) => class,
    }
}

/// Variables that were found, in their order.
pub struct FoundVariables(pub Vec<Variable>);

impl TypedTable for FoundVariables {
    type Record = Item<Variable>;
    const COLUMNS: Columns<Self::Record> = COLUMNS;

    fn count(&self) -> usize {
        self.0.len()
    }

    fn row(&self, row: usize) -> Option<RowOf<'_, Self>> {
        self.0.get(row)
    }

    fn passes(&self, _dump: TableContext<'_>, variable: RowOf<'_, Self>, filter: &TextFilter) -> bool {
        filter.matches(&variable.title())
    }

    fn target(&self, variable: RowOf<'_, Self>) -> RowTarget {
        match variable.target {
            VariableTarget::Value(object) | VariableTarget::Declaring(object) => RowTarget::Object(object),
            VariableTarget::Instances(class) => RowTarget::Class(class),
        }
    }

    fn totals(&self, _dump: TableContext<'_>, rows: &[u32]) -> Totals {
        vec![("variables", Value::Count(rows.len() as u64))]
    }
}
