//! What a query selects from: instances of classes, objects by address, the rows of another query.

use std::sync::Arc;

use super::Translator;
use super::ast::{At, Expr, From, FromWhat, Head, Items, Step, StepKind};
use super::refusal::refused;
use super::scope::{ClassRows, Rows, Scope};
use crate::error::QueryError;
use crate::java_regex;
use crate::relations::class_fields::{
    AT, ClassFields, MATCHING, SUBCLASSES_TOO, all_matching, all_named, classes_named,
};
use crate::value::object_of_id;
use crate::virtual_table::quoted;
use heaplens_heap::{ClassId, ObjectId};

/// Columns of an object, from a table of objects or a function.
const OWN: &str = "id AS object, class, shallow_bytes, retained_bytes";

impl Translator<'_> {
    /// What a query selects from, without its condition.
    pub(super) fn from(&mut self, from: &From) -> Result<Scope, QueryError> {
        let alias = from.alias.clone();
        let name = match &alias {
            Some(alias) => quoted_if_needed(alias),
            None => self.new_name("o"),
        };
        let scope = |table: String, rows: Rows| Scope {
            sql: format!("{table} {name}"),
            alias: alias.clone(),
            name: name.clone(),
            rows,
        };
        // Behind OBJECTS the text means the class objects.
        if from.is_objects {
            return self.objects(from, scope);
        }
        let prefix = if from.with_subclasses { SUBCLASSES_TOO } else { "" };
        let table = match &from.what {
            FromWhat::Class(class) => {
                self.needs_classes(&all_named(self.source.heap(), class), class, from.at)?;
                format!("{prefix}{class}")
            }
            FromWhat::Pattern(pattern) => {
                let pattern = self.pattern(pattern, from.at)?;
                format!("{prefix}{MATCHING}{pattern}")
            }
            FromWhat::Ids(ids) => {
                let addresses =
                    ids.iter().map(|&id| self.address_of_class(id, from.at)).collect::<Result<Vec<_>, _>>()?;
                format!("{prefix}{AT}{}", addresses.join(","))
            }
            FromWhat::Query(query) => {
                needs_name(from)?;
                let ids = self.ids(query)?;
                let classes = format!("objects WHERE reachable AND class_object(id) IN ({ids})");
                return Ok(scope(own(&classes), Rows::Objects));
            }
            FromWhat::Value(value) => match self.classes_of(value, from.at)? {
                Classes::All => return Ok(scope(own("objects WHERE reachable"), Rows::Objects)),
                Classes::Named(class, with_subclasses) => {
                    let prefix = if with_subclasses { SUBCLASSES_TOO } else { prefix };
                    format!("{prefix}{class}")
                }
            },
        };
        let classes = classes_named(self.source.heap(), &table).unwrap_or_default();
        let is_one = classes.iter().filter(|is| **is).count() == 1;
        if !is_one {
            // Fields of several classes may have one name: each object is asked for its own.
            return Ok(scope(quoted(&table), Rows::Objects));
        }
        let relation = ClassFields::new(Arc::clone(self.source), classes);
        let fields: Vec<(String, String)> =
            relation.field_columns().map(|(field, column)| (field.to_owned(), column.name.clone())).collect();
        let is_complete = !fields.is_empty() && self.source.heap().snapshot().is_none();
        Ok(scope(quoted(&table), Rows::Class(ClassRows { name: table, fields, is_complete })))
    }

    /// `FROM OBJECTS …`
    fn objects(&mut self, from: &From, scope: impl Fn(String, Rows) -> Scope) -> Result<Scope, QueryError> {
        let heap = self.source.heap();
        let with_subclasses = |classes: &[ClassId]| -> Vec<ClassId> {
            let below = heap.classes.all_below(classes);
            let all = heap.classes.iter().map(|(class, _)| class);
            all.filter(|class| below.get(class.index()) == Some(&true)).collect()
        };
        let classes = match &from.what {
            FromWhat::Class(class) => {
                let classes = all_named(heap, class);
                self.needs_classes(&classes, class, from.at)?;
                classes
            }
            FromWhat::Pattern(pattern) => {
                let pattern = self.pattern(pattern, from.at)?;
                all_matching(heap, &pattern).unwrap_or_default()
            }
            FromWhat::Ids(ids) if from.with_subclasses => {
                let mut classes = Vec::new();
                for &id in ids {
                    let _address = self.address_of_class(id, from.at)?;
                    classes.extend(object_of_id(heap, id).and_then(|object| heap.classes.of_object(object)));
                }
                classes
            }
            FromWhat::Ids(ids) => {
                let listed = ids.iter().map(|&id| self.object_at(id, from.at)).collect::<Result<Vec<_>, _>>()?;
                return Ok(scope(self.listed(&listed), Rows::Objects));
            }
            FromWhat::Query(query) => {
                needs_name(from)?;
                // Rows with several columns, or with a name, are rows; else they are the objects in their column.
                if let Items::List(items) = &query.items
                    && !query.is_retained_set
                    && (items.len() > 1)
                {
                    let columns = items.iter().map(|item| item.name.clone()).collect();
                    let rows = self.rows(query)?;
                    return Ok(scope(format!("({rows})"), Rows::Columns(columns)));
                }
                let ids = self.ids(query)?;
                let table = format!(
                    "(SELECT o.id AS object, o.class, o.shallow_bytes, o.retained_bytes FROM ({ids}) v CROSS JOIN objects o ON o.id = v.id)"
                );
                return Ok(scope(table, Rows::Objects));
            }
            FromWhat::Value(value) => {
                if is_roots(value) {
                    return Ok(scope(own("objects WHERE root IS NOT NULL"), Rows::Objects));
                }
                if let Some(id) = object_of_snapshot(value) {
                    let listed = self.object_at(id, from.at)?;
                    return Ok(scope(self.listed(&[listed]), Rows::Objects));
                }
                match self.classes_of(value, from.at)? {
                    Classes::All => heap.classes.iter().map(|(class, _)| class).collect(),
                    Classes::Named(class, true) => with_subclasses(&all_named(heap, &class)),
                    Classes::Named(class, false) => all_named(heap, &class),
                }
            }
        };
        let classes = if from.with_subclasses { with_subclasses(&classes) } else { classes };
        let objects: Vec<ObjectId> = classes.iter().filter_map(|&class| heap.classes.get(class).object).collect();
        if objects.is_empty() {
            return Err(refused(
                "a class as an object",
                from.at,
                "The dump has no objects for these classes. In SQL: SELECT * FROM classes WHERE class = 'java.lang.String'",
            ));
        }
        Ok(scope(self.listed(&objects), Rows::Objects))
    }

    /// A table of these objects, in this order.
    fn listed(&self, objects: &[ObjectId]) -> String {
        let id = |object: &ObjectId| (self.source.heap().address(*object).0 as i64).to_string();
        if let [one] = objects {
            return own(&format!("objects WHERE id = {}", id(one)));
        }
        let rows: Vec<String> = objects.iter().map(|object| format!("({})", id(object))).collect();
        format!(
            "(SELECT o.id AS object, o.class, o.shallow_bytes, o.retained_bytes FROM (VALUES {}) v CROSS JOIN objects o ON o.id = v.column1)",
            rows.join(", ")
        )
    }

    fn object_at(&self, id: i64, at: At) -> Result<ObjectId, QueryError> {
        let heap = self.source.heap();
        object_of_id(heap, id).ok_or_else(|| QueryError::Wrong {
            message: format!("the dump has no object {id:#x}"),
            position: Some(at),
            advice: "Objects are named by their address, 0x…; MAT's own object ids are not stored in a dump".to_owned(),
        })
    }

    fn address_of_class(&self, id: i64, at: At) -> Result<String, QueryError> {
        let (heap, object) = (self.source.heap(), self.object_at(id, at)?);
        match heap.classes.of_object(object) {
            Some(_) => Ok(heap.id_text(object)),
            None => Err(QueryError::Wrong {
                message: format!("{} is not a class object", heap.id_text(object)),
                position: Some(at),
                advice: format!("To select the object itself: FROM OBJECTS {}", heap.id_text(object)),
            }),
        }
    }

    /// An expression of class names, as MAT completes it.
    fn pattern(&self, pattern: &str, at: At) -> Result<String, QueryError> {
        let pattern = java_regex::completed(pattern);
        java_regex::full_match(&pattern).map_err(|why| QueryError::Wrong {
            message: format!("the regular expression {pattern} cannot be read: {why}"),
            position: Some(at),
            advice: "In SQL: SELECT * FROM objects WHERE class LIKE '%part%'".to_owned(),
        })?;
        let classes = all_matching(self.source.heap(), &pattern).unwrap_or_default();
        self.needs_classes(&classes, &pattern, at)?;
        Ok(pattern)
    }

    /// The error for a class that the dump does not have.
    fn needs_classes(&self, classes: &[ClassId], name: &str, at: At) -> Result<(), QueryError> {
        if !classes.is_empty() {
            return Ok(());
        }
        let last = name.rsplit(['.', '$']).next().unwrap_or(name).to_lowercase();
        let heap = self.source.heap();
        let mut near: Vec<&str> = heap.classes.iter().map(|(_, class)| &*class.name).collect();
        near.retain(|class| !last.is_empty() && class.to_lowercase().contains(&last));
        near.sort_unstable_by_key(|class| (class.len(), *class));
        near.dedup();
        near.truncate(3);
        let advice = if near.is_empty() {
            "SELECT class, objects FROM classes lists all classes".to_owned()
        } else {
            format!("Classes of a similar name: {}", near.join(", "))
        };
        Err(QueryError::Wrong { message: format!("the dump has no class {name}"), position: Some(at), advice })
    }

    /// The classes that a call of the snapshot returns.
    fn classes_of(&self, value: &Expr, at: At) -> Result<Classes, QueryError> {
        let unknown = || {
            refused(
                "this expression in FROM",
                at,
                "Known are ${snapshot}.getClasses(), ${snapshot}.getClassesByName(\"name\", true) and ${snapshot}.@GCRoots. \
                 In SQL: the tables objects, classes, roots and statistics",
            )
        };
        let Expr::Path(Head::Variable(variable), steps, _) = value else { return Err(unknown()) };
        let [Step { kind: StepKind::Call(method, arguments), .. }] = &steps[..] else { return Err(unknown()) };
        match (&**variable, &**method, &arguments[..]) {
            ("snapshot", "getClasses", []) => Ok(Classes::All),
            ("snapshot", "getClassesByName", [Expr::Text(name), Expr::Bool(with_subclasses)]) => {
                self.needs_classes(&all_named(self.source.heap(), name), name, at)?;
                Ok(Classes::Named(name.clone(), *with_subclasses))
            }
            _ => Err(unknown()),
        }
    }
}

