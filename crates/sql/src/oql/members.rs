//! Paths: aliases, fields, attributes (`s.@retainedHeapSize`), indices, functions and methods.

use super::Translator;
use super::ast::{Expr, Head, Step, StepKind};
use super::refusal::{self, refused};
use super::scope::Rows;
use super::value::{Kind, ListSql, Path, Value};
use crate::error::QueryError;
use crate::virtual_table::quoted;

/// Maximum length of SQL that a method may repeat, in bytes.
const LONGEST: usize = 1 << 16;
/// Attributes with a translation, for the error that names another.
const ATTRIBUTES: &str = "@objectId, @objectAddress, @clazz, @usedHeapSize, @retainedHeapSize, @displayName, \
                          @technicalName, @classSpecificName, @GCRootInfo, @outboundReferences, @length, @valueArray, \
                          @referenceArray, @name, @key and @value";

impl Translator<'_> {
    /// A path.
    pub(super) fn member(&mut self, head: &Head, steps: &[Step], at: usize) -> Result<Value, QueryError> {
        let mut value = match head {
            Head::Name(name) => self.named(name, at)?,
            Head::Attribute(name) => {
                let current = self.current(at)?;
                self.attribute(&current, name, at)?
            }
            Head::Call(name, arguments) => self.call(name, arguments, at)?,
            Head::Variable(name) => {
                return Err(refused(
                    &format!("${{{name}}} in an expression"),
                    at,
                    "It is an object of MAT. In SQL its figures are in the table statistics, GC roots in roots, classes in classes",
                ));
            }
        };
        for step in steps {
            value = self.step(&value, step)?;
        }
        Ok(value)
    }

    /// The current object of the innermost query.
    fn current(&self, at: usize) -> Result<Value, QueryError> {
        let Some(scope) = self.scopes.last() else { return Err(refused("this", at, "")) };
        Ok(match &scope.rows {
            Rows::Columns(columns) => Value::new("", Kind::Row(scope.name.clone(), columns.clone())),
            _ => Value::new(format!("{}.object", scope.name), Kind::Object(Some(scope.name.clone()))),
        })
    }

    /// An alias, or a field of the current object.
    fn named(&self, name: &str, at: usize) -> Result<Value, QueryError> {
        if name.is_empty() {
            return self.current(at);
        }
        if let Some(scope) = self.scopes.iter().rev().find(|scope| scope.alias.as_deref() == Some(name)) {
            return Ok(match &scope.rows {
                Rows::Columns(columns) => Value::new("", Kind::Row(scope.name.clone(), columns.clone())),
                _ => Value::new(format!("{}.object", scope.name), Kind::Object(Some(scope.name.clone()))),
            });
        }
        self.field(&self.current(at)?, name, at)
    }

    /// A field of an object, or a column of a row.
    fn field(&self, of: &Value, name: &str, at: usize) -> Result<Value, QueryError> {
        if let Kind::Row(table, columns) = &of.kind {
            if columns.iter().any(|column| column == name) {
                return Ok(Value::new(format!("{table}.{}", quoted(name)), Kind::Unknown));
            }
            return Err(refused(&format!("the column {name}"), at, format!("Columns are {}", columns.join(", "))));
        }
        if let Kind::List(list) = &of.kind {
            if name == "length" {
                return Ok(count(list));
            }
            return Err(refused(
                &format!("the field {name} of several objects"),
                at,
                "Select from them: FROM OBJECTS ( SELECT OBJECTS … ) x",
            ));
        }
        if !of.may_be_object() {
            return Err(refused(&format!("the field {name} of a value"), at, "Only objects have fields"));
        }
        let path = of.to_path().with_field(name);
        let Kind::Object(Some(table)) = &of.kind else { return Ok(path.value()) };
        let Some(scope) = self.scopes.iter().rev().find(|scope| scope.name == *table) else { return Ok(path.value()) };
        let own = |column: &str| Value::new(format!("{table}.{column}"), Kind::Unknown);
        let Rows::Class(class) = &scope.rows else {
            return Ok(match name {
                // Columns of every table of objects, where no field has this name.
                "shallow_bytes" | "retained_bytes" => own(name),
                _ => path.value(),
            });
        };
        if let Some((_, column)) = class.fields.iter().find(|(field, _)| field == name) {
            return Ok(Value { sql: format!("{table}.{}", quoted(column)), kind: Kind::Unknown, path: Some(path) });
        }
        match name {
            "object" => Ok(of.clone()),
            "class" => Ok(Value::text(format!("{table}.class"))),
            "shallow_bytes" | "retained_bytes" => Ok(Value::number(format!("{table}.{name}"))),
            _ if class.is_complete => {
                let fields: Vec<&str> = class.fields.iter().map(|(field, _)| &**field).collect();
                Err(QueryError::Wrong {
                    message: format!("{} has no field {name}", class.name),
                    position: Some(at),
                    advice: format!("Its fields are {}", fields.join(", ")),
                })
            }
            _ => Ok(path.value()),
        }
    }

    fn step(&mut self, of: &Value, step: &Step) -> Result<Value, QueryError> {
        match &step.kind {
            StepKind::Field(name) => self.field(of, name, step.at),
            StepKind::Attribute(name) => self.attribute(of, name, step.at),
            StepKind::Call(name, arguments) => self.method(of, name, arguments, step.at),
            StepKind::Index(index) => {
                let index = self.expression(index)?;
                element(of, &index, step.at)
            }
            StepKind::Range => Err(refused(
                "a range of elements",
                step.at,
                "In SQL: SELECT e.value, e.value_object FROM \"Class\" s, elements(s.object) e; of a collection entries(s.object)",
            )),
        }
    }

    /// An attribute, such as `@retainedHeapSize`.
    fn attribute(&mut self, of: &Value, name: &str, at: usize) -> Result<Value, QueryError> {
        match &of.kind {
            Kind::List(list) => {
                return match name {
                    "length" | "size" => Ok(count(list)),
                    _ => Err(refused(
                        &format!("@{name} of several objects"),
                        at,
                        "Select from them: FROM OBJECTS ( SELECT OBJECTS … ) x",
                    )),
                };
            }
            Kind::Row(..) => {
                return Err(refused(&format!("@{name} of a row"), at, "Name one of its columns before the attribute"));
            }
            Kind::Text | Kind::Number | Kind::Bool | Kind::Null => {
                return Err(refused(&format!("@{name} of a value"), at, "Only objects have attributes"));
            }
            _ => {}
        }
        let object = &of.sql;
        let own = |column: &str, function: &str| match &of.kind {
            Kind::Object(Some(table)) => format!("{table}.{column}"),
            _ => format!("{function}({object})"),
        };
        let is_entry = of.path.as_ref().is_some_and(Path::ends_with_index);
        Ok(match name {
            "objectId" | "objectAddress" => Value { kind: Kind::Number, path: None, ..of.clone() },
            "clazz" => class_of(of),
            "usedHeapSize" => Value::number(own("shallow_bytes", "shallow")),
            "retainedHeapSize" => Value::number(own("retained_bytes", "retained")),
            "technicalName" => Value::text(format!("technical_name({object})")),
            "displayName" => Value::text(format!("display_name({object})")),
            "classSpecificName" => Value::text(format!("nullif(to_string({object}), '')")),
            "length" => Value::number(format!("array_length({object})")),
            "valueArray" | "referenceArray" => Value { kind: Kind::Array, ..of.clone() },
            "GCRootInfo" => Value::text(format!("(SELECT root FROM objects WHERE id = {object})")),
            "outboundReferences" => self.list_of("outgoing", object),
            "key" | "value" if is_entry => of.to_path().with_field(&format!("@{name}")).value(),
            "name" => Value::text(format!("described_class({object})")),
            "class" => {
                return Err(refused(
                    "@class",
                    at,
                    "It is a class of MAT's own program. The class of the object is s.@clazz or classof(s), its name s.@clazz.@name",
                ));
            }
            "numberOfObjects" | "objectIds" | "heapSizePerInstance" | "instanceSize" => {
                return Err(refused(
                    &format!("@{name} of a class"),
                    at,
                    "In SQL: SELECT class, objects, shallow_bytes FROM classes; its objects are FROM java.lang.String s",
                ));
            }
            "classLoaderId" | "classLoader" | "definedClasses" => {
                return Err(refused(
                    &format!("@{name}"),
                    at,
                    "In SQL: SELECT id, label, classes, objects FROM loaders",
                ));
            }
            "superClass" | "superClassId" | "subclasses" | "allSubclasses" => {
                return Err(refused(
                    &format!("@{name}"),
                    at,
                    "In SQL: is_subclass(class, 'java.util.AbstractMap'); FROM INSTANCEOF has the objects of subclasses",
                ));
            }
            "snapshot" => {
                return Err(refused(
                    "@snapshot",
                    at,
                    "In SQL its figures are in the table statistics, GC roots in roots",
                ));
            }
            _ => {
                return Err(refused(&format!("the attribute @{name}"), at, format!("Those with one are {ATTRIBUTES}")));
            }
        })
    }

    /// A function with objects as rows, called for one object.
    fn list_of(&mut self, function: &str, object: &str) -> Value {
        let name = self.new_name("r");
        let list = ListSql {
            from: format!("{function}({object}) {name}"),
            condition: String::new(),
            value: format!("{name}.id"),
            repeats: true,
        };
        Value::new("", Kind::List(list))
    }

    /// Elements of an array that are objects.
    pub(super) fn elements_of(&mut self, array: &Value) -> ListSql {
        let name = self.new_name("e");
        ListSql {
            from: format!("elements({}) {name}", array.sql),
            condition: format!("{name}.value_object IS NOT NULL"),
            value: format!("{name}.value_object"),
            repeats: false,
        }
    }

    /// A function.
    fn call(&mut self, name: &str, arguments: &[Expr], at: usize) -> Result<Value, QueryError> {
        if let [argument] = arguments {
            let needs_object = |value: Value| match value.kind {
                Kind::List(_) => Err(refused(&format!("{name} of several objects"), at, "Call it for one object")),
                _ if value.may_be_object() || value.kind == Kind::Number => Ok(value),
                _ => Err(refused(&format!("{name} of a value"), at, "Call it for an object")),
            };
            match name {
                "eval" => {
                    let value = self.expression(argument)?;
                    return Ok(Value { sql: format!("({})", value.sql), ..value });
                }
                "toString" => {
                    let value = self.expression(argument)?;
                    return match value.kind {
                        Kind::List(_) | Kind::Row(..) => {
                            Err(refused("toString of several objects", at, "SELECT OBJECTS lists them"))
                        }
                        _ => Ok(Value::text(value.as_text())),
                    };
                }
                "toHex" => {
                    let value = needs_object(self.expression(argument)?)?;
                    return Ok(Value::text(format!("printf('0x%x', {})", value.sql)));
                }
                "classof" => {
                    let value = needs_object(self.expression(argument)?)?;
                    return Ok(class_of(&value));
                }
                "dominatorof" => {
                    let value = needs_object(self.expression(argument)?)?;
                    return Ok(Value::new(format!("dominator({})", value.sql), Kind::Object(None)));
                }
                "dominators" => {
                    let value = needs_object(self.expression(argument)?)?;
                    let name = self.new_name("d");
                    let list = ListSql {
                        from: format!("objects {name}"),
                        condition: format!("{name}.immediate_dominator = {}", value.sql),
                        value: format!("{name}.id"),
                        repeats: false,
                    };
                    return Ok(Value::new("", Kind::List(list)));
                }
                "inbounds" | "referrers" => {
                    let value = needs_object(self.expression(argument)?)?;
                    return Ok(self.list_of("incoming", &value.sql));
                }
                "outbounds" | "referees" => {
                    let value = needs_object(self.expression(argument)?)?;
                    return Ok(self.list_of("outgoing", &value.sql));
                }
                // Of VisualVM.
                "sizeof" | "rsizeof" | "objectid" => {
                    let value = needs_object(self.expression(argument)?)?;
                    let attribute = match name {
                        "sizeof" => "usedHeapSize",
                        "rsizeof" => "retainedHeapSize",
                        _ => "objectId",
                    };
                    return self.attribute(&value, attribute, at);
                }
                _ => {}
            }
        }
        if refusal::is_of_visualvm(name) {
            return Err(refusal::visualvm(&format!("{name}()"), at));
        }
        // A function of SQL.
        let arguments = arguments
            .iter()
            .map(|argument| Ok(self.expression(argument)?.sql))
            .collect::<Result<Vec<_>, QueryError>>()?;
        let kind = match &*name.to_lowercase() {
            "count" | "sum" | "avg" | "total" | "length" | "instr" | "abs" | "round" | "shallow" | "retained"
            | "distance" => Kind::Number,
            "text" | "label" | "name" | "owner" | "short_name" | "address" | "class_of" | "lower" | "upper"
            | "substr" | "replace" | "printf" | "group_concat" => Kind::Text,
            _ => Kind::Unknown,
        };
        Ok(Value::new(format!("{name}({})", arguments.join(", ")), kind))
    }

    /// A method of Java.
    fn method(&mut self, of: &Value, name: &str, arguments: &[Expr], at: usize) -> Result<Value, QueryError> {
        // A getter is its attribute.
        let attribute = name.strip_prefix("get").and_then(|rest| {
            let first = rest.chars().next().filter(|first| first.is_uppercase())?;
            Some(format!("{}{}", first.to_lowercase(), &rest[first.len_utf8()..]))
        });
        let attribute = attribute.map(|name| if name == "gCRootInfo" { "GCRootInfo".to_owned() } else { name });
        match (name, arguments, &of.kind) {
            ("size" | "length", [], Kind::List(list)) => return Ok(count(list)),
            ("get" | "getValueAt", [index], Kind::Array | Kind::Object(_) | Kind::Unknown) => {
                let index = self.expression(index)?;
                return element(of, &index, at);
            }
            ("isArrayType", [], _) if of.may_be_object() => {
                return Ok(Value::new(format!("described_class({}) LIKE '%[]'", of.sql), Kind::Bool));
            }
            ("toString", [], kind) if *kind != Kind::Text => {
                return Err(refused(
                    "the method toString()",
                    at,
                    "Write the function: toString(s) is the text of a string, s.@technicalName class and address",
                ));
            }
            (_, _, Kind::Text) => return self.text_method(of, name, arguments, at),
            ("contains" | "startsWith" | "endsWith" | "indexOf" | "equals" | "matches" | "substring", [_, ..], _) => {
                return Err(refused(
                    &format!("the method {name}() of an object"),
                    at,
                    format!("Write toString(…).{name}(…): it is a method of texts"),
                ));
            }
            _ => {}
        }
        match attribute {
            Some(attribute) if arguments.is_empty() => self.attribute(of, &attribute, at),
            _ => Err(refused(
                &format!("the method {name}()"),
                at,
                format!(
                    "Attributes with a translation are {ATTRIBUTES}. Functions of SQL: heaplens query FILE --tables"
                ),
            )),
        }
    }

    /// A method of a text.
    fn text_method(&mut self, of: &Value, name: &str, arguments: &[Expr], at: usize) -> Result<Value, QueryError> {
        let text = &of.sql;
        let values = arguments.iter().map(|argument| self.expression(argument)).collect::<Result<Vec<_>, _>>()?;
        let argument =
            |nth: usize| values.get(nth).map_or_else(|| "NULL".to_owned(), |value| format!("({})", value.sql));
        let first = argument(0);
        // Some methods write their text or argument several times: nested calls double.
        if text.len() + first.len() > LONGEST {
            return Err(refused("so long an expression of texts", at, "Shorten it"));
        }
        let condition = |sql: String| Value::new(sql, Kind::Bool);
        Ok(match (name, values.len()) {
            ("toString", 0) => of.clone(),
            ("length", 0) => Value::number(format!("length({text})")),
            ("isEmpty", 0) => condition(format!("{text} = ''")),
            ("toLowerCase", 0) => Value::text(format!("lower({text})")),
            ("toUpperCase", 0) => Value::text(format!("upper({text})")),
            ("trim", 0) => Value::text(format!("trim({text})")),
            ("equals", 1) => condition(format!("{text} IS {first}")),
            ("contains", 1) => condition(format!("instr({text}, {first}) > 0")),
            ("startsWith", 1) => condition(format!("substr({text}, 1, length({first})) = {first}")),
            ("endsWith", 1) => condition(format!(
                "(length({text}) >= length({first}) AND substr({text}, length({text}) - length({first}) + 1) = {first})"
            )),
            ("matches", 1) => condition(format!("matches({text}, {first})")),
            ("indexOf", 1) if values.first().is_some_and(|value| value.kind == Kind::Text) => {
                Value::number(format!("instr({text}, {first}) - 1"))
            }
            ("charAt", 1) => Value::text(format!("substr({text}, {first} + 1, 1)")),
            ("substring", 1) => Value::text(format!("substr({text}, {first} + 1)")),
            ("substring", 2) => Value::text(format!("substr({text}, {first} + 1, {} - {first})", argument(1))),
            _ => {
                return Err(refused(
                    &format!("the method {name}() of a text"),
                    at,
                    "Those with one are length, isEmpty, equals, contains, startsWith, endsWith, matches, indexOf, charAt, \
                     substring, toLowerCase, toUpperCase and trim",
                ));
            }
        })
    }
}

/// Number of objects in a list.
fn count(list: &ListSql) -> Value {
    let distinct = if list.repeats { "DISTINCT " } else { "" };
    let condition = if list.condition.is_empty() { String::new() } else { format!(" WHERE {}", list.condition) };
    Value::number(format!("(SELECT count({distinct}{}) FROM {}{condition})", list.value, list.from))
}

/// An element of an array, or an entry of a collection.
fn element(of: &Value, index: &Value, at: usize) -> Result<Value, QueryError> {
    match &of.kind {
        Kind::List(_) => Err(refused(
            "one of several objects by its number",
            at,
            "SELECT OBJECTS lists them; their order is MAT's own",
        )),
        _ if of.may_be_object() => Ok(of.to_path().with_index(index).value()),
        _ => Err(refused("an element of a value", at, "Only arrays and collections have elements")),
    }
}

/// The class of an object, as an object.
fn class_of(of: &Value) -> Value {
    Value::new(format!("class_object({})", of.sql), Kind::Class)
}
