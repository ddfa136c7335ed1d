//! A query in OQL, as it is written.

/// Byte of the query where something begins.
pub(super) type At = usize;

/// `SELECT … FROM … WHERE … UNION …`, with the clauses of SQL that may follow.
#[derive(Debug, Clone)]
pub(super) struct Query {
    pub(super) is_distinct: bool,
    pub(super) is_retained_set: bool,
    pub(super) items: Items,
    pub(super) from: From,
    pub(super) condition: Option<Expr>,
    /// `GROUP BY`, `HAVING`.
    pub(super) group_by: Vec<Expr>,
    pub(super) having: Option<Expr>,
    pub(super) unions: Vec<Query>,
    /// Terms of the order, and true for descending.
    pub(super) order_by: Vec<(Expr, bool)>,
    /// `LIMIT` and `OFFSET`.
    pub(super) limit: Option<(Expr, Option<Expr>)>,
    pub(super) at: At,
}

/// What is selected.
#[derive(Debug, Clone)]
pub(super) enum Items {
    /// `*`
    All,
    /// `OBJECTS item`
    Objects(Item),
    List(Vec<Item>),
}

/// An expression with its name: that after `AS`, or else its text.
#[derive(Debug, Clone)]
pub(super) struct Item {
    pub(super) value: Expr,
    pub(super) name: String,
}

/// `FROM OBJECTS INSTANCEOF … alias`
#[derive(Debug, Clone)]
pub(super) struct From {
    pub(super) is_objects: bool,
    pub(super) with_subclasses: bool,
    pub(super) what: FromWhat,
    pub(super) alias: Option<String>,
    pub(super) at: At,
}

/// What a query selects from.
#[derive(Debug, Clone)]
pub(super) enum FromWhat {
    Class(String),
    /// A regular expression of class names.
    Pattern(String),
    /// Addresses, or ids of this program.
    Ids(Vec<i64>),
    Query(Box<Query>),
    Value(Expr),
}

/// An expression.
#[derive(Debug, Clone)]
pub(super) enum Expr {
    /// A number as SQL writes it.
    Number(String),
    Text(String),
    Bool(bool),
    Null,
    /// `*` in `count(*)`.
    Star,
    /// `DISTINCT x` in `count(DISTINCT x)`.
    Distinct(Box<Expr>),
    Path(Head, Vec<Step>, At),
    Binary(Operator, Box<Expr>, Box<Expr>, At),
    Not(Box<Expr>),
    Minus(Box<Expr>),
    /// `x IS NULL`, and true for `IS NOT`.
    IsNull(Box<Expr>, bool),
    /// Value, expression, and true for `NOT LIKE`.
    Like(Box<Expr>, String, bool, At),
    /// Value, list, and true for `NOT IN`.
    In(Box<Expr>, List, bool, At),
    Implements(Box<Expr>, String, At),
    Query(Box<Query>),
}

/// What follows `IN`.
#[derive(Debug, Clone)]
pub(super) enum List {
    /// An expression of several objects, or a query.
    Of(Box<Expr>),
    /// Values in parentheses, as in SQL.
    Values(Vec<Expr>),
}

/// Beginning of a path.
#[derive(Debug, Clone)]
pub(super) enum Head {
    /// An alias, or a field of the current object.
    Name(String),
    /// An attribute of the current object.
    Attribute(String),
    /// A function.
    Call(String, Vec<Expr>),
    /// `${snapshot}`
    Variable(String),
}

/// Continuation of a path.
#[derive(Debug, Clone)]
pub(super) struct Step {
    pub(super) kind: StepKind,
    pub(super) at: At,
}

/// Kind of a step.
#[derive(Debug, Clone)]
pub(super) enum StepKind {
    Field(String),
    Attribute(String),
    Call(String, Vec<Expr>),
    Index(Box<Expr>),
    Range,
}

/// An operator with two sides.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Operator {
    Or,
    And,
    Equal,
    NotEqual,
    Less,
    AtMost,
    Greater,
    AtLeast,
    Plus,
    Minus,
    Times,
    By,
}
