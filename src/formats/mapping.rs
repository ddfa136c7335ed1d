//! Mappings of ProGuard and R8: which name of a dump stands for which of the
//! sources. They have hundreds of megabytes, and a dump asks for few of their
//! classes: the text is kept, and only the lines that name classes are read at once.

use std::borrow::Cow;
use std::ops::Range;

use proguard::{LineMapping, ProguardRecord};
use rustc_hash::FxHashMap;
use serde::Deserialize;

use crate::heap::original::{Field, Frame, OriginalNames};

/// Methods that may have been put into one, at most: a made-up file may name any number.
const INLINED: usize = 64;
/// Prefix of source file names written by R8 if they encode the build.
const MAP_ID: &str = "r8-map-id-";
/// Types that are no references.
const NUMBERS: [&str; 8] = ["boolean", "byte", "char", "double", "float", "int", "long", "short"];

/// The mapping of one build.
#[derive(Debug, Default)]
pub struct Mapping {
    text: Vec<u8>,
    /// By the name in the dump.
    classes: FxHashMap<Box<str>, OfClass>,
    /// The source files that comments name, by the name of the class in the sources.
    files: FxHashMap<Box<str>, Box<str>>,
    /// The id of the build.
    build: Option<Box<str>>,
}

#[derive(Debug)]
struct OfClass {
    original: Box<str>,
    /// The lines of its members.
    members: Range<usize>,
}

/// Metadata that R8 adds in comments.
#[derive(Deserialize)]
#[serde(tag = "id")]
enum Comment<'a> {
    /// The file that the class above is from.
    #[serde(rename = "sourceFile")]
    SourceFile {
        #[serde(rename = "fileName", borrow)]
        file: Cow<'a, str>,
    },
    /// The compiler made up what is above.
    #[serde(rename = "com.android.tools.r8.synthesized")]
    Synthesized,
    #[serde(other)]
    Other,
}

fn comment(line: &[u8]) -> Option<Comment<'_>> {
    let text = line.trim_ascii().strip_prefix(b"#")?.trim_ascii_start();
    serde_json::from_slice(text).ok().filter(|_| text.starts_with(b"{"))
}

/// A line about a method.
struct Method<'a> {
    name: &'a str,
    /// Original class of an inlined method.
    class: Option<&'a str>,
    lines: Option<LineMapping>,
    is_synthesized: bool,
}

impl Mapping {
    /// Parses `text`. Unrecognized lines are skipped.
    ///
    /// # Errors
    /// When no line names a class.
    pub fn new(text: Vec<u8>) -> Result<Self, String> {
        let mut mapping = Self::default();
        // The class that lines are of, and where those begin.
        let mut open: Option<(Box<str>, Box<str>, usize)> = None;
        let mut at = 0;
        for line in text.split_inclusive(|&byte| byte == b'\n') {
            let start = at;
            at += line.len();
            if !line.first().is_some_and(|first| matches!(first, b'#' | b'!'..=b'~' | 0x80..)) {
                continue;
            }
            if let (Some(Comment::SourceFile { file }), Some((_, original, _))) = (comment(line), &open) {
                mapping.files.insert(original.clone(), file.into());
                continue;
            }
            match ProguardRecord::try_parse(line.trim_ascii_end()) {
                Ok(ProguardRecord::Class { original, obfuscated }) => {
                    mapping.close(open.take(), start);
                    open = Some((obfuscated.into(), original.into(), at));
                }
                Ok(ProguardRecord::Header { key: "pg_map_id", value: Some(id) }) => mapping.build = Some(id.into()),
                _ => {}
            }
        }
        mapping.close(open, at);
        mapping.text = text;
        if mapping.classes.is_empty() {
            return Err("not a ProGuard or R8 mapping: no line has the form \"shop.Cart -> a.b:\"".to_owned());
        }
        Ok(mapping)
    }

    fn close(&mut self, open: Option<(Box<str>, Box<str>, usize)>, end: usize) {
        if let Some((obfuscated, original, start)) = open {
            self.classes.entry(obfuscated).or_insert(OfClass { original, members: start..end });
        }
    }

    fn lines(&self, class: &OfClass) -> impl Iterator<Item = &[u8]> {
        let lines = self.text.get(class.members.clone()).unwrap_or_default().split(|&byte| byte == b'\n');
        lines.map(<[u8]>::trim_ascii_end)
    }

