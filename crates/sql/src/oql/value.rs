//! A translated expression: its SQL, and what is known of its type.

/// SQL of an expression.
#[derive(Debug, Clone)]
pub(super) struct Value {
    pub(super) sql: String,
    pub(super) kind: Kind,
    /// The object and the path of fields that lead to it, if it was reached so.
    pub(super) path: Option<Path>,
}

/// What is known of the type of a value.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Kind {
    /// An object, or null; true if it is the current object of a table whose columns have its sizes.
    Object(Option<String>),
    /// A class as an object.
    Class,
    /// An array, whose elements are asked for.
    Array,
    Text,
    Number,
    Bool,
    Null,
    /// A field: any of these.
    Unknown,
    /// Several objects.
    List(ListSql),
    /// A row of a query with several columns.
    Row(String, Vec<String>),
}

/// Several objects of one: a table that lists them, and the value of its rows.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct ListSql {
    /// Table with its alias.
    pub(super) from: String,
    /// Condition of its rows; empty for all.
    pub(super) condition: String,
    pub(super) value: String,
    /// True if an object may appear more than once.
    pub(super) repeats: bool,
}

/// An object and a path of fields and indices from it, as parts of a text in SQL.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Path {
    pub(super) base: String,
    /// Literal texts, and expressions between them.
    parts: Vec<(String, Option<String>)>,
}

impl Path {
    /// The path of no steps.
    pub(super) fn of(base: impl Into<String>) -> Self {
        Self { base: base.into(), parts: vec![(String::new(), None)] }
    }

    fn literal(&mut self, text: &str) {
        match self.parts.last_mut() {
            Some((last, None)) => last.push_str(text),
            _ => self.parts.push((text.to_owned(), None)),
        }
    }

    pub(super) fn with_field(mut self, name: &str) -> Self {
        let is_first = self.parts.len() == 1 && self.parts.iter().all(|(text, _)| text.is_empty());
        self.literal(&if is_first { name.to_owned() } else { format!(".{name}") });
        self
    }

    pub(super) fn with_index(mut self, index: &Value) -> Self {
        if index.sql.parse::<i64>().is_ok() {
            self.literal(&format!("[{}]", index.sql));
            return self;
        }
        self.literal("[");
        if let Some((_, expression)) = self.parts.last_mut() {
            *expression = Some(index.sql.clone());
        }
        self.parts.push(("]".to_owned(), None));
        self
    }

    /// True if the last step is an index.
    pub(super) fn ends_with_index(&self) -> bool {
        self.parts.last().is_some_and(|(text, _)| text.ends_with(']'))
    }

    /// The path as a text in SQL.
    fn text(&self) -> String {
        let part = |(literal, expression): &(String, Option<String>)| {
            let literal = quoted_text(literal);
            expression.as_ref().map_or_else(|| literal.clone(), |sql| format!("{literal} || CAST({sql} AS INTEGER)"))
        };
        self.parts.iter().map(part).collect::<Vec<_>>().join(" || ")
    }

    /// The value at its end.
    pub(super) fn value(self) -> Value {
        Value { sql: format!("field({}, {})", self.base, self.text()), kind: Kind::Unknown, path: Some(self) }
    }
}

impl Value {
    pub(super) fn new(sql: impl Into<String>, kind: Kind) -> Self {
        Self { sql: sql.into(), kind, path: None }
    }

    pub(super) fn text(sql: impl Into<String>) -> Self {
        Self::new(sql, Kind::Text)
    }

    pub(super) fn number(sql: impl Into<String>) -> Self {
        Self::new(sql, Kind::Number)
    }

    pub(super) fn is_object(&self) -> bool {
        matches!(self.kind, Kind::Object(_) | Kind::Class | Kind::Array)
    }

    /// True if fields and attributes may follow.
    pub(super) fn may_be_object(&self) -> bool {
        self.is_object() || self.kind == Kind::Unknown
    }

    /// The path that leads to it, to be continued.
    pub(super) fn to_path(&self) -> Path {
        self.path.clone().unwrap_or_else(|| Path::of(&*self.sql))
    }

    /// The value as text, as `toString` has it.
    pub(super) fn as_text(&self) -> String {
        match (&self.kind, &self.path) {
            (Kind::Text, _) => self.sql.clone(),
            (Kind::Object(_) | Kind::Class | Kind::Array, _) => format!("to_string({})", self.sql),
            (Kind::Unknown, Some(path)) => format!("field_text({}, {})", path.base, path.text()),
            (Kind::Null, _) => "'null'".to_owned(),
            _ => format!("CAST({} AS TEXT)", self.sql),
        }
    }
}

/// A text in SQL.
pub(super) fn quoted_text(text: &str) -> String {
    format!("'{}'", text.replace('\'', "''"))
}
