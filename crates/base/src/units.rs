//! Sizes, counts and shares, and how each is formatted.
//!
//! Sizes are integers of 64 bits, in bytes, never floats. Human-readable forms use powers of ten (`2.4 MB` is
//! 2,400,000 bytes), so that rounded and exact sizes start with the same digits.

use std::ops::{Add, AddAssign, Div, Mul, Neg, Sub, SubAssign};
use std::{fmt, iter::Sum};

use serde::{Deserialize, Serialize};

/// A number of bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Hash, Serialize, Deserialize)]
pub struct Bytes(pub u64);

impl Add for Bytes {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self(self.0.saturating_add(other.0))
    }
}

impl AddAssign for Bytes {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl Sum for Bytes {
    fn sum<I: Iterator<Item = Self>>(iter: I) -> Self {
        iter.fold(Self(0), Add::add)
    }
}

/// At least 0: [`ByteDelta::between`] has a sign.
impl Sub for Bytes {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        Self(self.0.saturating_sub(other.0))
    }
}

impl SubAssign for Bytes {
    fn sub_assign(&mut self, other: Self) {
        *self = *self - other;
    }
}

impl Mul<u64> for Bytes {
    type Output = Self;
    fn mul(self, times: u64) -> Self {
        Self(self.0.saturating_mul(times))
    }
}

/// Rounded down; 0 if divided by 0.
impl Div<u64> for Bytes {
    type Output = Self;
    fn div(self, parts: u64) -> Self {
        Self(self.0.checked_div(parts).unwrap_or(0))
    }
}

impl Bytes {
    /// All digits, in groups of three: `12,345,678`.
    pub fn exact(self) -> String {
        grouped(self.0)
    }

    /// Size as people write it: `800`, `500kB`, `1.5 GiB`.
    ///
    /// # Errors
    /// A message if the text is no size.
    ///
    /// ```
    /// # use heaplens_base::units::Bytes;
    /// assert_eq!(Bytes::parse("1.5MB"), Ok(Bytes(1_500_000)));
    /// ```
    pub fn parse(text: &str) -> Result<Self, String> {
        let digits = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
        let (number, unit) = text.split_at(digits);
        let factor: u64 = match unit.trim().to_ascii_lowercase().as_str() {
            "" | "b" => 1,
            "k" | "kb" => 1_000,
            "m" | "mb" => 1_000_000,
            "g" | "gb" => 1_000_000_000,
            "t" | "tb" => 1_000_000_000_000,
            "kib" => 1 << 10,
            "mib" => 1 << 20,
            "gib" => 1 << 30,
            "tib" => 1 << 40,
            _ => return Err(format!("unknown unit '{unit}'; expected a size such as 800MB or 2GiB")),
        };
        let number: f64 = number.parse().map_err(|_no_number| "expected a size such as 800MB or 2GiB".to_owned())?;
        Ok(Self((number * factor as f64) as u64))
    }
}

/// `812 B`, `2.4 MB`, `31 GB`: three significant digits at most.
///
/// ```
/// # use heaplens_base::units::Bytes;
/// assert_eq!(Bytes(2_400_000).to_string(), "2.4 MB");
/// assert_eq!(Bytes(2_400_000).exact(), "2,400,000");
/// ```
impl fmt::Display for Bytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const UNITS: [&str; 6] = ["kB", "MB", "GB", "TB", "PB", "EB"];
        if self.0 < 1_000 {
            return f.pad(&format!("{} B", self.0));
        }
        // Tenths of the unit, rounded half up; a carry into 1,000 moves to the next unit.
        let mut scale: u128 = 1_000;
        for (i, unit) in UNITS.iter().enumerate() {
            let tenths = (u128::from(self.0) * 10 + scale / 2) / scale;
            if tenths < 1_000 {
                return f.pad(&format!("{}.{} {unit}", tenths / 10, tenths % 10));
            }
            let rounded = (u128::from(self.0) + scale / 2) / scale;
            if rounded < 1_000 || i + 1 == UNITS.len() {
                return f.pad(&format!("{rounded} {unit}"));
            }
            scale *= 1_000;
        }
        Ok(())
    }
}

/// A count, formatted with all digits in groups of three.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Hash)]
pub struct Count(pub u64);

impl Count {
    /// Formats the count with the singular or plural noun.
    ///
    /// ```
    /// # use heaplens_base::units::Count;
    /// assert_eq!(Count(1).of("class", "classes"), "1 class");
    /// assert_eq!(Count(4_711).of("class", "classes"), "4,711 classes");
    /// ```
    pub fn of(self, one: &str, many: &str) -> String {
        format!("{self} {}", self.word(one, many))
    }

    /// Returns the singular or plural noun for this count.
    pub fn word<'a>(self, one: &'a str, many: &'a str) -> &'a str {
        if self.0 == 1 { one } else { many }
    }
}

impl fmt::Display for Count {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&grouped(self.0))
    }
}

/// A difference of bytes: `+13.1 MB`, `−812 B`, `0 B`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Hash, Serialize, Deserialize)]
pub struct ByteDelta(pub i64);

