//! The positions of a source map, decoded and in order.

use super::decode::number;
use super::json::{MapFile, Offset, without_guard};
use super::paths::resolved;

/// No file, or no name.
const NONE: u32 = u32::MAX;
/// Maximum number of positions: 24 bytes each.
const SEGMENTS: usize = 1 << 23;

/// A position of the generated script, and what is known of it from there on, up to the next one in its line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Segment {
    line: u32,
    column: u32,
    source: u32,
    source_line: u32,
    source_column: u32,
    name: u32,
}

/// Position of the source. Lines and columns are from 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Position<'a> {
    /// File of the source, as the map names it.
    pub source: &'a str,
    /// Number of the file.
    pub(super) source_index: u32,
    /// Line in it.
    pub line: u32,
    /// Column in UTF-16 units.
    pub column: u32,
    /// Name in the source of what begins there, if it was renamed.
    pub name: Option<&'a str>,
}

/// A decoded source map.
#[derive(Debug, Default)]
pub struct SourceMap {
    /// Ascending by line and column.
    segments: Vec<Segment>,
    sources: Vec<Box<str>>,
    names: Vec<Box<str>>,
    file: Option<Box<str>>,
}

impl SourceMap {
    /// Reads the JSON of a map. `script` is the script that it belongs to, in whose folder the files of the source are.
    ///
    /// # Errors
    /// If it is no source map, or a damaged one: no part of it is used then.
    pub fn read(json: &[u8], script: &str) -> Result<Self, String> {
        let mut file: MapFile =
            serde_json::from_slice(without_guard(json)).map_err(|error| format!("not a source map: {error}"))?;
        if let Some(version) = file.version.filter(|&version| version != 3) {
            return Err(format!("not a source map of revision 3, but of {version}"));
        }
        let mut map = Self { file: file.file.take().map(Into::into), ..Self::default() };
        match file.sections.take() {
            None if file.mappings.is_none() => return Err("not a source map: it has no \"mappings\"".to_owned()),
            None => map.add(file, &Offset { line: 0, column: 0 }, script)?,
            Some(sections) => {
                for section in sections.0 {
                    let part = section.map.unwrap_or_default();
                    if part.sections.is_some() {
                        return Err("damaged source map: a section has sections".to_owned());
                    }
                    map.add(part, &section.offset, script)?;
                }
            }
        }
        if !map.segments.is_sorted_by_key(|at| (at.line, at.column)) {
            map.segments.sort_by_key(|at| (at.line, at.column));
        }
        Ok(map)
    }

    /// Adds the positions of a part, whose numbers of files and names begin at 0.
    fn add(&mut self, part: MapFile, offset: &Offset, script: &str) -> Result<(), String> {
        let begin = |list: &[Box<str>]| u32::try_from(list.len()).unwrap_or(NONE);
        let (first_source, first_name) = (begin(&self.sources), begin(&self.names));
        let root = part.source_root.unwrap_or_default();
        for source in part.sources.map(|list| list.0).unwrap_or_default() {
            let path = source.map(|source| resolved(script, &root, &source));
            self.sources.push(path.unwrap_or_default().into());
        }
        self.names.extend(part.names.map(|list| list.0).unwrap_or_default().into_iter().map(Into::into));
        let index = |value: i64, first: u32, end: usize| {
            let at = u32::try_from(value).ok().and_then(|value| value.checked_add(first));
            at.filter(|&at| (at as usize) < end).unwrap_or(NONE)
        };
        let text = part.mappings.as_deref().unwrap_or_default();
        let mut sums = Sums::default();
        for (line, positions) in text.split(';').enumerate() {
            let damaged = || format!("damaged source map: the positions of line {} cannot be read", line + 1);
            let line = u32::try_from(line).ok().and_then(|line| line.checked_add(offset.line)).ok_or_else(damaged)?;
            let mut column = if line == offset.line { i64::from(offset.column) } else { 0 };
            for text in positions.split(',').filter(|text| !text.is_empty()) {
                let Fields { values: [ahead, source, source_line, source_column, name], count } =
                    fields(text.as_bytes()).ok_or_else(damaged)?;
                column += ahead;
                sums = sums.plus(source, source_line, source_column, name);
                let narrow = |value: i64| u32::try_from(value).map_err(|_negative| damaged());
                if self.segments.len() == SEGMENTS {
                    return Err("source map with too many positions".to_owned());
                }
                let source = if count >= 4 { index(sums.source, first_source, self.sources.len()) } else { NONE };
                let name = if count == 5 { index(sums.name, first_name, self.names.len()) } else { NONE };
                let (source_line, source_column) = (narrow(sums.line)?, narrow(sums.column)?);
                self.segments.push(Segment { line, column: narrow(column)?, source, source_line, source_column, name });
            }
        }
        Ok(())
    }

