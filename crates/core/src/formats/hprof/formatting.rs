//! Numbers, dates and addresses of the Java runtime as text.

use super::peek::Fields;
use crate::heap::Value;

/// Maximum number of 32-bit words of a number written in full: 154 digits.
const WORDS: u32 = 16;
/// Maximum number of characters of a bit set, more than fits a label; also the number of words searched for set bits.
const BITS: usize = 100;
const LONGS: u64 = 1 << 12;

/// `class.method(Source.java:12)`
pub(super) fn frame(fields: Fields<'_>) -> Option<String> {
    let text = |name| fields.peek.text(fields.object(&[name])?);
    let (class, method) = (text("declaringClass")?, text("methodName")?);
    let line = fields.integer("lineNumber").filter(|&line| line > 0).map(|line| format!(":{line}"));
    Some(match text("fileName") {
        Some(file) => format!("{class}.{method}({file}{})", line.unwrap_or_default()),
        None => format!("{class}.{method}"),
    })
}

/// A URI has its text only after it was first requested, but always its parts.
pub(super) fn uri(fields: Fields<'_>) -> Option<String> {
    let text = |name| fields.peek.text(fields.object(&[name])?);
    if let Some(whole) = text("string") {
        return Some(whole);
    }
    let scheme = text("scheme").map(|scheme| scheme + ":").unwrap_or_default();
    let host = text("authority").or_else(|| text("host")).map(|host| format!("//{host}")).unwrap_or_default();
    let path = text("path").or_else(|| text("schemeSpecificPart"))?;
    Some(format!("{scheme}{host}{path}"))
}

pub(super) fn url(fields: Fields<'_>) -> Option<String> {
    let text = |name| fields.peek.text(fields.object(&[name])?);
    let (protocol, file) = (text("protocol")?, text("file").unwrap_or_default());
    let host = text("authority").or_else(|| text("host")).filter(|host| !host.is_empty());
    Some(format!("{protocol}:{}{file}", host.map(|host| format!("//{host}")).unwrap_or_default()))
}

pub(super) fn locale(fields: Fields<'_>) -> Option<String> {
    match fields.object(&["baseLocale"]) {
        Some(base) => base_locale(fields.peek.fields(base, "sun.util.locale.BaseLocale")?),
        // JDK 6.
        None => base_locale(fields),
    }
}

pub(super) fn base_locale(fields: Fields<'_>) -> Option<String> {
    let text = |names: &[&str]| fields.peek.text(fields.object(names)?).filter(|text| !text.is_empty());
    // The root locale has a language, which is empty.
    fields.get("language")?;
    let parts = [text(&["language"]), text(&["script"]), text(&["region", "country"]), text(&["variant"])];
    let parts: Vec<String> = parts.into_iter().flatten().collect();
    Some(if parts.is_empty() { "root".to_owned() } else { parts.join("_") })
}

pub(super) fn uuid(fields: Fields<'_>) -> Option<String> {
    let most = fields.integer("mostSigBits")?.cast_unsigned();
    let least = fields.integer("leastSigBits")?.cast_unsigned();
    Some(format!(
        "{:08x}-{:04x}-{:04x}-{:04x}-{:012x}",
        most >> 32,
        (most >> 16) & 0xffff,
        most & 0xffff,
        least >> 48,
        least & 0xffff_ffff_ffff
    ))
}

/// Sign and digits of a number; `None` for one too long.
fn digits(fields: Fields<'_>) -> Option<(bool, String)> {
    let negative = fields.integer("signum")? < 0;
    let array = fields.peek.array(fields.object(&["mag"])?)?;
    if array.length > WORDS {
        return None;
    }
    let words = (0..u64::from(array.length)).map_while(|at| match fields.peek.element(&array, at)? {
        Value::Int(word) => Some(word.cast_unsigned()),
        _ => None,
    });
    Some((negative, decimal(words.collect())))
}

