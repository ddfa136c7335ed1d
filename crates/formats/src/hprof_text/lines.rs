//! Lines of the text format: records, and the references below them. Other lines are skipped.

use std::borrow::Cow;

use crate::class_names::is_primitive;
use heaplens_heap::RootKind;

/// A record of a heap dump.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Record<'a> {
    Class { id: u64, name: &'a [u8] },
    Instance { id: u64, size: u64, class: ClassReference<'a> },
    Array { id: u64, size: u64, length: u64, element: ClassReference<'a> },
}

/// A class as a record refers to it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct ClassReference<'a> {
    /// Name in source notation.
    pub(super) name: &'a [u8],
    /// Its class object; 0 if the record has none.
    pub(super) id: u64,
}

/// A GC root.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct RootLine {
    /// Its object; 0 for none, as the agent writes for threads that it does not know and for cleared JNI references.
    pub(super) object: u64,
    pub(super) kind: RootKind,
    /// Serial number of the thread.
    pub(super) thread: Option<u32>,
    /// Index of the frame, innermost 0.
    pub(super) frame: Option<u32>,
    /// Serial number of the stack trace.
    pub(super) trace: Option<u32>,
}

/// A reference of the record above.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Member<'a> {
    pub(super) name: &'a [u8],
    pub(super) target: u64,
}

impl<'a> Member<'a> {
    /// Index, if the member is an element of an array.
    pub(super) fn index(&self) -> Option<u64> {
        decimal(self.name.strip_prefix(b"[")?.strip_suffix(b"]")?)
    }

    /// Name of a static field, if the member is one.
    pub(super) fn static_field(&self) -> Option<&'a [u8]> {
        self.name.strip_prefix(b"static ")
    }

    pub(super) fn text(&self) -> Cow<'a, str> {
        String::from_utf8_lossy(self.name)
    }
}

/// A line within a heap dump.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Line<'a> {
    Record(Record<'a>),
    Root(RootLine),
    Member(Member<'a>),
    /// `HEAP DUMP END`.
    End,
    Blank,
    Bad,
}

/// Beginning of a heap dump.
pub(super) fn begins_dump(line: &[u8]) -> bool {
    line.starts_with(b"HEAP DUMP BEGIN")
}

/// Serial number, if the line begins a stack trace.
pub(super) fn trace(line: &[u8]) -> Option<u32> {
    let rest = line.strip_prefix(b"TRACE ")?;
    let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let (number, rest) = rest.split_at_checked(digits)?;
    rest.starts_with(b":").then_some(())?;
    decimal(number)?.try_into().ok()
}

/// Thread object and name, if the line says that a thread started.
pub(super) fn thread_start(line: &[u8]) -> Option<(u64, String)> {
    let rest = line.strip_prefix(b"THREAD START (obj=")?;
    let name = quoted(rest, b"name=\"")?;
    Some((hexadecimal(until(rest, b','))?, String::from_utf8_lossy(name).into_owned()))
}

/// Text up to the quote that ends it.
fn quoted<'a>(line: &'a [u8], key: &[u8]) -> Option<&'a [u8]> {
    let rest = after(line, key)?;
    // The name of the group follows; a name may contain quotes.
    let end = position(rest, b"\", group=").or_else(|| position(rest, b"\""))?;
    rest.get(..end)
}

pub(super) fn line(bytes: &[u8]) -> Line<'_> {
    let bytes = bytes.strip_suffix(b"\r").unwrap_or(bytes);
    if bytes.trim_ascii().is_empty() {
        return Line::Blank;
    }
    if bytes.first() == Some(&b'\t') {
        return member(bytes.trim_ascii()).map_or(Line::Bad, Line::Member);
    }
    if bytes.starts_with(b"HEAP DUMP END") {
        return Line::End;
    }
    let parsed = match bytes.split_at_checked(4) {
        Some((b"CLS ", rest)) => class(rest).map(Line::Record),
        Some((b"OBJ ", rest)) => instance(rest).map(Line::Record),
        Some((b"ARR ", rest)) => array(rest).map(Line::Record),
        Some((b"ROOT", rest)) => root(rest).map(Line::Root),
        _ => None,
    };
    parsed.unwrap_or(Line::Bad)
}

/// The id of a line, and what is in the parentheses after it.
fn head(rest: &[u8]) -> Option<(u64, &[u8])> {
    let rest = rest.trim_ascii();
    let id = until(rest, b' ');
    let attributes = rest.get(id.len()..)?.trim_ascii().strip_prefix(b"(")?;
    Some((hexadecimal(id)?, attributes.strip_suffix(b")")?))
}

