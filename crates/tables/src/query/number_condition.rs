//! Conditions on numbers in a filter: `retained>1MB`, `objects=10..100`, `>5%`.

use std::str::FromStr;

use crate::columns::Value;
use heaplens_base::{Bytes, Share};

/// A number of a row, as conditions compare it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Quantity {
    /// The number: bytes, a count, or a part of 1.
    pub value: f64,
    /// The number that is 100 %: the reachable bytes for a size; `None` for counts.
    pub total: Option<f64>,
}

impl Quantity {
    /// A size as a part of all reachable bytes.
    pub fn size(Bytes(bytes): Bytes, Bytes(reachable): Bytes) -> Self {
        Self { value: bytes as f64, total: Some(reachable as f64) }
    }

    /// A count.
    pub fn count(count: u64) -> Self {
        Self { value: count as f64, total: None }
    }

    /// The number in a cell; `None` for text and empty cells.
    pub fn of_cell(cell: &Value<'_>, Bytes(reachable): Bytes) -> Option<Self> {
        let (value, total) = match cell {
            Value::Count(count) => (*count as f64, None),
            Value::Integer(number) => (*number as f64, None),
            Value::Real(number) => (*number, None),
            Value::Bytes(Bytes(bytes)) => (*bytes as f64, Some(reachable as f64)),
            Value::CountDelta(more) => (more.0 as f64, None),
            Value::ByteDelta(more) => (more.0 as f64, Some(reachable as f64)),
            Value::Share(Share { part, total }) => (*part as f64 / (*total).max(1) as f64, Some(1.0)),
            // An added row is greatest, as when rows are sorted.
            Value::Change { before: 0, .. } => (f64::INFINITY, Some(1.0)),
            Value::Text(_) | Value::Object(..) | Value::Flag(..) | Value::Numeral(_) | Value::Null => return None,
            Value::Change { before, after } => ((*after as f64 - *before as f64) / *before as f64, Some(1.0)),
        };
        Some(Self { value, total })
    }
}

/// End of a range.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Bound {
    value: f64,
    /// True if the value is a percentage of the whole.
    is_percent: bool,
    /// True if the value itself is in the range.
    is_inclusive: bool,
}

impl Bound {
    /// True if the value is a percentage, for a column whose 100 % is `total`.
    fn is_percent_of(self, total: Option<f64>) -> bool {
        // A share is shown as a percentage: a number above 1 means one.
        self.is_percent || (total == Some(1.0) && self.value.abs() > 1.0)
    }

    /// True if a quantity is on the right side: the order of quantity and bound must be `wanted`, or equal.
    fn admits(self, quantity: Quantity, wanted: std::cmp::Ordering) -> bool {
        let value = match (self.is_percent_of(quantity.total), quantity.total) {
            (false, _) => quantity.value,
            (true, Some(total)) if total > 0.0 => quantity.value / total * 100.0,
            (true, _) => return false,
        };
        let order = value.partial_cmp(&self.value);
        order == Some(wanted) || (self.is_inclusive && order == Some(std::cmp::Ordering::Equal))
    }
}

/// One comparison of a condition.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct NumberBound {
    /// The number that is 100 %, if the number of a row is compared as a percentage of it.
    pub percent_of: Option<f64>,
    /// `<`, `<=`, `>` or `>=`.
    pub sign: &'static str,
    /// What the number of a row is compared with.
    pub value: f64,
}

/// A condition on the number in one column.
#[derive(Debug, Clone, PartialEq)]
pub struct NumberCondition {
    /// Name of the column in lower-case letters, as typed; empty for the main size of the table.
    column: String,
    least: Option<Bound>,
    most: Option<Bound>,
}

impl NumberCondition {
    /// True if the quantity is in the range.
    pub fn admits(&self, quantity: Quantity) -> bool {
        self.least.is_none_or(|least| least.admits(quantity, std::cmp::Ordering::Greater))
            && self.most.is_none_or(|most| most.admits(quantity, std::cmp::Ordering::Less))
    }