    /// Name of the script that the map was made for, if it has one.
    pub fn file(&self) -> Option<&str> {
        self.file.as_deref()
    }

    /// Last line of the script with a position.
    pub fn last_line(&self) -> Option<u32> {
        self.segments.last().map(|at| at.line)
    }

    /// The source of a position of the script: that of the last position at or before it in its line.
    pub fn position(&self, line: u32, column: u32) -> Option<Position<'_>> {
        let end = self.segments.partition_point(|at| (at.line, at.column) <= (line, column));
        self.resolve(self.segments.get(end.checked_sub(1)?).filter(|at| at.line == line)?)
    }

    /// The source of what begins exactly at a position of the script.
    pub(super) fn beginning(&self, line: u32, column: u32) -> Option<Position<'_>> {
        let at = self.segments.partition_point(|at| (at.line, at.column) < (line, column));
        // Some tools write a position twice, once without a name.
        let here = self.segments.get(at..)?.iter().take_while(|at| (at.line, at.column) == (line, column));
        let mut resolved = here.filter_map(|at| self.resolve(at));
        let first = resolved.next()?;
        if first.name.is_some() { Some(first) } else { resolved.find(|at| at.name.is_some()).or(Some(first)) }
    }

    fn resolve(&self, segment: &Segment) -> Option<Position<'_>> {
        let source = self.sources.get(segment.source as usize).filter(|source| !source.is_empty())?;
        let name = self.names.get(segment.name as usize).map(|name| &**name).filter(|name| !name.is_empty());
        let (line, column) = (segment.source_line, segment.source_column);
        Some(Position { source, source_index: segment.source, line, column, name })
    }
}

/// The one, four or five numbers of a position.
fn fields(mut text: &[u8]) -> Option<Fields> {
    let mut fields = Fields { values: [0; 5], count: 0 };
    while !text.is_empty() {
        *fields.values.get_mut(fields.count)? = number(&mut text)?;
        fields.count += 1;
    }
    matches!(fields.count, 1 | 4 | 5).then_some(fields)
}

/// Numbers of the source so far: each is written as the difference from the one before.
#[derive(Clone, Copy, Default)]
struct Sums {
    source: i64,
    line: i64,
    column: i64,
    name: i64,
}

impl Sums {
    /// They cannot overflow: each number has 33 bits, and there are at most 2^23 of them.
    fn plus(self, source: i64, line: i64, column: i64, name: i64) -> Self {
        Self {
            source: self.source + source,
            line: self.line + line,
            column: self.column + column,
            name: self.name + name,
        }
    }
}

/// The numbers of a position.
struct Fields {
    values: [i64; 5],
    count: usize,
}

#[cfg(test)]
mod tests {
    use super::*;