/// The same of an object, whose id is not 0.
fn object(rest: &[u8]) -> Option<(u64, &[u8])> {
    head(rest).filter(|&(id, _)| id != 0)
}

fn class(rest: &[u8]) -> Option<Record<'_>> {
    let (id, attributes) = object(rest)?;
    let name = after(attributes, b"name=")?;
    let name = name.get(..position(name, b", trace=")?)?;
    (!name.is_empty()).then_some(Record::Class { id, name })
}

fn instance(rest: &[u8]) -> Option<Record<'_>> {
    let (id, attributes) = object(rest)?;
    let class = class_reference(after(attributes, b"class=")?)?;
    Some(Record::Instance { id, size: number(attributes, b"sz=")?, class })
}

fn array(rest: &[u8]) -> Option<Record<'_>> {
    let (id, attributes) = object(rest)?;
    let element = element_reference(after(attributes, b"elem type=")?)?;
    Some(Record::Array { id, size: number(attributes, b"sz=")?, length: number(attributes, b"nelems=")?, element })
}

/// `java.lang.Thread@50000106`.
fn class_reference(text: &[u8]) -> Option<ClassReference<'_>> {
    let at = text.iter().rposition(|&byte| byte == b'@')?;
    let (name, id) = (text.get(..at)?, hexadecimal(text.get(at + 1..)?)?);
    (!name.is_empty()).then_some(ClassReference { name, id })
}

/// A class, or a primitive type or the array of one: `char`, `char[]`.
fn element_reference(text: &[u8]) -> Option<ClassReference<'_>> {
    let element = text.strip_suffix(b"[]").unwrap_or(text);
    let is_primitive = std::str::from_utf8(element).is_ok_and(is_primitive);
    if is_primitive { Some(ClassReference { name: text, id: 0 }) } else { class_reference(text) }
}

fn root(rest: &[u8]) -> Option<RootLine> {
    let (object, attributes) = head(rest)?;
    let kind = after(attributes, b"kind=<")?;
    let kind = match until(kind, b'>') {
        b"thread" => RootKind::Thread,
        b"JNI global ref" => RootKind::JniGlobal,
        b"JNI local ref" => RootKind::JniLocal,
        b"system class" => RootKind::SystemClass,
        b"busy monitor" => RootKind::Monitor,
        b"thread block" => RootKind::ThreadBlock,
        b"Java stack" => RootKind::JavaFrame,
        b"native stack" => RootKind::NativeStack,
        _ => RootKind::Unknown,
    };
    let small = |key: &[u8]| number(attributes, key).and_then(|number| u32::try_from(number).ok());
    // The id of a thread root is the serial number of the thread; that of a JNI reference is not.
    let thread = if kind == RootKind::Thread { small(b" id=") } else { small(b"thread=") };
    let has_thread = matches!(
        kind,
        RootKind::Thread | RootKind::JniLocal | RootKind::ThreadBlock | RootKind::JavaFrame | RootKind::NativeStack
    );
    if has_thread && thread.is_none() {
        return None;
    }
    Some(RootLine { object, kind, thread, frame: small(b"frame="), trace: small(b"trace=") })
}

fn member(text: &[u8]) -> Option<Member<'_>> {
    let at = text.iter().rposition(u8::is_ascii_whitespace)?;
    let (name, target) = text.split_at_checked(at)?;
    Some(Member { name: name.trim_ascii(), target: hexadecimal(target.trim_ascii())? })
}

fn number(attributes: &[u8], key: &[u8]) -> Option<u64> {
    let text = after(attributes, key)?;
    decimal(text.get(..text.iter().take_while(|byte| byte.is_ascii_digit()).count())?)
}

fn until(text: &[u8], end: u8) -> &[u8] {
    text.iter().position(|&byte| byte == end).and_then(|at| text.get(..at)).unwrap_or(text)
}

fn after<'a>(text: &'a [u8], key: &[u8]) -> Option<&'a [u8]> {
    text.get(position(text, key)? + key.len()..)
}

fn position(text: &[u8], key: &[u8]) -> Option<usize> {
    text.windows(key.len()).position(|window| window == key)
}

/// Decimal digits, up to 19.
fn decimal(digits: &[u8]) -> Option<u64> {
    if digits.is_empty() || digits.len() > 19 {
        return None;
    }
    std::str::from_utf8(digits).ok()?.parse().ok()
}