impl ByteDelta {
    /// Difference `after - before`.
    pub fn between(before: Bytes, after: Bytes) -> Self {
        Self(after.0.cast_signed().saturating_sub(before.0.cast_signed()))
    }

    /// All digits, in groups of three, with its sign: `+12,345,678`.
    pub fn exact(self) -> String {
        format!("{}{}", sign(self.0), grouped(self.0.unsigned_abs()))
    }
}

impl Add for ByteDelta {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self(self.0.saturating_add(other.0))
    }
}

impl AddAssign for ByteDelta {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl Neg for ByteDelta {
    type Output = Self;
    fn neg(self) -> Self {
        Self(self.0.saturating_neg())
    }
}

impl Sum for ByteDelta {
    fn sum<I: Iterator<Item = Self>>(iter: I) -> Self {
        iter.fold(Self(0), Add::add)
    }
}

impl fmt::Display for ByteDelta {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&format!("{}{}", sign(self.0), Bytes(self.0.unsigned_abs())))
    }
}

/// A difference of counts, with all digits in groups of three: `+20,000`, `−3`, `0`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Hash, Serialize, Deserialize)]
pub struct CountDelta(pub i64);

impl CountDelta {
    /// Difference `after - before`.
    pub fn between(before: u64, after: u64) -> Self {
        Self(after.cast_signed().saturating_sub(before.cast_signed()))
    }
}

impl Add for CountDelta {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self(self.0.saturating_add(other.0))
    }
}

impl AddAssign for CountDelta {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl Neg for CountDelta {
    type Output = Self;
    fn neg(self) -> Self {
        Self(self.0.saturating_neg())
    }
}

impl Sum for CountDelta {
    fn sum<I: Iterator<Item = Self>>(iter: I) -> Self {
        iter.fold(Self(0), Add::add)
    }
}

impl fmt::Display for CountDelta {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&format!("{}{}", sign(self.0), grouped(self.0.unsigned_abs())))
    }
}

/// Sign of a difference; U+2212 for minus, which is as wide as a plus.
fn sign(difference: i64) -> &'static str {
    match difference {
        1.. => "+",
        0 => "",
        _ => "−",
    }
}

/// A fraction of a whole, formatted as a percentage with one decimal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Share {
    /// The part, in any unit.
    pub part: u64,
    /// The whole, in the same unit; if it is 0, the share is 0 %.
    pub total: u64,
}

impl Share {
    /// `part` of `total`.
    pub fn of(part: Bytes, total: Bytes) -> Self {
        Self { part: part.0, total: total.0 }
    }

    /// Thousandths, rounded half up.
    pub fn per_mille(self) -> u64 {
        if self.total == 0 {
            return 0;
        }
        let mille = (u128::from(self.part) * 1_000 + u128::from(self.total) / 2) / u128::from(self.total);
        u64::try_from(mille).unwrap_or(u64::MAX)
    }
}

/// `31.4 %`; a share above 0 that rounds to 0 is formatted as `<0.1 %`.
impl fmt::Display for Share {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mille = self.per_mille();
        if mille == 0 && self.part > 0 && self.total > 0 {
            return f.pad("<0.1 %");
        }
        f.pad(&format!("{}.{} %", mille / 10, mille % 10))
    }
}

fn grouped(n: u64) -> String {
    let digits = n.to_string();
    let mut out = String::with_capacity(digits.len() + digits.len() / 3);
    for (i, d) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push(',');
        }
        out.push(d);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_have_readable_units() {
        let cases = [
            (0, "0 B"),
            (999, "999 B"),
            (1_000, "1.0 kB"),
            (2_400_000, "2.4 MB"),
            (99_949, "99.9 kB"),
            (99_950, "100 kB"),
            (999_499, "999 kB"),
            (999_500, "1.0 MB"),
            (u64::MAX, "18.4 EB"),
        ];
        for (n, text) in cases {
            assert_eq!(Bytes(n).to_string(), text, "{n}");
        }
        assert_eq!(Bytes(12_345_678).exact(), "12,345,678");
        assert_eq!(Count(100).to_string(), "100");
    }

    #[test]
    fn sizes_and_differences_are_added_and_subtracted() {
        assert_eq!(Bytes(5) - Bytes(7), Bytes(0));
        assert_eq!([Bytes(3) * 4, Bytes(7) / 2, Bytes(7) / 0], [Bytes(12), Bytes(3), Bytes(0)]);
        let sum: ByteDelta = [ByteDelta(5), -ByteDelta(7)].into_iter().sum();
        assert_eq!(sum.to_string(), "−2 B");
        assert_eq!([CountDelta(5), CountDelta(-7)].into_iter().sum::<CountDelta>(), CountDelta(-2));
    }

    #[test]
    fn small_shares_are_not_rounded_to_zero() {
        let share = |part, total| Share { part, total }.to_string();
        assert_eq!(share(1, 3), "33.3 %");
        assert_eq!(share(1, 1_000_000), "<0.1 %");
        assert_eq!(share(0, 10), "0.0 %");
        assert_eq!(share(5, 0), "0.0 %");
        assert_eq!(share(u64::MAX, u64::MAX), "100.0 %");
    }
}
