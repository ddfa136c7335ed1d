//! Reads a query in OQL. The grammar is that of Eclipse MAT's help, "BNF for the Object Query Language", and what SQL
//! adds behind it: `GROUP BY`, `HAVING`, `ORDER BY` and `LIMIT`, with the functions of SQL.

use super::ast::{At, Expr, From, FromWhat, Head, Item, Items, List, Operator, Query, Step, StepKind};
use super::lexer::{Lexeme, LexemeKind, lexemes};
use crate::error::QueryError;

/// Deepest nesting: deeper queries are not read, so that no query exhausts the stack.
const DEEPEST: usize = 100;
/// Maximum number of operators in a query.
const MOST_OPERATORS: usize = 500;
/// Keywords that end an expression or follow a class: no alias.
pub(super) const KEYWORDS: [&str; 24] = [
    "SELECT",
    "FROM",
    "WHERE",
    "UNION",
    "ORDER",
    "GROUP",
    "LIMIT",
    "HAVING",
    "OFFSET",
    "JOIN",
    "LEFT",
    "RIGHT",
    "FULL",
    "INNER",
    "CROSS",
    "NATURAL",
    "ON",
    "USING",
    "AS",
    "EXCEPT",
    "INTERSECT",
    "AND",
    "OR",
    "WINDOW",
];

/// Reads a query.
pub(super) fn parse(query: &str) -> Result<Query, QueryError> {
    let mut parser = Parser { query, all: lexemes(query), next: 0, depth: 0, operators: 0 };
    let parsed = parser.select()?;
    while parser.takes(";") {}
    match parser.all.get(parser.next) {
        None => Ok(parsed),
        Some(_) => Err(parser.unexpected("the end of the query")),
    }
}

struct Parser<'q> {
    query: &'q str,
    all: Vec<Lexeme>,
    next: usize,
    depth: usize,
    /// Number of operators so far: each makes the expression one level deeper.
    operators: usize,
}

type Read<T> = Result<T, QueryError>;