/// Hexadecimal digits, up to 16.
fn hexadecimal(digits: &[u8]) -> Option<u64> {
    if digits.is_empty() || digits.len() > 16 || !digits.iter().all(u8::is_ascii_hexdigit) {
        return None;
    }
    u64::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_record_is_parsed() {
        let class = |name, id| ClassReference { name, id };
        for (text, expected) in [
            (
                &b"CLS 50000006 (name=java.lang.annotation.Annotation, trace=300000)"[..],
                Record::Class { id: 0x5000_0006, name: b"java.lang.annotation.Annotation" },
            ),
            (
                b"OBJ 50000114 (sz=96, trace=300001, class=java.lang.Thread@50000106)\r",
                Record::Instance { id: 0x5000_0114, size: 96, class: class(b"java.lang.Thread", 0x5000_0106) },
            ),
            (
                b"ARR 50008c6f (sz=16, trace=300000, nelems=1, elem type=java.lang.String[]@5000008e)",
                Record::Array {
                    id: 0x5000_8c6f,
                    size: 16,
                    length: 1,
                    element: class(b"java.lang.String[]", 0x5000_008e),
                },
            ),
            (
                b"ARR 5 (sz=24, trace=0, nelems=3, elem type=char[])",
                Record::Array { id: 5, size: 24, length: 3, element: class(b"char[]", 0) },
            ),
        ] {
            assert_eq!(line(text), Line::Record(expected), "{}", text.escape_ascii());
        }
    }

    #[test]
    fn members_and_roots_are_parsed() {
        let member = |text| match line(text) {
            Line::Member(member) => (member.text().into_owned(), member.target, member.index()),
            other => panic!("{other:?}"),
        };
        assert_eq!(member(b"\tname\t\t50000116"), ("name".to_owned(), 0x5000_0116, None));
        assert_eq!(member(b"\tinheritedAccessControlContext\t50008c79"), {
            ("inheritedAccessControlContext".to_owned(), 0x5000_8c79, None)
        });
        assert_eq!(member(b"\t[12]\t\tff"), ("[12]".to_owned(), 0xff, Some(12)));
        assert_eq!(member(b"\tconstant pool entry 3\tff"), ("constant pool entry 3".to_owned(), 0xff, None));
        let root = |text| match line(text) {
            Line::Root(root) => (root.object, root.kind, root.thread, root.frame, root.trace),
            other => panic!("{other:?}"),
        };
        assert_eq!(
            root(b"ROOT 50000114 (kind=<thread>, id=200002, trace=300000)"),
            (0x5000_0114, RootKind::Thread, Some(200_002), None, Some(300_000))
        );
        assert_eq!(
            root(b"ROOT 6 (kind=<JNI global ref>, id=8, trace=300000)"),
            (6, RootKind::JniGlobal, None, None, Some(300_000))
        );
        assert_eq!(
            root(b"ROOT 7 (kind=<Java stack>, thread=200000, frame=5)"),
            (7, RootKind::JavaFrame, Some(200_000), Some(5), None)
        );
        assert_eq!(root(b"ROOT 8 (kind=<JNI local ref>, thread=1, frame=-1)").3, None);
        assert_eq!(root(b"ROOT 9 (kind=<new>)").1, RootKind::Unknown);
        assert_eq!(root(b"ROOT 0 (kind=<thread>, id=0, trace=300000)").0, 0);
        let started = thread_start(b"THREAD START (obj=50000114, id = 200002, name=\"a \"b\"\", group=\"system\")");
        assert_eq!(started, Some((0x5000_0114, "a \"b\"".to_owned())));
        assert_eq!((trace(b"TRACE 300001:"), trace(b"TRACE 7: (thread=2)"), trace(b"TRACE x:")), {
            (Some(300_001), Some(7), None)
        });
    }

    #[test]
    fn malformed_lines_are_bad() {
        for text in [
            "CLS",
            "CLS 5",
            "CLS x (name=a, trace=1)",
            "CLS 0 (name=a, trace=1)",
            "CLS 5 (name=, trace=1)",
            "OBJ 5 (sz=, trace=1, class=a@5)",
            "OBJ 5 (sz=99999999999999999999, trace=1, class=a@5)",
            "OBJ 5 (sz=8, trace=1, class=a@g)",
            "OBJ 5 (sz=8, trace=1, class=@5)",
            "ARR 5 (sz=8, trace=1, elem type=a@5)",
            "CLS 5 (name=a)",
            "ROOT 5",
            "ROOT 5 (kind=<Java stack>, frame=1)",
            "OBJ 5 (sz=8, trace=1, class=a)",
            "ARR 5 (sz=8, trace=1, nelems=1, elem type=a)",
            "\t[0]",
            "\t[0] x",
            "nothing",
        ] {
            assert_eq!(line(text.as_bytes()), Line::Bad, "{text}");
        }
        assert_eq!((line(b""), line(b"\t \r"), line(b"HEAP DUMP END\r")), (Line::Blank, Line::Blank, Line::End));
    }
}
