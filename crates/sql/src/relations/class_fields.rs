//! A table for a class: one row for each reachable instance, its fields as columns. `"instanceof Name"` has instances of
//! subclasses too.

use std::cell::OnceCell;
use std::sync::Arc;

use crate::java_regex;
use crate::relation::{Access, Comparison, Constraint, Plan, Rows, RowsError, SortedBy, SqlColumn, SqlRelation};
use crate::relations::of_classes::OfClasses;
use crate::source::QuerySource;
use crate::value::{SqlType, object_of_id};
use heaplens_base::Task;
use heaplens_heap::{ClassId, Field, Heap, ObjectId, Value as FieldValue};
use heaplens_tables::columns::Value;

/// Prefix of the tables that contain instances of subclasses.
pub(crate) const SUBCLASSES_TOO: &str = "instanceof ";
/// Prefix of the tables of all classes whose names match a regular expression.
pub(crate) const MATCHING: &str = "matching ";
/// Prefix of the tables of classes by the addresses of their class objects.
pub(crate) const AT: &str = "class ";
/// Instances whose fields are columns: those of one class may differ in JavaScript.
const SAMPLED: usize = 64;
/// Maximum number of fields that are columns.
const MOST_FIELDS: usize = 500;
/// Columns before the fields.
const OWN: [(&str, SqlType, &str); 4] = [
    ("object", SqlType::Object, "The instance"),
    ("class", SqlType::Text, "Its class"),
    ("shallow_bytes", SqlType::Bytes, "Bytes of the object itself"),
    ("retained_bytes", SqlType::Bytes, "Bytes freed if the object were collected"),
];

/// A table of instances.
pub(crate) struct ClassFields {
    source: Arc<QuerySource>,
    /// By class, true if its instances are rows.
    classes: Arc<Vec<bool>>,
    columns: Vec<SqlColumn>,
    fields: Arc<Vec<FieldKey>>,
    /// Number of instances.
    count: u64,
}

/// Declaring class and name of a field.
type FieldKey = (String, String);

/// Every class with this name: loaders may have loaded it more than once.
pub(crate) fn all_named(heap: &Heap, name: &str) -> Vec<ClassId> {
    heap.classes.iter().filter(|(_, class)| *class.name == *name).map(|(class, _)| class).collect()
}

/// Classes that a table with this name has instances of: `Name`, `matching EXPRESSION` of names, or `class 0x…` with the
/// addresses of class objects; each of them also after `instanceof`.
pub(crate) fn classes_named(heap: &Heap, name: &str) -> Option<Vec<bool>> {
    let after = |prefix: &str| {
        let begins = name.get(..prefix.len()).is_some_and(|begin| begin.eq_ignore_ascii_case(prefix));
        begins.then(|| name[prefix.len()..].trim())
    };
    let own = after(SUBCLASSES_TOO).unwrap_or(name);
    let classes = match (own.strip_prefix(MATCHING), own.strip_prefix(AT)) {
        (Some(pattern), _) => all_matching(heap, pattern)?,
        (_, Some(addresses)) if addresses.starts_with("0x") => all_at(heap, addresses)?,
        _ => all_named(heap, own),
    };
    if classes.is_empty() {
        return None;
    }
    if after(SUBCLASSES_TOO).is_some() {
        return Some(heap.classes.all_below(&classes));
    }
    let mut of = vec![false; heap.classes.len()];
    classes.iter().for_each(|class| of[class.index()] = true);
    Some(of)
}

/// Every class whose name matches an expression; `None` if it is wrong.
pub(crate) fn all_matching(heap: &Heap, pattern: &str) -> Option<Vec<ClassId>> {
    let pattern = java_regex::full_match(pattern).ok()?;
    Some(heap.classes.iter().filter(|(_, class)| pattern.is_match(&class.name)).map(|(class, _)| class).collect())
}

/// The classes of class objects at addresses; `None` if one of them is no class object.
fn all_at(heap: &Heap, addresses: &str) -> Option<Vec<ClassId>> {
    addresses.split(',').map(|address| heap.classes.of_object(heap.find(address.trim())?)).collect()
}