    /// The comparisons that it consists of, for a column whose 100 % is `total`; all must be true. `None` for a percentage
    /// of a column without one, which no row meets.
    pub fn bounds(&self, total: Option<f64>) -> Option<Vec<NumberBound>> {
        let bound = |bound: &Bound, signs: [&'static str; 2]| {
            let is_percent = bound.is_percent_of(total);
            let percent_of = if is_percent { Some(total.filter(|&total| total > 0.0)?) } else { None };
            Some(NumberBound { percent_of, sign: signs[usize::from(bound.is_inclusive)], value: bound.value })
        };
        let least = self.least.iter().map(|least| bound(least, [">", ">="]));
        least.chain(self.most.iter().map(|most| bound(most, ["<", "<="]))).collect()
    }

    /// Place of its column among those with these keys; a key is empty if the column has no numbers. The unit of a key
    /// may be omitted. The main size is the retained size, in a comparison its change, else the first size.
    ///
    /// # Errors
    /// A message with the columns that a condition may name.
    pub fn position(&self, keys: &[&str]) -> Result<usize, String> {
        let position = |is_meant: &dyn Fn(&str) -> bool| keys.iter().position(|key| !key.is_empty() && is_meant(key));
        let column = if self.column.is_empty() {
            let first = || position(&|key| key.ends_with(UNIT) && !key.starts_with("before_"));
            MAIN_SIZES.iter().find_map(|main| position(&|key| key == *main)).or_else(first)
        } else {
            position(&|key| key == self.column || without_unit(key) == self.column)
        };
        column.ok_or_else(|| self.no_column(keys))
    }

    /// Error message for a table with other columns.
    fn no_column(&self, keys: &[&str]) -> String {
        let names: Vec<&str> = keys.iter().filter(|key| !key.is_empty()).map(|key| without_unit(key)).collect();
        match (self.column.is_empty(), &*names) {
            (_, []) => "there are no numbers to compare here".to_owned(),
            (true, _) => format!("there is no size; name a column: {}", names.join(", ")),
            (false, _) => {
                let names = names.join(", ");
                format!(
                    "no column of numbers is called '{}'; there are: {names}. Text is searched for with /…/",
                    self.column
                )
            }
        }
    }
}

/// True if all conditions are met; `number` gives the number at the place of a condition's column.
pub fn all_are_met(placed: &[(usize, NumberCondition)], number: impl Fn(usize) -> Option<Quantity>) -> bool {
    placed.iter().all(|(column, condition)| number(*column).is_some_and(|number| condition.admits(number)))
}

/// Keys of the main size of a table, the first that it has.
const MAIN_SIZES: [&str; 2] = ["retained_bytes", "delta_retained_bytes"];

/// End of the keys of sizes.
const UNIT: &str = "_bytes";

fn without_unit(key: &str) -> &str {
    key.strip_suffix(UNIT).unwrap_or(key)
}

/// Reads `NAME>NUMBER`, `NAME>=`, `NAME<`, `NAME<=`, `NAME=NUMBER` or `NAME=NUMBER..NUMBER`; without a name the
/// operator must be `<` or `>`.
impl FromStr for NumberCondition {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        let at = text.find(['<', '>', '=']).ok_or(())?;
        let (name, rest) = text.split_at(at);
        let is_name = name.chars().all(|c| c.is_alphanumeric() || c == '_');
        let (sign, rest) = rest.split_at(1);
        let (is_inclusive, rest) = rest.strip_prefix('=').map_or((sign == "=", rest), |rest| (true, rest));
        if !is_name || (name.is_empty() && sign == "=") || (sign == "=" && text[at + 1..].starts_with('=')) {
            return Err(());
        }
        let bound = |text: &str| {
            let (value, is_percent) = number(text)?;
            Some(Bound { value, is_percent, is_inclusive })
        };
        let (least, most) = match (sign, rest.split_once("..")) {
            (">", None) => (Some(bound(rest).ok_or(())?), None),
            ("<", None) => (None, Some(bound(rest).ok_or(())?)),
            ("=", None) => (Some(bound(rest).ok_or(())?), Some(bound(rest).ok_or(())?)),
            ("=", Some((least, most))) => (Some(bound(least).ok_or(())?), Some(bound(most).ok_or(())?)),
            _ => return Err(()),
        };
        Ok(Self { column: name.to_lowercase(), least, most })
    }
}

