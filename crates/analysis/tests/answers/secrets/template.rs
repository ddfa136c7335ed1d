//! Texts from templates, so that no file of the project has a whole credential: `‹a:30›` is 30 random letters and digits.

use heaplens_testkit::random::Random;

/// Beginning and end of what is filled in.
const MARKS: [char; 2] = ['‹', '›'];

/// A line of a list: name, place, field or key, template.
pub(super) struct Entry {
    pub(super) name: &'static str,
    pub(super) location: &'static str,
    pub(super) key: &'static str,
    template: &'static str,
}

/// The entries of a list.
pub(super) fn entries(list: &'static str) -> Vec<Entry> {
    let lines = list.lines().filter(|line| !line.starts_with('#'));
    lines
        .map(|line| {
            let parts: Vec<&str> = line.splitn(4, " | ").collect();
            let [name, location, key, template] = parts[..] else { panic!("{line}") };
            Entry { name, location, key, template }
        })
        .collect()
}

impl Entry {
    /// The value, filled in.
    pub(super) fn value(&self, random: &mut Random) -> Vec<u8> {
        let mut out = Vec::new();
        let rest = fill(self.template, random, &mut out);
        assert!(rest.is_empty(), "{}", self.template);
        out
    }
}

/// Fills a template up to the end of what it is in; the rest follows.
fn fill<'a>(template: &'a str, random: &mut Random, out: &mut Vec<u8>) -> &'a str {
    let mut rest = template;
    while let Some(at) = rest.find(MARKS) {
        out.extend(rest[..at].bytes());
        let mark = rest[at..].chars().next();
        rest = &rest[at + MARKS[0].len_utf8()..];
        if mark == Some(MARKS[1]) {
            return rest;
        }
        let end = rest.find(|c: char| c == ':' || MARKS.contains(&c)).expect("an end");
        let name = &rest[..end];
        let mut argument = Vec::new();
        rest = fill(rest[end..].strip_prefix(':').unwrap_or(&rest[end..]), random, &mut argument);
        apply(name, argument, random, out);
    }
    out.extend(rest.bytes());
    ""
}

fn apply(name: &str, argument: Vec<u8>, random: &mut Random, out: &mut Vec<u8>) {
    let text = || std::str::from_utf8(&argument).expect("text");
    let number = || text().parse::<usize>().expect("a number");
    let hex = |text: &str| -> Vec<u8> {
        let digits: Vec<u8> = text.chars().map(|digit| digit.to_digit(16).expect("a digit") as u8).collect();
        digits.chunks(2).map(|two| two[0] << 4 | two[1]).collect()
    };
    match name {
        "" => {}
        "x" => out.extend(hex(text())),
        "nl" => out.push(b'\n'),
        "cr" => out.push(b'\r'),
        "dash" => out.extend(b"-----"),
        "bytes" => out.extend((0..number()).map(|_| random.number() as u8)),
        "pw" => {
            out.extend(b"kX");
            pick(random, &[LETTERS, DIGITS].concat(), 9, out);
            out.extend(b"4!");
        }
        "of" => {
            let (count, letters) = text().split_once(':').expect("a count");
            pick(random, letters.as_bytes(), count.parse().expect("a number"), out);
        }
        "crc62" => {
            let mut sum = u64::from(crc32(&out[out.len() - number()..]));
            let mut digits = [0; 6];
            for digit in digits.iter_mut().rev() {
                *digit = [DIGITS0, CAPITALS, SMALL].concat()[(sum % 62) as usize];
                sum /= 62;
            }
            out.extend(digits);
        }
        "crchex" => out.extend(format!("_{:08x}", crc32(&out[out.len() - number()..])).into_bytes()),
        "b64" => out.extend(base64(&argument, *b"+/", true)),
        "b64u" => out.extend(base64(&argument, *b"-_", false)),
        "lines" => out.extend(argument.chunks(64).collect::<Vec<_>>().join(&b'\n')),
        "pct" => {
            for byte in argument {
                if byte.is_ascii_alphanumeric() || b"_.-~".contains(&byte) {
                    out.push(byte);
                } else {
                    out.extend(format!("%{byte:02X}").into_bytes());
                }
            }
        }
        "esc" => out.extend(text().replace('\n', "\\n").into_bytes()),
        "tlv" => {
            let (tag, content) = (hex(std::str::from_utf8(&argument[..2]).expect("a tag")), &argument[3..]);
            out.extend(tag);
            match content.len() {
                short @ 0..0x80 => out.push(short as u8),
                length => out.extend([0x82, (length >> 8) as u8, length as u8]),
            }
            out.extend(content);
        }
        letters => {
            let letters: Vec<u8> = match letters {
                "a" => [LETTERS, DIGITS0].concat(),
                "b" => [LETTERS, DIGITS0, b"+/"].concat(),
                "u" => [LETTERS, DIGITS0, b"-_"].concat(),
                "B" => [CAPITALS, b"234567"].concat(),
                "U" => [CAPITALS, DIGITS0].concat(),
                "l" => [SMALL, DIGITS0].concat(),
                "h" => [DIGITS0, b"abcdef"].concat(),
                "H" => [DIGITS0, b"ABCDEF"].concat(),
                "L" => LETTERS.to_vec(),
                "d" => DIGITS.to_vec(),
                other => panic!("no such letters: {other}"),
            };
            pick(random, &letters, number(), out);
        }
    }
}

const CAPITALS: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZ";
const SMALL: &[u8] = b"abcdefghijklmnopqrstuvwxyz";
const LETTERS: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const DIGITS: &[u8] = b"123456789";
const DIGITS0: &[u8] = b"0123456789";

fn pick(random: &mut Random, letters: &[u8], count: usize, out: &mut Vec<u8>) {
    out.extend((0..count).map(|_| *random.pick(letters)));
}

fn base64(bytes: &[u8], last: [u8; 2], is_padded: bool) -> Vec<u8> {
    let letters = [LETTERS, DIGITS0, &last].concat();
    let mut out = Vec::new();
    for chunk in bytes.chunks(3) {
        let word = chunk.iter().enumerate().fold(0_u32, |word, (at, &byte)| word | u32::from(byte) << (16 - 8 * at));
        out.extend((0..=chunk.len()).map(|at| letters[(word >> (18 - 6 * at) & 63) as usize]));
        out.extend((chunk.len()..3).filter(|_| is_padded).map(|_| b'='));
    }
    out
}

fn crc32(bytes: &[u8]) -> u32 {
    let mut crc = u32::MAX;
    for &byte in bytes {
        crc ^= u32::from(byte);
        for _ in 0..8 {
            crc = crc >> 1 ^ (0xedb8_8320 * (crc & 1));
        }
    }
    !crc
}