    /// The lines about methods that are called `method` in the dump.
    fn methods(&self, class: &OfClass, method: &str) -> Vec<Method<'_>> {
        let mut methods: Vec<Method<'_>> = Vec::new();
        let mut is_last = false;
        for line in self.lines(class) {
            // A comment refers to the line above it.
            if is_last && matches!(comment(line), Some(Comment::Synthesized)) {
                methods.last_mut().into_iter().for_each(|method| method.is_synthesized = true);
                continue;
            }
            match ProguardRecord::try_parse(line) {
                Ok(ProguardRecord::Method { original, obfuscated, original_class, line_mapping, .. }) => {
                    is_last = obfuscated == method;
                    if is_last {
                        let (name, class, lines) = (original, original_class, line_mapping);
                        methods.push(Method { name, class, lines, is_synthesized: false });
                    }
                }
                Ok(ProguardRecord::Field { .. }) => is_last = false,
                _ => {}
            }
        }
        methods
    }

    /// The source file of a class, whose name is that of the sources; `known` is what the dump says.
    fn source(&self, class: &str, known: &str) -> String {
        let file = self.files.get(class).map(ToString::to_string);
        file.unwrap_or_else(|| {
            let simple = class.rsplit('.').next().unwrap_or(class);
            let outer = simple.split('$').next().filter(|outer| !outer.is_empty()).unwrap_or(simple);
            let end = if known.rsplit_once('.').is_some_and(|(_, end)| end == "kt") { "kt" } else { "java" };
            format!("{outer}.{end}")
        })
    }
}

impl Method<'_> {
    /// Whether code of a line of the dump is of it.
    fn covers(&self, line: usize) -> bool {
        let range = self.lines.and_then(|lines| Some(lines.startline?..=lines.endline?));
        range.is_some_and(|range| range.contains(&line))
    }

    fn has_range(&self) -> bool {
        self.lines.is_some_and(|lines| lines.endline.is_some_and(|end| end > 0))
    }

    /// The line of the sources for one of the dump.
    fn line(&self, line: usize) -> usize {
        let Some(lines) = self.lines else { return line };
        match (lines.original_startline, lines.original_endline) {
            (Some(start), Some(end)) => {
                let passed = lines.startline.map_or(0, |first| line.saturating_sub(first));
                start.saturating_add(passed).min(end.max(start))
            }
            (Some(start), None) => start,
            (None, _) => line,
        }
    }
}

impl OriginalNames for Mapping {
    fn class(&self, in_dump: &str) -> Option<String> {
        self.classes.get(in_dump).map(|class| class.original.to_string())
    }