/// The error for the subclasses of what a query selects.
fn needs_name(from: &From) -> Result<(), QueryError> {
    if !from.with_subclasses {
        return Ok(());
    }
    Err(refused(
        "INSTANCEOF of a query",
        from.at,
        "Name the class: FROM INSTANCEOF java.util.AbstractMap, or a regular expression in quotes",
    ))
}

/// Classes of the snapshot.
enum Classes {
    All,
    /// A class, and true if its subclasses are meant too.
    Named(String, bool),
}

/// True for `${snapshot}.@GCRoots` and `${snapshot}.getGCRoots()`.
fn is_roots(value: &Expr) -> bool {
    let Expr::Path(Head::Variable(variable), steps, _) = value else { return false };
    let is = match &steps[..] {
        [Step { kind: StepKind::Attribute(name), .. }] => name == "GCRoots",
        [Step { kind: StepKind::Call(name, arguments), .. }] => name == "getGCRoots" && arguments.is_empty(),
        _ => false,
    };
    variable == "snapshot" && is
}

/// The number in `${snapshot}.getObject(number)`.
fn object_of_snapshot(value: &Expr) -> Option<i64> {
    let Expr::Path(Head::Variable(variable), steps, _) = value else { return None };
    let [Step { kind: StepKind::Call(name, arguments), .. }] = &steps[..] else { return None };
    match &arguments[..] {
        [Expr::Number(number)] if variable == "snapshot" && name == "getObject" => number.parse().ok(),
        _ => None,
    }
}

/// A table of objects with the columns of a table of a class.
pub(super) fn own(objects: &str) -> String {
    format!("(SELECT {OWN} FROM {objects})")
}

/// An alias, in quotes if SQL has another meaning for it.
fn quoted_if_needed(alias: &str) -> String {
    let is_plain = alias.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
        && ![
            "references",
            "index",
            "table",
            "values",
            "group",
            "order",
            "by",
            "to",
            "set",
            "key",
            "in",
            "is",
            "if",
            "do",
            "no",
            "end",
            "all",
            "add",
        ]
        .iter()
        .any(|keyword| keyword.eq_ignore_ascii_case(alias));
    if is_plain { alias.to_owned() } else { quoted(alias) }
}