/// Decimal digits of a number given by its words, highest first.
fn decimal(mut words: Vec<u32>) -> String {
    const BILLION: u64 = 1_000_000_000;
    let mut groups = Vec::new();
    while words.iter().any(|&word| word != 0) {
        let mut rest = 0;
        for word in &mut words {
            let dividend = rest << 32 | u64::from(*word);
            *word = (dividend / BILLION) as u32;
            rest = dividend % BILLION;
        }
        groups.push(rest);
    }
    let Some(first) = groups.pop() else { return "0".to_owned() };
    let rest = groups.iter().rev().map(|group| format!("{group:09}"));
    std::iter::once(first.to_string()).chain(rest).collect()
}

pub(super) fn big_integer(fields: Fields<'_>) -> Option<String> {
    let sign = |negative: bool| if negative { "-" } else { "" };
    if let Some((negative, digits)) = digits(fields) {
        return Some(format!("{}{digits}", sign(negative)));
    }
    let words = fields.peek.array(fields.object(&["mag"])?)?.length;
    Some(format!("{}… ({} bits)", sign(fields.integer("signum")? < 0), u64::from(words) * 32))
}

/// Format of `BitSet.toString`, up to the length of a label.
pub(super) fn bit_set(fields: Fields<'_>) -> Option<String> {
    let peek = fields.peek;
    let words = peek.array(fields.object(&["words"])?)?;
    let (mut places, mut length) = (Vec::new(), 0);
    for at in 0..u64::from(words.length) {
        let Some(Value::Long(mut word)) = peek.element(&words, at) else { break };
        if length >= BITS || at >= LONGS {
            places.push("…".to_owned());
            break;
        }
        while word != 0 && length < BITS {
            let place = (at * 64 + u64::from(word.trailing_zeros())).to_string();
            length += place.len();
            places.push(place);
            word &= word.wrapping_sub(1);
        }
    }
    Some(format!("{{{}}}", places.join(", ")))
}

/// Format of `BigDecimal.toString`.
pub(super) fn big_decimal(fields: Fields<'_>) -> Option<String> {
    let compact = fields.integer("intCompact").filter(|&n| n != i64::MIN);
    let (negative, digits) = match compact {
        Some(n) => (n < 0, n.unsigned_abs().to_string()),
        None => digits(fields.peek.fields(fields.object(&["intVal"])?, "java.math.BigInteger")?)?,
    };
    let text = scaled(&digits, fields.integer("scale")?);
    Some(if negative { format!("-{text}") } else { text })
}

fn scaled(digits: &str, scale: i64) -> String {
    let length = digits.len() as i64;
    let exponent = length - 1 - scale;
    if scale == 0 {
        return digits.to_owned();
    }
    // At most six zeros before the first digit.
    if scale > 0 && exponent >= -6 {
        let padded = format!("{digits:0>width$}", width = usize::try_from(scale + 1).unwrap_or(0));
        let point = padded.len().saturating_sub(usize::try_from(scale).unwrap_or(0));
        let (whole, part) = padded.split_at_checked(point).unwrap_or((&padded, ""));
        return format!("{whole}.{part}");
    }
    let (first, rest) = digits.split_at_checked(1).unwrap_or((digits, ""));
    let point = if rest.is_empty() { "" } else { "." };
    format!("{first}{point}{rest}E{exponent:+}")
}

pub(super) fn date(fields: Fields<'_>) -> Option<String> {
    let (year, month, day) = (fields.integer("year")?, fields.integer("month")?, fields.integer("day")?);
    Some(format!("{year:04}-{month:02}-{day:02}"))
}

pub(super) fn time(fields: Fields<'_>) -> Option<String> {
    let (hour, minute) = (fields.integer("hour")?, fields.integer("minute")?);
    let (second, nano) = (fields.integer("second")?, fields.integer("nano")?);
    Some(format!("{hour:02}:{minute:02}:{second:02}{}", fraction(nano)))
}

