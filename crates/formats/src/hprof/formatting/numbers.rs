//! Numbers of the Java library as text.

use crate::hprof::counters;
use crate::hprof::peek::Fields;
use heaplens_heap::Value;

/// Maximum number of 32-bit words of a number written in full: 154 digits.
const WORDS: u32 = 16;
/// Maximum number of characters of a bit set, more than fits a label; also the number of words searched for set bits.
const BITS: usize = 100;
const LONGS: u64 = 1 << 12;

pub(super) fn uuid(fields: Fields<'_>) -> Option<String> {
    let most = fields.integer("mostSigBits")?.cast_unsigned();
    let low = fields.integer("leastSigBits")?.cast_unsigned();
    Some(format!(
        "{:08x}-{:04x}-{:04x}-{:04x}-{:012x}",
        most >> 32,
        (most >> 16) & 0xffff,
        most & 0xffff,
        low >> 48,
        low & 0xffff_ffff_ffff
    ))
}

/// Sum of a `LongAdder`.
pub(super) fn adder(fields: Fields<'_>) -> Option<String> {
    counters::added(fields, "base", "cells").map(|sum| sum.to_string())
}

/// Sum of a `DoubleAdder`.
pub(super) fn double_adder(fields: Fields<'_>) -> Option<String> {
    counters::added_floats(fields, "base", "cells").map(|sum| sum.to_string())
}

/// Value of a `LongAccumulator` that only one thread used: how values of several are combined is code.
pub(super) fn accumulator(fields: Fields<'_>) -> Option<String> {
    fields.object(&["cells"]).is_none().then(|| adder(fields))?
}

pub(super) fn double_accumulator(fields: Fields<'_>) -> Option<String> {
    fields.object(&["cells"]).is_none().then(|| double_adder(fields))?
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
    let (mut bits, mut length) = (Vec::new(), 0);
    for at in 0..u64::from(words.length) {
        let Some(Value::Long(mut word)) = peek.element(&words, at) else { break };
        if length >= BITS || at >= LONGS {
            bits.push("…".to_owned());
            break;
        }
        while word != 0 && length < BITS {
            let index = (at * 64 + u64::from(word.trailing_zeros())).to_string();
            length += index.len();
            bits.push(index);
            word &= word.wrapping_sub(1);
        }
    }
    Some(format!("{{{}}}", bits.join(", ")))
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
        let (integer, part) = padded.split_at_checked(point).unwrap_or((&padded, ""));
        return format!("{integer}.{part}");
    }
    let (first, rest) = digits.split_at_checked(1).unwrap_or((digits, ""));
    let point = if rest.is_empty() { "" } else { "." };
    format!("{first}{point}{rest}E{exponent:+}")
}

#[cfg(test)]
mod tests {
    use super::{decimal, scaled};

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
}