impl ClassFields {
    pub(crate) fn new(source: Arc<QuerySource>, classes: Vec<bool>) -> Self {
        let heap = source.heap();
        let is_one = |object: &ObjectId| classes.get(heap.class_id(*object).index()) == Some(&true);
        let mut fields: Vec<(FieldKey, &'static str)> = Vec::new();
        for object in heap.objects().filter(is_one).take(SAMPLED) {
            for field in source.contents().fields(heap, object).unwrap_or_default() {
                let key = (field.declared_by, field.name);
                if !field.is_static && fields.len() < MOST_FIELDS && !fields.iter().any(|(known, _)| *known == key) {
                    fields.push((key, field.type_name));
                }
            }
        }
        let mut columns: Vec<SqlColumn> =
            OWN.iter().map(|&(name, kind, about)| SqlColumn::shown(name, kind, about)).collect();
        let mut keys = Vec::new();
        for ((class, field), type_name) in fields {
            let is_free = |columns: &[SqlColumn], name: &str| {
                !columns.iter().any(|column| column.name.eq_ignore_ascii_case(name))
            };
            // A field that another one hides, or with the name of a column, has the class before its name.
            let qualified = || format!("{class}.{field}");
            let name = if is_free(&columns, &field) { field.clone() } else { qualified() };
            if is_free(&columns, &name) {
                columns.push(SqlColumn::shown(name, kind_of(type_name), ""));
                keys.push((class, field));
            }
        }
        let analysis = source.analysis();
        let of_rows = classes.iter().zip(heap.classes.iter()).filter(|(is_row, _)| **is_row);
        let count = of_rows.map(|(_, (class, _))| analysis.class_totals(class).objects).sum();
        Self { classes: Arc::new(classes), columns, fields: Arc::new(keys), count, source }
    }

    /// Names of fields with their columns.
    pub(crate) fn field_columns(&self) -> impl Iterator<Item = (&str, &SqlColumn)> {
        self.fields.iter().map(|(_, field)| field.as_str()).zip(self.columns.iter().skip(OWN.len()))
    }
}

fn kind_of(type_name: &str) -> SqlType {
    match type_name {
        "boolean" => SqlType::Flag,
        "byte" | "short" | "int" | "long" => SqlType::Integer,
        "float" | "double" => SqlType::Real,
        "char" => SqlType::Text,
        _ => SqlType::Object,
    }
}

impl SqlRelation for ClassFields {
    fn columns(&self) -> &[SqlColumn] {
        &self.columns
    }

    fn plan(&self, constraints: &[Constraint], _order: Option<SortedBy>) -> Option<Plan> {
        let of_object = |constraints: &Constraint| {
            constraints.is_usable && constraints.column == 0 && constraints.by == Comparison::Equal
        };
        if let Some(at) = constraints.iter().position(of_object) {
            return Some(Plan { used: vec![at], rows: 1.0, cost: 2.0, is_unique: true, is_sorted: false });
        }
        let (rows, all) = (self.count as f64, self.source.heap().len() as f64);
        Some(Plan { rows, cost: 20.0 * rows + 0.1 * all, ..Plan::default() })
    }

    fn rows(&self, access: &Access, task: &Task) -> Result<Box<dyn Rows>, RowsError> {
        let heap = self.source.heap();
        let only = access.known.first().map(|known| match known.value {
            Value::Integer(id) => object_of_id(heap, id).map_or(heap.len(), ObjectId::index),
            _ => heap.len(),
        });
        let range = only.map_or(0..heap.len(), |row| row..(row + 1).min(heap.len()));
        Ok(Box::new(InstanceRows {
            source: Arc::clone(&self.source),
            fields: Arc::clone(&self.fields),
            instances: OfClasses::new(&self.source, Arc::clone(&self.classes), range, task),
            read: OnceCell::new(),
        }))
    }
}

struct InstanceRows {
    source: Arc<QuerySource>,
    fields: Arc<Vec<FieldKey>>,
    instances: OfClasses,
    /// Fields of the current instance, once one is asked for.
    read: OnceCell<Vec<Field>>,
}

impl Rows for InstanceRows {
    fn advance(&mut self) -> Result<bool, RowsError> {
        self.read = OnceCell::new();
        self.instances.advance()
    }

    fn number(&self) -> i64 {
        self.instances.number()
    }

    fn value(&self, column: usize) -> Result<Value<'_>, RowsError> {
        let (heap, Some(object)) = (self.source.heap(), self.instances.current()) else { return Ok(Value::Null) };
        Ok(match column {
            0 => Value::object(heap, object),
            1 => Value::text(&*heap.class(object).name),
            2 => Value::Bytes(heap.shallow(object)),
            3 => Value::Bytes(self.source.analysis().retained(object)),
            _ => {
                let index = column - OWN.len();
                let Some((class, name)) = self.fields.get(index) else { return Ok(Value::Null) };
                let fields = self.read.get_or_init(|| self.source.contents().fields(heap, object).unwrap_or_default());
                let is = |field: &&Field| !field.is_static && field.name == *name && field.declared_by == *class;
                // Instances of one class have their fields in one order.
                let matching = fields.get(index).filter(is).or_else(|| fields.iter().find(is));
                Value::optional(matching, |field| of_value(heap, field.value))
            }
        })
    }
}

/// A value in a field or an array; references are objects.
pub(crate) fn of_value(heap: &Heap, value: FieldValue) -> Value<'static> {
    match value {
        FieldValue::Null | FieldValue::Unavailable => Value::Null,
        FieldValue::Object(object) => Value::object(heap, object),
        FieldValue::Dangling(address) => Value::Count(address.0),
        FieldValue::Bool(is) => Value::Integer(is.into()),
        FieldValue::Char(unit) => Value::text(String::from_utf16_lossy(&[unit])),
        FieldValue::Byte(number) => Value::Integer(number.into()),
        FieldValue::Short(number) => Value::Integer(number.into()),
        FieldValue::Int(number) => Value::Integer(number.into()),
        FieldValue::Long(number) => Value::Integer(number),
        FieldValue::Float(number) => Value::Real(number.into()),
        FieldValue::Double(number) => Value::Real(number),
    }
}
