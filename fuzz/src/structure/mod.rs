//! Mutations of records and fields: a mutator that knows where the records of a format begin, and which bytes are numbers.
//!
//! A mutation of single bytes rarely survives the first length or count it breaks. These mutations repeat, remove, move and
//! exchange whole records, keep the enclosing lengths true most of the time, and give numbers the values at which code
//! breaks: zero, one more, the rest of the file, the largest. They take turns with the mutations of the fuzzer.

pub mod hprof;
pub mod json;
pub mod lines;
pub mod phd;
pub mod protobuf;
pub mod words;

use std::ops::Range;

use heaplens_testkit::random::Random;

/// How a number is written.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// Most significant byte first.
    Big,
    /// Least significant byte first.
    Little,
    /// Seven bits a byte, the last without the high bit; padded to the width that is there.
    Varint,
    /// Decimal digits.
    Digits,
}

/// A number in the file.
#[derive(Clone)]
pub struct Field {
    /// Its bytes.
    pub range: Range<usize>,
    /// How it is written.
    pub form: Form,
}

/// A field that says how many bytes follow.
pub struct Length {
    /// The field.
    pub field: Field,
    /// The bytes it counts.
    pub body: Range<usize>,
}

/// What a mutation can change in a file.
#[derive(Default)]
pub struct Layout {
    /// Records, at every level.
    pub records: Vec<Range<usize>>,
    /// Numbers: counts, ids, sizes, values.
    pub fields: Vec<Field>,
    /// Lengths of enclosing records.
    pub lengths: Vec<Length>,
}

impl Layout {
    /// Adds a number.
    pub fn field(&mut self, range: Range<usize>, form: Form) {
        self.fields.push(Field { range, form });
    }

    /// Adds a record with a field for the length of its body.
    pub fn enclosing(&mut self, length: Range<usize>, form: Form, body: Range<usize>) {
        self.field(length.clone(), form);
        self.lengths.push(Length { field: Field { range: length, form }, body });
    }
}

/// Mutates the first `size` bytes of `data` and returns the new size, at most `max`.
pub fn mutate(data: &mut [u8], size: usize, max: usize, seed: u32, parse: fn(&[u8]) -> Layout) -> usize {
    let mut random = Random::new(seed.into());
    if random.one_in(3) {
        return libfuzzer_sys::fuzzer_mutate(data, size, max);
    }
    let mut bytes = data[..size].to_vec();
    for _ in 0..random.between(1, 3) {
        let layout = parse(&bytes);
        if layout.fields.is_empty() || layout.records.is_empty() {
            return libfuzzer_sys::fuzzer_mutate(data, size, max);
        }
        change(&mut bytes, &layout, &mut random);
        bytes.truncate(max);
    }
    data[..bytes.len()].copy_from_slice(&bytes);
    bytes.len()
}

/// One mutation.
fn change(bytes: &mut Vec<u8>, layout: &Layout, random: &mut Random) {
    let record = random.pick(&layout.records).clone();
    let other = random.pick(&layout.records).clone();
    match random.below(10) {
        0..=3 => {
            let field = random.pick(&layout.fields);
            let value = value(bytes, field, random);
            put(bytes, field, value);
        }
        4 => {
            let (from, to) = (random.pick(&layout.fields).clone(), random.pick(&layout.fields).clone());
            put(bytes, &to, read(bytes, &from));
        }
        5 => {
            let copy = bytes[record].repeat(random.between(1, 8) as usize);
            splice(bytes, layout, other.start..other.start, &copy, random);
        }
        6 => splice(bytes, layout, record, &[], random),
        7 => {
            let copy = bytes[record].to_vec();
            splice(bytes, layout, other, &copy, random);
        }
        8 => {
            let at = record.start + random.below(record.len() as u32 + 1) as usize;
            splice(bytes, layout, at..record.end, &[], random);
        }
        _ => bytes.truncate(record.start + random.below(record.len() as u32 + 1) as usize),
    }
}

/// A value at which code breaks.
fn value(bytes: &[u8], field: &Field, random: &mut Random) -> u64 {
    let (now, left) = (read(bytes, field), (bytes.len() - field.range.end) as u64);
    let power = 1u64 << random.below(64);
    *random.pick(&[
        0,
        1,
        now.wrapping_add(1),
        now.wrapping_sub(1),
        now << 1,
        now | 1 << 63,
        !now,
        left,
        left + 1,
        left >> 1,
        power,
        power - 1,
        u64::MAX,
        i64::MAX as u64,
        u32::MAX.into(),
        i32::MAX as u64,
        random.clone().number(),
    ])
}

/// The number in a field; what does not fit into 64 bits is left out.
fn read(bytes: &[u8], field: &Field) -> u64 {
    let part = &bytes[field.range.clone()];
    match field.form {
        Form::Big => part.iter().fold(0, |all, &byte| all << 8 | u64::from(byte)),
        Form::Little => part.iter().rev().fold(0, |all, &byte| all << 8 | u64::from(byte)),
        Form::Varint => part.iter().rev().fold(0, |all, &byte| all << 7 | u64::from(byte & 0x7f)),
        Form::Digits => part.iter().fold(0u64, |all, &byte| all.wrapping_mul(10).wrapping_add(u64::from(byte & 15))),
    }
}

/// Writes a number over that of a field; the file changes its length only for digits.
fn put(bytes: &mut Vec<u8>, field: &Field, value: u64) {
    let Field { range, form } = field.clone();
    let width = range.len();
    match form {
        Form::Digits => drop(bytes.splice(range, value.to_string().into_bytes())),
        Form::Big => (0..width).for_each(|n| bytes[range.end - 1 - n] = value.checked_shr(8 * n as u32).unwrap_or(0) as u8),
        Form::Little => (0..width).for_each(|n| bytes[range.start + n] = value.checked_shr(8 * n as u32).unwrap_or(0) as u8),
        Form::Varint => (0..width).for_each(|n| {
            let seven = value.checked_shr(7 * n as u32).unwrap_or(0) as u8 & 0x7f;
            bytes[range.start + n] = seven | if n + 1 < width { 0x80 } else { 0 };
        }),
    }
}

/// Replaces bytes, and corrects the lengths around them most of the time.
fn splice(bytes: &mut Vec<u8>, layout: &Layout, at: Range<usize>, with: &[u8], random: &mut Random) {
    let around = layout.lengths.iter().filter(|length| length.body.start <= at.start && at.end <= length.body.end);
    if !random.one_in(8) {
        for length in around {
            put(bytes, &length.field, (length.body.len() - at.len() + with.len()) as u64);
        }
    }
    bytes.splice(at, with.iter().copied());
}