/// `.5` for half a second; empty for whole seconds.
fn fraction(nanos: i64) -> String {
    if nanos == 0 {
        return String::new();
    }
    format!(".{nanos:09}").trim_end_matches('0').to_owned()
}

pub(super) fn instant(fields: Fields<'_>) -> Option<String> {
    Some(moment(fields.integer("seconds")?, fields.integer("nanos")?))
}

pub(super) fn old_date(fields: Fields<'_>) -> Option<String> {
    let millis = fields.integer("fastTime")?;
    Some(moment(millis.div_euclid(1_000), millis.rem_euclid(1_000) * 1_000_000))
}

/// Formats seconds since 1970 as a date and a time in UTC, in the Gregorian calendar.
fn moment(seconds: i64, nanos: i64) -> String {
    let (days, second) = (seconds.div_euclid(86_400), seconds.rem_euclid(86_400));
    // Days since 1 March of the year 0, in eras of 400 years: leap days come last.
    let shifted = days.saturating_add(719_468);
    let (era, day) = (shifted.div_euclid(146_097), shifted.rem_euclid(146_097));
    let year_of_era = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let day_of_year = day - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let march_month = (5 * day_of_year + 2) / 153;
    let day_of_month = day_of_year - (153 * march_month + 2) / 5 + 1;
    let month = if march_month < 10 { march_month + 3 } else { march_month - 9 };
    let year = year_of_era + era * 400 + i64::from(month <= 2);
    let (hour, minute, second) = (second / 3_600, second / 60 % 60, second % 60);
    format!("{year:04}-{month:02}-{day_of_month:02}T{hour:02}:{minute:02}:{second:02}{}Z", fraction(nanos))
}

/// Format of `Duration.toString`, but in seconds if negative.
pub(super) fn duration(fields: Fields<'_>) -> Option<String> {
    let (seconds, nanos) = (fields.integer("seconds")?, fields.integer("nanos")?);
    Some(span(seconds, nanos))
}

fn span(seconds: i64, nanos: i64) -> String {
    if seconds < 0 {
        return format!("{} s", seconds as f64 + nanos as f64 / 1e9);
    }
    let (hours, minutes, rest) = (seconds / 3_600, seconds / 60 % 60, seconds % 60);
    let part = |n: i64, unit: &str| if n == 0 { String::new() } else { format!("{n}{unit}") };
    let seconds = if rest != 0 || nanos != 0 || hours == 0 && minutes == 0 {
        format!("{rest}{}S", fraction(nanos))
    } else {
        String::new()
    };
    format!("PT{}{}{seconds}", part(hours, "H"), part(minutes, "M"))
}

#[cfg(test)]
mod tests {
    use super::{decimal, moment, scaled, span};

    #[test]
    fn numbers_are_exact() {
        assert_eq!(decimal(vec![]), "0");
        assert_eq!(decimal(vec![0x8000_0000, 0]), "9223372036854775808");
        assert_eq!(decimal(vec![1, 0, 0, 0]), "79228162514264337593543950336");
        for (digits, scale, text) in [
            ("123", 2, "1.23"),
            ("5", 3, "0.005"),
            ("1", 7, "1E-7"),
            ("123", -2, "1.23E+4"),
            ("0", 0, "0"),
            ("7", i64::from(i32::MAX), "7E-2147483647"),
        ] {
            assert_eq!(scaled(digits, scale), text);
        }
    }

    #[test]
    fn moments_and_spans() {
        assert_eq!(moment(0, 0), "1970-01-01T00:00:00Z");
        assert_eq!(moment(1_709_164_800, 500_000_000), "2024-02-29T00:00:00.5Z");
        assert_eq!(moment(-1, 0), "1969-12-31T23:59:59Z");
        // Must not panic for any value in a file.
        let _ = (moment(i64::MAX, i64::MIN), moment(i64::MIN, 0));
        assert_eq!(span(5_400, 0), "PT1H30M");
        assert_eq!(span(0, 250_000_000), "PT0.25S");
    }
}