impl Parser<'_> {
    fn is_at(&self, at: usize, word: &str) -> bool {
        self.all.get(at).is_some_and(|lexeme| lexeme.is(self.query, word))
    }

    fn is(&self, word: &str) -> bool {
        self.is_at(self.next, word)
    }

    fn kind(&self) -> Option<LexemeKind> {
        self.all.get(self.next).map(|lexeme| lexeme.kind)
    }

    /// Byte of the next word.
    fn at(&self) -> At {
        self.all.get(self.next).map_or(self.query.len(), |lexeme| lexeme.range.start)
    }

    fn text(&self) -> &str {
        self.all.get(self.next).map_or("", |lexeme| lexeme.text(self.query))
    }

    /// Passes a word or symbol if it is next.
    fn takes(&mut self, word: &str) -> bool {
        let is = self.is(word);
        self.next += usize::from(is);
        is
    }

    fn takes_all(&mut self, words: &[&str]) -> bool {
        let is = (self.next..).zip(words).all(|(at, word)| self.is_at(at, word));
        self.next += if is { words.len() } else { 0 };
        is
    }

    fn needs(&mut self, word: &str) -> Read<()> {
        if self.takes(word) { Ok(()) } else { Err(self.unexpected(word)) }
    }

    /// A name.
    fn name(&mut self, what: &str) -> Read<String> {
        if self.kind() != Some(LexemeKind::Word) {
            return Err(self.unexpected(what));
        }
        let name = self.text().to_owned();
        self.next += 1;
        Ok(name)
    }

    /// The text between quotes, if that is next.
    fn quoted(&mut self) -> Option<String> {
        let text = self.all.get(self.next).filter(|lexeme| lexeme.kind == LexemeKind::Text)?.unquoted(self.query);
        self.next += 1;
        Some(text)
    }

    fn unexpected(&self, wanted: &str) -> QueryError {
        let token_text =
            if self.text().is_empty() { "the query ends".to_owned() } else { format!("'{}' appears", self.text()) };
        QueryError::Wrong {
            message: format!("this is OQL, and {token_text} where {wanted} is expected"),
            position: Some(self.at()),
            advice: "In SQL a class is a table in double quotes: SELECT * FROM \"java.lang.String\" s".to_owned(),
        }
    }

    /// Counts an operator of a chain, which may be of any length.
    fn count_operator(&mut self) -> Read<()> {
        self.operators += 1;
        if self.operators > MOST_OPERATORS {
            return Err(QueryError::wrong("the query has too many operators"));
        }
        Ok(())
    }

    /// A binary operation of a chain.
    fn binary(&mut self, operator: Operator, left: Expr, right: Expr, at: usize) -> Read<Expr> {
        self.count_operator()?;
        Ok(Expr::Binary(operator, Box::new(left), Box::new(right), at))
    }

    fn deeper<T>(&mut self, read: impl FnOnce(&mut Self) -> Read<T>) -> Read<T> {
        if self.depth == DEEPEST {
            return Err(QueryError::wrong("the query is nested too deeply"));
        }
        self.depth += 1;
        let result = read(self);
        self.depth -= 1;
        result
    }

    fn select(&mut self) -> Read<Query> {
        self.deeper(Self::select_here)
    }

    fn select_here(&mut self) -> Read<Query> {
        let at = self.at();
        self.needs("SELECT")?;
        let mut is_distinct = self.takes("DISTINCT");
        let is_retained_set = self.takes_all(&["AS", "RETAINED", "SET"]);
        is_distinct |= self.takes("DISTINCT");
        let items = self.items()?;
        let from = self.from()?;
        let condition = if self.takes("WHERE") { Some(self.condition()?) } else { None };
        let group_by = if self.takes_all(&["GROUP", "BY"]) { self.list()? } else { Vec::new() };
        let having = if self.takes("HAVING") { Some(self.condition()?) } else { None };
        let mut unions = Vec::new();
        let (mut order_by, mut limit) = (Vec::new(), None);
        while self.takes("UNION") {
            let _all = self.takes("ALL");
            if self.takes("(") {
                unions.push(self.select()?);
                self.needs(")")?;
            } else {
                // Without parentheses the order behind the last part is that of the whole query.
                let mut part = self.select()?;
                order_by = std::mem::take(&mut part.order_by);
                limit = part.limit.take();
                unions.push(part);
            }
        }
        if self.takes_all(&["ORDER", "BY"]) {
            loop {
                let term = self.condition()?;
                let is_descending = self.takes("DESC");
                let _ascending = self.takes("ASC");
                order_by.push((term, is_descending));
                if !self.takes(",") {
                    break;
                }
            }
        }
        if self.takes("LIMIT") {
            let most = self.sum()?;
            limit = Some((most, if self.takes("OFFSET") { Some(self.sum()?) } else { None }));
        }
        Ok(Query {
            is_distinct,
            is_retained_set,
            items,
            from,
            condition,
            group_by,
            having,
            unions,
            order_by,
            limit,
            at,
        })
    }

    fn items(&mut self) -> Read<Items> {
        if self.is("*") && (self.is_at(self.next + 1, "FROM")) {
            self.next += 1;
            return Ok(Items::All);
        }
        // A column may be called so in SQL.
        let is_word = |at: usize| self.all.get(at).is_some_and(|lexeme| !matches!(lexeme.kind, LexemeKind::Symbol));
        let is_objects = self.is("OBJECTS")
            && !self.is_at(self.next + 1, "FROM")
            && !self.is_at(self.next + 1, "AS")
            && (is_word(self.next + 1) || ["@", "${", "("].iter().any(|next| self.is_at(self.next + 1, next)));
        if is_objects {
            self.next += 1;
            return Ok(Items::Objects(self.item()?));
        }
        let mut items = vec![self.item()?];
        while self.takes(",") {
            items.push(self.item()?);
        }
        Ok(Items::List(items))
    }

    fn item(&mut self) -> Read<Item> {
        let first = self.next;
        let value = self.condition()?;
        let range = self.all.get(first).zip(self.all.get(self.next.saturating_sub(1)));
        let text =
            range.map_or("", |(first, last)| self.query.get(first.range.start..last.range.end).unwrap_or_default());
        let name = text.split_whitespace().collect::<Vec<_>>().join(" ");
        if !self.takes("AS") {
            return Ok(Item { value, name });
        }
        let name = match self.quoted() {
            Some(name) => name,
            None => self.name("the name of a column")?,
        };
        Ok(Item { value, name })
    }

    fn from(&mut self) -> Read<From> {
        let at = self.at();
        self.needs("FROM")?;
        let is_next_of_objects = !self.is_at(self.next + 1, ".") && self.all.get(self.next + 1).is_some();
        let is_objects = self.is("OBJECTS") && is_next_of_objects && self.takes("OBJECTS");
        let with_subclasses = self.takes("INSTANCEOF");
        let what = self.source_of_from()?;
        let is_alias = self.kind() == Some(LexemeKind::Word)
            && !KEYWORDS.iter().any(|keyword| keyword.eq_ignore_ascii_case(self.text()));
        let alias = if is_alias { Some(self.name("an alias")?) } else { None };
        if self.is(",") || ["JOIN", "LEFT", "INNER", "CROSS", "NATURAL"].iter().any(|join| self.is(join)) {
            return Err(QueryError::Wrong {
                message: "OQL selects from one class".to_owned(),
                position: Some(self.at()),
                advice: "To join tables write SQL: FROM \"java.util.HashMap\" m JOIN refs r ON r.source = m.object"
                    .to_owned(),
            });
        }
        Ok(From { is_objects, with_subclasses, what, alias, at })
    }

    fn source_of_from(&mut self) -> Read<FromWhat> {
        if let Some(text) = self.quoted() {
            return Ok(FromWhat::Pattern(text));
        }
        if self.kind() == Some(LexemeKind::Number) {
            let mut ids = vec![self.id()?];
            while self.takes(",") {
                ids.push(self.id()?);
            }
            return Ok(FromWhat::Ids(ids));
        }
        if self.takes("(") {
            let what = if self.is("SELECT") {
                FromWhat::Query(Box::new(self.select()?))
            } else {
                FromWhat::Value(self.condition()?)
            };
            self.needs(")")?;
            return Ok(what);
        }
        if self.is("${") {
            return Ok(FromWhat::Value(self.primary()?));
        }
        Ok(FromWhat::Class(self.class_name()?))
    }

    fn class_name(&mut self) -> Read<String> {
        let mut name = self.name("a class")?;
        while self.is(".") && self.all.get(self.next + 1).is_some_and(|next| next.kind == LexemeKind::Word) {
            self.next += 1;
            name = format!("{name}.{}", self.name("a class")?);
        }
        while self.takes("[]") {
            name.push_str("[]");
        }
        Ok(name)
    }

    /// An address or id.
    fn id(&mut self) -> Read<i64> {
        let text = self.text().to_owned();
        let hex = text.strip_prefix("0x").or_else(|| text.strip_prefix("0X"));
        let id = match hex {
            Some(hex) => u64::from_str_radix(hex, 16).ok().map(|address| address as i64),
            None => text.parse().ok(),
        };
        let id = id.filter(|_| self.kind() == Some(LexemeKind::Number)).ok_or_else(|| self.unexpected("an address"))?;
        self.next += 1;
        Ok(id)
    }

    fn list(&mut self) -> Read<Vec<Expr>> {
        let mut all = vec![self.condition()?];
        while self.takes(",") {
            all.push(self.condition()?);
        }
        Ok(all)
    }

    /// `a OR b`
    fn condition(&mut self) -> Read<Expr> {
        self.deeper(|parser| {
            let mut left = parser.conjunction()?;
            loop {
                let at = parser.at();
                if parser.is("||") {
                    return Err(QueryError::Wrong {
                        message: "|| is no operator of OQL".to_owned(),
                        position: Some(at),
                        advice: "Write OR between conditions, and + between texts".to_owned(),
                    });
                }
                if !parser.takes("OR") {
                    return Ok(left);
                }
                let right = parser.conjunction()?;
                left = parser.binary(Operator::Or, left, right, at)?;
            }
        })
    }

    /// `a AND b`
    fn conjunction(&mut self) -> Read<Expr> {
        let mut left = self.negation()?;
        loop {
            let at = self.at();
            if !self.takes("AND") && !self.takes("&&") {
                return Ok(left);
            }
            let right = self.negation()?;
            left = self.binary(Operator::And, left, right, at)?;
        }
    }

    /// `NOT a`, and `a = b`
    fn negation(&mut self) -> Read<Expr> {
        if self.takes("NOT") || self.takes("!") {
            return self.deeper(|parser| Ok(Expr::Not(Box::new(parser.negation()?))));
        }
        let mut left = self.comparison()?;
        loop {
            let at = self.at();
            let operator = if ["=", "==", "==="].iter().any(|equal| self.takes(equal)) {
                Operator::Equal
            } else if ["!=", "<>", "!=="].iter().any(|unequal| self.takes(unequal)) {
                Operator::NotEqual
            } else if self.takes("IS") {
                let is_not = self.takes("NOT");
                self.needs("NULL")?;
                self.count_operator()?;
                left = Expr::IsNull(Box::new(left), is_not);
                continue;
            } else {
                return Ok(left);
            };
            let right = self.comparison()?;
            left = self.binary(operator, left, right, at)?;
        }
    }

    /// `a < b`, `a LIKE "…"`, `a IN b`, `a implements b`
    fn comparison(&mut self) -> Read<Expr> {
        let left = self.sum()?;
        let at = self.at();
        for (symbol, operator) in
            [("<=", Operator::AtMost), (">=", Operator::AtLeast), ("<", Operator::Less), (">", Operator::Greater)]
        {
            if self.takes(symbol) {
                return Ok(Expr::Binary(operator, Box::new(left), Box::new(self.sum()?), at));
            }
        }
        if self.takes("IMPLEMENTS") {
            return Ok(Expr::Implements(Box::new(left), self.class_name()?, at));
        }
        let is_not = self.takes("NOT");
        if self.takes("LIKE") {
            let at = self.at();
            let pattern = self.quoted().ok_or_else(|| self.unexpected("a regular expression in quotes"))?;
            return Ok(Expr::Like(Box::new(left), pattern, is_not, at));
        }
        if self.takes("IN") {
            let list = self.in_list()?;
            return Ok(Expr::In(Box::new(left), list, is_not, at));
        }
        if is_not { Err(self.unexpected("LIKE or IN")) } else { Ok(left) }
    }

    fn in_list(&mut self) -> Read<List> {
        if self.is("(") && !self.is_at(self.next + 1, "SELECT") {
            self.next += 1;
            let mut values = self.list()?;
            self.needs(")")?;
            return Ok(match (values.len(), values.pop()) {
                (1, Some(only @ (Expr::Path(..) | Expr::Query(_)))) => List::Of(Box::new(only)),
                (_, last) => List::Values(values.into_iter().chain(last).collect()),
            });
        }
        Ok(List::Of(Box::new(self.sum()?)))
    }

    /// `a + b`
    fn sum(&mut self) -> Read<Expr> {
        let mut left = self.product()?;
        loop {
            let at = self.at();
            let operator = if self.takes("+") {
                Operator::Plus
            } else if self.takes("-") {
                Operator::Minus
            } else {
                return Ok(left);
            };
            let right = self.product()?;
            left = self.binary(operator, left, right, at)?;
        }
    }

    /// `a * b`
    fn product(&mut self) -> Read<Expr> {
        let mut left = self.signed()?;
        loop {
            let at = self.at();
            let operator = if self.takes("*") {
                Operator::Times
            } else if self.takes("/") {
                Operator::By
            } else {
                return Ok(left);
            };
            let right = self.signed()?;
            left = self.binary(operator, left, right, at)?;
        }
    }

    fn signed(&mut self) -> Read<Expr> {
        if self.takes("-") {
            return self.deeper(|parser| Ok(Expr::Minus(Box::new(parser.signed()?))));
        }
        let _plus = self.takes("+");
        self.primary()
    }

    fn primary(&mut self) -> Read<Expr> {
        self.deeper(Self::primary_here)
    }

    fn primary_here(&mut self) -> Read<Expr> {
        let at = self.at();
        if let Some(text) = self.quoted() {
            return Ok(Expr::Text(text));
        }
        if self.kind() == Some(LexemeKind::Number) {
            let number = number(self.text()).ok_or_else(|| self.unexpected("a number"))?;
            self.next += 1;
            return Ok(Expr::Number(number));
        }
        if self.takes("(") {
            let inner = if self.is("SELECT") { Expr::Query(Box::new(self.select()?)) } else { self.condition()? };
            self.needs(")")?;
            return Ok(inner);
        }
        if self.takes("*") {
            return Ok(Expr::Star);
        }
        let head = if self.takes("@") {
            Head::Attribute(self.name("an attribute")?)
        } else if self.takes("${") {
            let name = self.name("the name of a variable")?;
            self.needs("}")?;
            Head::Variable(name)
        } else {
            let name = self.name("a value")?;
            match () {
                () if self.is("(") => Head::Call(name, self.arguments()?),
                () if name.eq_ignore_ascii_case("true") => return Ok(Expr::Bool(true)),
                () if name.eq_ignore_ascii_case("false") => return Ok(Expr::Bool(false)),
                () if name.eq_ignore_ascii_case("null") => return Ok(Expr::Null),
                () => Head::Name(name),
            }
        };
        // A method of the current object.
        let (head, mut steps) = match head {
            Head::Attribute(name) if self.is("(") => {
                let kind = StepKind::Call(name, self.arguments()?);
                (Head::Name(String::new()), vec![Step { kind, at }])
            }
            head => (head, Vec::new()),
        };
        while let Some(step) = self.step()? {
            steps.push(step);
        }
        Ok(Expr::Path(head, steps, at))
    }

    fn step(&mut self) -> Read<Option<Step>> {
        let at = self.at();
        let kind = if self.takes(".") {
            let is_attribute = self.takes("@");
            let name = match self.quoted() {
                Some(name) => name,
                None => self.name("the name of a field")?,
            };
            match () {
                () if self.is("(") => StepKind::Call(name, self.arguments()?),
                () if is_attribute => StepKind::Attribute(name),
                () => StepKind::Field(name),
            }
        } else if self.takes("[") {
            let first = Box::new(self.sum()?);
            let kind = if self.takes(":") {
                let _last = self.sum()?;
                StepKind::Range
            } else {
                StepKind::Index(first)
            };
            self.needs("]")?;
            kind
        } else {
            return Ok(None);
        };
        Ok(Some(Step { kind, at }))
    }

    /// Arguments in parentheses.
    fn arguments(&mut self) -> Read<Vec<Expr>> {
        self.needs("(")?;
        let mut all = Vec::new();
        while !self.takes(")") {
            let is_distinct = self.takes("DISTINCT");
            let argument = self.condition()?;
            all.push(if is_distinct { Expr::Distinct(Box::new(argument)) } else { argument });
            if !self.is(")") {
                self.needs(",")?;
            }
        }
        Ok(all)
    }
}

/// A number of Java as SQL writes it.
fn number(text: &str) -> Option<String> {
    if let Some(hex) = text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")) {
        return Some((u64::from_str_radix(hex, 16).ok()? as i64).to_string());
    }
    let plain = text.strip_suffix(['l', 'L']).unwrap_or(text);
    if let Ok(integer) = plain.parse::<i64>() {
        return Some(integer.to_string());
    }
    // Without the letter of a double it is a float, as in MAT, so that it equals a float in the heap.
    let number = match text.strip_suffix(['d', 'D']) {
        Some(double) => double.parse::<f64>().ok()?,
        None => text.strip_suffix(['f', 'F']).unwrap_or(text).parse::<f32>().ok()?.into(),
    };
    number.is_finite().then(|| format!("{number:?}"))
}