    fn fields(&self, class: &str) -> Vec<Field<'_>> {
        let Some(class) = self.classes.get(class) else { return Vec::new() };
        let field = |line| match ProguardRecord::try_parse(line) {
            Ok(ProguardRecord::Field { ty, original, obfuscated }) => {
                let type_name = if NUMBERS.contains(&ty) { ty } else { "object" };
                Some(Field { in_dump: obfuscated, name: original, type_name })
            }
            _ => None,
        };
        self.lines(class).filter_map(field).collect()
    }

    fn frames(&self, in_dump: &Frame<&str>) -> Vec<Frame<String>> {
        let Some(class) = self.classes.get(in_dump.class) else { return Vec::new() };
        let methods = self.methods(class, in_dump.method);
        let line = usize::try_from(in_dump.line).ok().filter(|&line| line > 0);
        let mut of_line: Vec<&Method<'_>> = match line {
            Some(line) => methods.iter().filter(|method| method.covers(line)).take(INLINED).collect(),
            None => Vec::new(),
        };
        if of_line.is_empty() {
            // Without a line it is the one that was not put into another, or any.
            let whole = methods.iter().find(|method| !method.has_range() || method.class.is_none());
            of_line.extend(whole.or(methods.first()));
        }
        if of_line.iter().any(|method| !method.is_synthesized) {
            of_line.retain(|method| !method.is_synthesized);
        }
        let frame = |method: &Method<'_>| {
            let class = method.class.unwrap_or(&class.original);
            let line =
                line.map(|line| if method.covers(line) || !method.has_range() { method.line(line) } else { line });
            Frame {
                class: class.to_owned(),
                method: method.name.to_owned(),
                source: self.source(class, in_dump.source),
                line: line.map_or(in_dump.line, |line| i32::try_from(line).unwrap_or(i32::MAX)),
            }
        };
        if of_line.is_empty() {
            let (class, method) = (class.original.to_string(), in_dump.method.to_owned());
            return vec![Frame { source: self.source(&class, in_dump.source), class, method, line: in_dump.line }];
        }
        of_line.into_iter().map(frame).collect()
    }

    fn is_other_build(&self, source: &str) -> Option<bool> {
        let (ours, theirs) = (self.build.as_deref()?, source.strip_prefix(MAP_ID)?);
        Some(!theirs.starts_with(ours) && !ours.starts_with(theirs))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "\
# compiler: R8
# pg_map_id: 1a2b3c4
shop.Cart -> a.b:
# {\"id\":\"sourceFile\",\"fileName\":\"Cart.kt\"}
    int size -> a
    shop.Item[] items -> b
    boolean a.leak -> b.c
    1:4:void add(shop.Item):10:13 -> a
    5:5:void shop.Log.line(java.lang.String):7:7 -> a
    5:5:void add(shop.Item):14 -> a
    int weight() -> c
    9:9:void lambda$0():3:3 -> d
      # {\"id\":\"com.android.tools.r8.synthesized\"}
    9:9:void run():30:30 -> d
shop.Log -> a.c:
    1:1:void line():7 -> a
";

    fn mapping() -> Mapping {
        Mapping::new(TEXT.into()).expect("it names classes")
    }

    fn frames(method: &str, line: i32) -> Vec<String> {
        let frame = Frame { class: "a.b", method, source: "SourceFile", line };
        let written = |f: Frame<String>| format!("{}.{}({}:{})", f.class, f.method, f.source, f.line);
        mapping().frames(&frame).into_iter().map(written).collect()
    }

    #[test]
    fn classes_and_fields_have_the_names_of_the_sources() {
        let mapping = mapping();
        let name = |class| crate::heap::original::class_name(&mapping, class);
        assert_eq!(name("a.b[][]").as_deref(), Some("shop.Cart[][]"));
        assert_eq!((name("a"), name("[]"), name("shop.Cart")), (None, None, None));
        let fields: Vec<_> = mapping.fields("a.b").iter().map(|f| (f.in_dump, f.name, f.type_name)).collect();
        assert_eq!(fields, [("a", "size", "int"), ("b", "items", "object"), ("b.c", "a.leak", "boolean")]);
    }

    #[test]
    fn a_frame_is_those_that_were_put_into_it() {
        assert_eq!(frames("a", 3), ["shop.Cart.add(Cart.kt:12)"]);
        assert_eq!(frames("a", 5), ["shop.Log.line(Log.java:7)", "shop.Cart.add(Cart.kt:14)"]);
        assert_eq!(frames("c", 77), ["shop.Cart.weight(Cart.kt:77)"]);
        assert_eq!(frames("d", 9), ["shop.Cart.run(Cart.kt:30)"], "what the compiler made up is left out");
        assert_eq!(frames("a", -1), ["shop.Cart.add(Cart.kt:-1)"]);
        assert_eq!(frames("zz", 4), ["shop.Cart.zz(Cart.kt:4)"]);
    }

    #[test]
    fn another_build_is_noticed() {
        let mapping = mapping();
        assert_eq!(mapping.is_other_build("r8-map-id-1a2b3c4d5e6f"), Some(false));
        assert_eq!(mapping.is_other_build("r8-map-id-ffff"), Some(true));
        assert_eq!(mapping.is_other_build("Cart.java"), None);
    }

    #[test]
    fn no_text_does_harm() {
        assert!(Mapping::new(Vec::new()).is_err() && Mapping::new(vec![0xff; 40]).is_err());
        assert!(Mapping::new(b"not a -> mapping".to_vec()).is_err());
        for at in 0..TEXT.len() {
            let cut = &TEXT.as_bytes()[..at];
            let mut torn = TEXT.as_bytes().to_vec();
            torn[at] = [b' ', b':', b'\n', 0xc3, b'9'][at % 5];
            for mapping in [cut.to_vec(), torn].into_iter().filter_map(|text| Mapping::new(text).ok()) {
                mapping.fields("a.b");
                for line in [i32::MIN, -3, 0, 3, 5, i32::MAX] {
                    mapping.frames(&Frame { class: "a.b", method: "a", source: "", line });
                }
            }
        }
        let huge = format!("a.B -> b:\n    1:{0}:void a():{0}:{0} -> a\n", usize::MAX);
        let mapping = Mapping::new(huge.into()).expect("a class");
        let frames = mapping.frames(&Frame { class: "b", method: "a", source: "", line: i32::MAX });
        assert_eq!(frames[0].line, i32::MAX);
    }
}