/// Units, in lower-case letters, with their factors. Sizes are written with powers of ten, as everywhere.
const UNITS: [(&str, f64); 14] = [
    ("kib", 1024.0),
    ("mib", 1_048_576.0),
    ("gib", 1_073_741_824.0),
    ("tib", 1_099_511_627_776.0),
    ("kb", 1e3),
    ("mb", 1e6),
    ("gb", 1e9),
    ("tb", 1e12),
    ("k", 1e3),
    ("m", 1e6),
    ("g", 1e9),
    ("t", 1e12),
    ("b", 1.0),
    ("", 1.0),
];

/// A number with an optional unit, and true if it is a percentage: `1.5MB`, `-20,000`, `5%`.
fn number(text: &str) -> Option<(f64, bool)> {
    let text = text.to_lowercase().replace([',', '_'], "").replace('−', "-");
    let (digits, is_percent) = text.strip_suffix('%').map_or((&*text, false), |digits| (digits, true));
    let (digits, factor) = if is_percent {
        (digits, 1.0)
    } else {
        UNITS.iter().find_map(|(unit, factor)| Some((digits.strip_suffix(unit)?, *factor)))?
    };
    let plain = digits.chars().all(|c| c.is_ascii_digit() || matches!(c, '.' | '-'));
    let value: f64 = digits.parse().ok().filter(|_| plain)?;
    Some((value * factor, is_percent))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn admits(condition: &str, value: f64, total: Option<f64>) -> bool {
        condition.parse::<NumberCondition>().expect(condition).admits(Quantity { value, total })
    }

    #[test]
    fn ranges_have_units_and_ends() {
        assert!(admits("retained>1MB", 1_000_001.0, None) && !admits("retained>1MB", 1e6, None));
        assert!(admits("retained>=1mb", 1e6, None) && admits("x>1KiB", 1025.0, None));
        assert!(admits("n=10..20", 10.0, None) && admits("n=10..20", 20.0, None) && !admits("n=10..20", 21.0, None));
        assert!(admits("n<-5", -6.0, None) && !admits("n<−5", -5.0, None) && admits("n=20,000", 2e4, None));
        assert!(admits(">5%", 6.0, Some(100.0)) && !admits(">5%", 6.0, None) && !admits(">5%", 6.0, Some(0.0)));
        assert!(admits("share>2.5%", 0.03, Some(1.0)) && admits("share>2.5", 0.03, Some(1.0)));
        assert!(admits("share>0.02", 0.03, Some(1.0)) && !admits("share>5", 0.03, Some(1.0)));
        assert!(admits("change>50%", f64::INFINITY, Some(1.0)));
    }

    #[test]
    fn other_words_are_no_conditions() {
        let others =
            ["a", "=5", "a==5", "a>b", "a>", "<init>", "->x", "a.b>5", "a>1e5", "a>5..6", "(x)=>1", "n=1..", ">"];
        for text in others {
            assert!(text.parse::<NumberCondition>().is_err(), "{text}");
        }
    }

    #[test]
    fn a_condition_names_a_column_by_its_key() {
        let keys = ["", "objects", "shallow_bytes", "retained_bytes"];
        let position =
            |condition: &str, keys: &[&str]| condition.parse::<NumberCondition>().expect(condition).position(keys);
        assert_eq!(position("shallow>1", &keys), Ok(2));
        assert_eq!(position("shallow_bytes>1", &keys), Ok(2));
        assert_eq!((position(">1", &keys), position(">1", &keys[..3])), (Ok(3), Ok(2)));
        assert_eq!(position(">1", &["before_shallow_bytes", "after_shallow_bytes", "delta_retained_bytes"]), Ok(2));
        assert_eq!(position(">1", &["before_shallow_bytes", "after_shallow_bytes"]), Ok(1));
        let unknown = "no column of numbers is called 'depth'; there are: objects, shallow, retained. Text is searched for with /…/";
        assert_eq!(position("depth>1", &keys), Err(unknown.to_owned()));
        assert!(position(">1", &["objects"]).is_err() && position("x>1", &[""]).is_err());
    }
}