    const MAP: &str = r#"{"version":3,"file":"a.js","sourceRoot":"","sources":["../src/cart.ts","../src/desk.ts"],
"sourcesContent":["let carts;",null],"names":["carts","Cart"],"mappings":"AAAA,IAAIA;;GCCIC,EDDJ"}"#;

    fn at(map: &SourceMap, line: u32, column: u32) -> Option<(String, u32, u32, Option<String>)> {
        let at = map.position(line, column)?;
        Some((at.source.to_owned(), at.line, at.column, at.name.map(str::to_owned)))
    }

    #[test]
    fn a_position_has_file_line_and_name() {
        let map = SourceMap::read(MAP.as_bytes(), "/srv/dist/a.js").expect("a map");
        let (cart, desk) = ("/srv/src/cart.ts".to_owned(), "/srv/src/desk.ts".to_owned());
        assert_eq!(at(&map, 0, 0), Some((cart.clone(), 0, 0, None)));
        assert_eq!(at(&map, 0, 9), Some((cart.clone(), 0, 4, Some("carts".to_owned()))), "to the end of its line");
        assert_eq!((at(&map, 1, 0), at(&map, 2, 2), at(&map, 3, 0)), (None, None, None));
        assert_eq!(at(&map, 2, 3), Some((desk, 1, 8, Some("Cart".to_owned()))));
        assert_eq!(at(&map, 2, u32::MAX), Some((cart, 0, 4, None)));
        assert_eq!((map.file(), map.last_line()), (Some("a.js"), Some(2)));
        assert_eq!(map.beginning(2, 3).and_then(|at| at.name), Some("Cart"));
        assert!(map.beginning(2, 4).is_none());
    }

    #[test]
    fn sections_begin_at_their_position() {
        let section = |line, column| format!(r#"{{"offset":{{"line":{line},"column":{column}}},"map":{MAP}}}"#);
        let text = format!(
            r#")]}}'
{{"version":3,"sections":[{},{},{{"offset":{{"line":20,"column":0}},"url":"b.map"}}]}}"#,
            section(0, 0),
            section(9, 5)
        );
        let map = SourceMap::read(text.as_bytes(), "/srv/dist/a.js").expect("a map");
        assert_eq!(at(&map, 9, 4), None);
        assert_eq!(at(&map, 9, 9).expect("in the section").3.as_deref(), Some("carts"));
        assert_eq!(at(&map, 11, 3).expect("in its third line").3.as_deref(), Some("Cart"));
        let nested = format!(r#"{{"version":3,"sections":[{{"offset":{{"line":0,"column":0}},"map":{text}}}]}}"#);
        assert!(SourceMap::read(nested.replacen(")]}'", "", 1).as_bytes(), "a.js").is_err());
        let far = section(u32::MAX, u32::MAX);
        assert!(SourceMap::read(format!(r#"{{"sections":[{far}]}}"#).as_bytes(), "a.js").is_err());
    }

    #[test]
    fn what_is_missing_or_wrong_is_no_name() {
        let read = |text: &str| SourceMap::read(text.as_bytes(), "a.js");
        for text in ["", "{}", "[]", "{\"mappings\":3}", "{\"version\":2,\"mappings\":\"\"}", "{\"mappings\":\"!\"}"] {
            assert!(read(text).is_err(), "{text}");
        }
        for mappings in ["AA", "AAA", "AAAAAA", "g", "D", "AADA", "AAAD", "gggggggggA"] {
            assert!(read(&format!(r#"{{"sources":["a"],"mappings":"{mappings}"}}"#)).is_err(), "{mappings}");
        }
        let map = read(r#"{"sources":[null,"b"],"mappings":"AAAAA,CCAAA,CCAAA,C"}"#).expect("a map");
        assert_eq!(at(&map, 0, 0), None, "a file without a name");
        assert_eq!(at(&map, 0, 1), Some(("b".to_owned(), 0, 0, None)), "without names");
        assert_eq!((at(&map, 0, 2), at(&map, 0, 3)), (None, None), "no such file, and none");
        let unordered = read(r#"{"sources":["b"],"mappings":"EAAA,DACA,UACA"}"#).expect("a map");
        assert_eq!(at(&unordered, 0, 1).expect("the first in order").1, 1);
    }

    #[test]
    fn any_part_of_a_map_is_read_without_a_panic() {
        for end in 0..MAP.len() {
            assert!(SourceMap::read(&MAP.as_bytes()[..end], "/srv/dist/a.js").is_err(), "{end}");
            for byte in [b'0', b'"', b'g', b'/', b',', b';', 0xff] {
                let mut other = MAP.as_bytes().to_vec();
                other[end] = byte;
                let Ok(map) = SourceMap::read(&other, "/srv/dist/a.js") else { continue };
                for (line, column) in [(0, 0), (0, 4), (2, 5), (u32::MAX, u32::MAX)] {
                    let _position = (map.position(line, column), map.beginning(line, column));
                }
            }
        }
        // Lengths do not size anything.
        let deep = "[".repeat(1 << 16);
        assert!(SourceMap::read(deep.as_bytes(), "a.js").is_err());
        let many = format!(r#"{{"sources":[{}""],"mappings":""}}"#, "\"\",".repeat(1 << 21));
        assert!(SourceMap::read(many.as_bytes(), "a.js").is_err());
    }
}
