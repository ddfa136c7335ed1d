//! Expressions: operators, literals, comparisons. Null, text and numbers are compared as in MAT.

use super::Translator;
use super::ast::{Expr, Items, List, Operator, Query};
use super::queries::at_of;
use super::refusal::refused;
use super::value::{Kind, Value, quoted_text};
use crate::error::QueryError;
use crate::java_regex;

impl Translator<'_> {
    /// An expression.
    pub(super) fn expression(&mut self, expression: &Expr) -> Result<Value, QueryError> {
        Ok(match expression {
            Expr::Number(number) => Value::number(&**number),
            Expr::Text(text) => Value::text(quoted_text(text)),
            Expr::Bool(is) => Value::new(if *is { "TRUE" } else { "FALSE" }, Kind::Bool),
            Expr::Null => Value::new("NULL", Kind::Null),
            Expr::Star => Value::new("*", Kind::Unknown),
            Expr::Distinct(inner) => Value::new(format!("DISTINCT {}", self.expression(inner)?.sql), Kind::Unknown),
            Expr::Path(head, steps, at) => self.member(head, steps, *at)?,
            Expr::Binary(operator, left, right, at) => self.binary(*operator, left, right, *at)?,
            Expr::Not(inner) => Value::new(format!("NOT ({})", self.truth(inner)?), Kind::Bool),
            Expr::Minus(inner) => {
                let value = self.expression(inner)?;
                // Two signs would begin a comment.
                let is_literal = matches!(**inner, Expr::Number(_)) && !value.sql.starts_with('-');
                let sql = if is_literal { format!("-{}", value.sql) } else { format!("-({})", value.sql) };
                Value::number(sql)
            }
            Expr::IsNull(inner, is_not) => self.is_null(inner, *is_not)?,
            Expr::Like(value, pattern, is_not, at) => self.like(value, pattern, *is_not, *at)?,
            Expr::In(value, list, is_not, at) => self.is_in(value, list, *is_not, *at)?,
            Expr::Implements(value, name, at) => self.implements(value, name, *at)?,
            Expr::Query(query) => {
                return Err(refused(
                    "a query as a value",
                    query.at,
                    "It can be compared with null, or follow IN or FROM. In SQL: (SELECT … LIMIT 1)",
                ));
            }
        })
    }

    /// An expression as a condition: a text is true if it is not empty.
    pub(super) fn truth(&mut self, expression: &Expr) -> Result<String, QueryError> {
        let value = self.expression(expression)?;
        Ok(if value.kind == Kind::Text { format!("({} <> '')", value.sql) } else { value.sql })
    }

    fn binary(&mut self, operator: Operator, left: &Expr, right: &Expr, at: usize) -> Result<Value, QueryError> {
        match operator {
            Operator::And | Operator::Or => {
                let word = if operator == Operator::And { "AND" } else { "OR" };
                let side = |side: &Expr, sql: String| match side {
                    Expr::Binary(Operator::Or | Operator::And, ..) => format!("({sql})"),
                    _ => sql,
                };
                let (first, second) = (self.truth(left)?, self.truth(right)?);
                Ok(Value::new(format!("{} {word} {}", side(left, first), side(right, second)), Kind::Bool))
            }
            Operator::Equal | Operator::NotEqual => self.equality(left, right, operator == Operator::NotEqual),
            Operator::Less | Operator::AtMost | Operator::Greater | Operator::AtLeast => {
                let sign = match operator {
                    Operator::Less => "<",
                    Operator::AtMost => "<=",
                    Operator::Greater => ">",
                    _ => ">=",
                };
                let (first, second) = self.comparable(left, right, at)?;
                Ok(Value::new(format!("{first} {sign} {second}"), Kind::Bool))
            }
            Operator::Plus | Operator::Minus | Operator::Times | Operator::By => {
                self.arithmetic(operator, left, right, at)
            }
        }
    }

    /// Both sides of a comparison: as texts if one is a text.
    fn comparable(&mut self, left: &Expr, right: &Expr, at: usize) -> Result<(String, String), QueryError> {
        let (first, second) = (self.operand(left)?, self.operand(right)?);
        if let Some(list) =
            [&first, &second].into_iter().find(|value| matches!(value.kind, Kind::List(_) | Kind::Row(..)))
        {
            let what = if matches!(list.kind, Kind::Row(..)) { "a row" } else { "several objects" };
            return Err(refused(
                &format!("a comparison with {what}"),
                at,
                "Compare their number with .@length, or write IN",
            ));
        }
        let is_text = first.kind == Kind::Text || second.kind == Kind::Text;
        let of = |value: Value| if is_text && value.may_be_object() { value.as_text() } else { value.sql };
        Ok((of(first), of(second)))
    }

    /// An operand, in parentheses if it has an operator.
    fn operand(&mut self, operand: &Expr) -> Result<Value, QueryError> {
        let value = self.expression(operand)?;
        let has_operator = matches!(
            operand,
            Expr::Binary(..) | Expr::Not(_) | Expr::IsNull(..) | Expr::Like(..) | Expr::In(..) | Expr::Implements(..)
        );
        Ok(if has_operator { Value { sql: format!("({})", value.sql), ..value } } else { value })
    }

    /// `=` and `!=`, by which null equals null.
    fn equality(&mut self, left: &Expr, right: &Expr, is_not: bool) -> Result<Value, QueryError> {
        match (left, right) {
            (value, Expr::Null) | (Expr::Null, value) => return self.is_null(value, is_not),
            // MAT says -1 where there is no dominator.
            (value, Expr::Minus(one)) if matches!(&**one, Expr::Number(one) if one == "1") => {
                let operand = self.operand(value)?;
                if operand.is_object() {
                    return Ok(Value::new(
                        format!("{} IS {}NULL", operand.sql, if is_not { "NOT " } else { "" }),
                        Kind::Bool,
                    ));
                }
            }
            _ => {}
        }
        let (first, second) = self.comparable(left, right, at_of(left))?;
        // An id is never null, and looked up only by `=`.
        let is_id = |sql: &str| self.scopes.iter().any(|scope| sql == format!("{}.object", scope.name));
        let sign = match (is_id(&first) || is_id(&second), is_not) {
            (true, false) => "=",
            (true, true) => "<>",
            (false, false) => "IS",
            (false, true) => "IS NOT",
        };
        Ok(Value::new(format!("{first} {sign} {second}"), Kind::Bool))
    }

    fn is_null(&mut self, value: &Expr, is_not: bool) -> Result<Value, QueryError> {
        let not = if is_not { "NOT " } else { "" };
        if let Expr::Query(query) = value {
            // A query without rows is null.
            let exists = if is_not { "" } else { "NOT " };
            return Ok(Value::new(format!("{exists}EXISTS ({})", self.rows(query)?), Kind::Bool));
        }
        let operand = self.operand(value)?;
        Ok(match operand.kind {
            // A list is never null.
            Kind::List(_) => Value::new(if is_not { "TRUE" } else { "FALSE" }, Kind::Bool),
            _ => Value::new(format!("{} IS {not}NULL", operand.sql), Kind::Bool),
        })
    }

    /// `LIKE`: a regular expression that the whole text matches.
    fn like(&mut self, value: &Expr, pattern: &str, is_not: bool, at: usize) -> Result<Value, QueryError> {
        let completed = java_regex::completed(pattern);
        java_regex::full_match(&completed).map_err(|why| QueryError::Wrong {
            message: format!("LIKE compares with a regular expression in OQL, and {pattern} cannot be read: {why}"),
            position: Some(at),
            advice: "In SQL: text(s.object) LIKE '%part%'".to_owned(),
        })?;
        let left = self.expression(value)?;
        if let Kind::List(_) | Kind::Row(..) = left.kind {
            return Err(refused(
                "LIKE of several objects",
                at,
                "Compare the text of one: toString(s) LIKE \".*part.*\"",
            ));
        }
        let not = if is_not { "NOT " } else { "" };
        Ok(Value::new(format!("{not}matches({}, {})", left.as_text(), quoted_text(&completed)), Kind::Bool))
    }

    fn is_in(&mut self, value: &Expr, list: &List, is_not: bool, at: usize) -> Result<Value, QueryError> {
        let not = if is_not { "NOT " } else { "" };
        let operand = self.operand(value)?;
        let rows = match list {
            List::Values(values) => {
                let values = values.iter().map(|value| self.expression(value)).collect::<Result<Vec<_>, _>>()?;
                let is_text = values.iter().any(|value| value.kind == Kind::Text);
                let left = if is_text { operand.as_text() } else { operand.sql };
                let values: Vec<String> = values.into_iter().map(|value| value.sql).collect();
                return Ok(Value::new(format!("{left} {not}IN ({})", values.join(", ")), Kind::Bool));
            }
            List::Of(of) => match &**of {
                Expr::Query(query) if is_of_objects(query) => self.ids(query)?,
                Expr::Query(query) => self.rows(query)?,
                of => {
                    let translated = self.expression(of)?;
                    let list = match translated.kind {
                        Kind::List(list) => list,
                        Kind::Array | Kind::Object(_) | Kind::Unknown => self.elements_of(&translated),
                        _ => return Err(refused("IN of one value", at, "Write = to compare with one value")),
                    };
                    let on =
                        if list.condition.is_empty() { String::new() } else { format!(" WHERE {}", list.condition) };
                    format!("SELECT {} FROM {}{on}", list.value, list.from)
                }
            },
        };
        // Null in the list would make SQL's answer unknown.
        let known = if is_not {
            format!("WITH listed(value) AS ({rows}) SELECT value FROM listed WHERE value IS NOT NULL")
        } else {
            rows
        };
        Ok(Value::new(format!("{} {not}IN ({known})", operand.sql), Kind::Bool))
    }

    /// `IMPLEMENTS` asks what an object is in MAT's own program.
    fn implements(&mut self, value: &Expr, name: &str, at: usize) -> Result<Value, QueryError> {
        let object = self.operand(value)?.sql;
        let class = format!("class_of({object})");
        let is_array = format!("{class} LIKE '%[]'");
        let primitive = "('boolean[]', 'byte[]', 'char[]', 'short[]', 'int[]', 'long[]', 'float[]', 'double[]')";
        let interface = name.strip_prefix("org.eclipse.mat.snapshot.model.").unwrap_or(name);
        let sql = match interface {
            "IClass" => format!("described_class({object}) IS NOT NULL"),
            "IObject" => format!("{object} IS NOT NULL"),
            "IArray" => is_array,
            "IPrimitiveArray" => format!("{class} IN {primitive}"),
            "IObjectArray" => format!("({is_array} AND {class} NOT IN {primitive})"),
            "IInstance" => format!("({class} NOT LIKE '%[]' AND described_class({object}) IS NULL)"),
            "IClassLoader" => format!("is_subclass({class}, 'java.lang.ClassLoader')"),
            _ => {
                return Err(refused(
                    &format!("IMPLEMENTS {name}"),
                    at,
                    format!(
                        "It asks for MAT's own interfaces, such as org.eclipse.mat.snapshot.model.IClass. For subclasses write \
                         FROM INSTANCEOF {name}, in SQL is_subclass(class, '{name}'); a dump does not record interfaces"
                    ),
                ));
            }
        };
        Ok(Value::new(sql, Kind::Bool))
    }

    fn arithmetic(&mut self, operator: Operator, left: &Expr, right: &Expr, at: usize) -> Result<Value, QueryError> {
        let (first, second) = (self.operand(left)?, self.operand(right)?);
        if [&first, &second].iter().any(|value| matches!(value.kind, Kind::List(_) | Kind::Row(..))) {
            return Err(refused("arithmetic with several objects", at, "Count them with .@length"));
        }
        if operator == Operator::Plus && first.kind == Kind::Text {
            let second = format!("coalesce({}, 'null')", second.as_text());
            return Ok(Value::text(format!("{} || {second}", first.sql)));
        }
        if second.kind == Kind::Text || first.kind == Kind::Text {
            return Err(refused(
                "arithmetic with a text",
                at,
                "+ joins texts if the left side is one: toString(s) + \"…\"; in SQL a || b",
            ));
        }
        Ok(Value::number(match operator {
            Operator::Plus => format!("{} + {}", first.sql, second.sql),
            Operator::Minus => format!("{} - {}", first.sql, second.sql),
            Operator::Times => format!("{} * {}", first.sql, second.sql),
            // Whole numbers are divided with a fraction, as in MAT.
            _ => format!("{} * 1.0 / {}", first.sql, second.sql),
        }))
    }
}

/// True if the rows of a query are objects, not values with a name.
fn is_of_objects(query: &Query) -> bool {
    !matches!(query.items, Items::List(_))
}
