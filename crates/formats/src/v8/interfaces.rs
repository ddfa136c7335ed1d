//! Common shapes of plain objects: `{id, name, total}` is more informative than `Object`.
//!
//! Rules of DevTools: the first properties of an object, up to 120 characters, are a candidate; candidates of at least
//! two objects and a thousandth of all plain objects become definitions; an object belongs to the definition with the
//! most properties that it has completely.

use rustc_hash::FxHashMap;

use super::words::{KnownWords, Word};
use super::{strings::Strings, text::units};
use heaplens_heap::{CommonShape, best_fit::BestFit};

/// Maximum length of the text of a definition, in UTF-16 code units.
const MOST_UNITS: usize = 120;

/// Definitions, best first if several fit equally well, and the definition of each shape.
#[derive(Default)]
pub(super) struct Interfaces {
    /// Their names and properties.
    pub(super) shapes: Vec<CommonShape>,
    /// Definition that fits, by shape.
    pub(super) of_shape: Vec<Option<u32>>,
}

/// Definition before its objects are counted.
struct Candidate {
    text: String,
    properties: Vec<u32>,
    count: u64,
    /// Row of the first occurrence.
    first: u32,
}

/// Finds the definitions among `plain` plain objects. `shaped` are those with properties, ascending, and the list of
/// names each has.
pub(super) fn find(
    file: &[u8],
    strings: &Strings,
    known: &KnownWords,
    plain: u64,
    shaped: &[(u32, u32)],
    shapes: &[Box<[u32]>],
) -> Interfaces {
    let mut counts: Vec<(u64, u32)> = vec![(0, u32::MAX); shapes.len()];
    for &(row, shape) in shaped {
        if let Some((count, first)) = counts.get_mut(shape as usize) {
            *count += 1;
            *first = row.min(*first);
        }
    }
    let mut names = Names { file, strings, canonical: FxHashMap::default(), of_text: FxHashMap::default() };
    let shapes: Vec<Vec<u32>> =
        shapes.iter().map(|shape| shape.iter().map(|&name| names.canonical(name)).collect()).collect();
    let mut candidates: Vec<Candidate> = Vec::new();
    let mut by_text: FxHashMap<String, usize> = FxHashMap::default();
    for (shape, &(count, first)) in shapes.iter().zip(&counts) {
        let properties = shape.iter().copied().filter(|&name| !known.is(name, Word::Prototype));
        let Some((text, properties)) = names.definition(properties) else { continue };
        match by_text.get(&text).and_then(|&at| candidates.get_mut(at)) {
            Some(known) => {
                known.count += count;
                known.first = known.first.min(first);
            }
            None => {
                by_text.insert(text.clone(), candidates.len());
                candidates.push(Candidate { text, properties, count, first });
            }
        }
    }
    let min_count = (plain / 1000).max(2);
    // A thousandth of the plain objects, not rounded.
    candidates.retain(|candidate| candidate.count >= min_count && candidate.count * 1000 >= plain);
    candidates.sort_by(|a, b| b.count.cmp(&a.count).then(a.first.cmp(&b.first)));
    for candidate in &mut candidates {
        candidate.properties.sort_unstable();
        candidate.properties.dedup();
    }
    let best = BestFit::new(candidates.iter().map(|candidate| candidate.properties.clone()).collect());
    let of_shape = shapes.iter().map(|shape| best.of(shape).map(|number| number as u32)).collect();
    let text = |name: u32| strings.name(file, name).unwrap_or_default();
    let shape = |Candidate { text: name, properties, .. }: Candidate| CommonShape {
        name,
        properties: properties.into_iter().map(text).collect(),
    };
    Interfaces { shapes: candidates.into_iter().map(shape).collect(), of_shape }
}

struct Names<'a> {
    file: &'a [u8],
    strings: &'a Strings,
    /// First of equal strings.
    canonical: FxHashMap<u32, u32>,
    of_text: FxHashMap<String, u32>,
}

impl Names<'_> {
    /// Index of the first one of equal strings.
    fn canonical(&mut self, name: u32) -> u32 {
        if let Some(&known) = self.canonical.get(&name) {
            return known;
        }
        // Names that are not in the file may differ.
        let Some(text) = self.strings.text(self.file, name) else { return name };
        let first = match self.of_text.get(&text) {
            Some(&first) => first,
            None => {
                self.of_text.insert(text, name);
                name
            }
        };
        self.canonical.insert(name, first);
        first
    }

    /// Text of a definition that begins with these properties, and the properties that fit into it. `None` without
    /// properties, and if the name of one is not in the file.
    fn definition(&self, properties: impl Iterator<Item = u32>) -> Option<(String, Vec<u32>)> {
        let (mut text, mut length, mut used) = ("{".to_owned(), 1, Vec::new());
        for name in properties {
            let name_text = formatted(&self.strings.name(self.file, name)?);
            if length > 1 && length + units(&name_text) > MOST_UNITS {
                break;
            }
            if length > 1 {
                text.push_str(", ");
                length += 2;
            }
            length += units(&name_text);
            text.push_str(&name_text);
            used.push(name);
        }
        text.push('}');
        (!used.is_empty()).then_some((text, used))
    }
}

/// Property name in a definition: quoted if ambiguous.
fn formatted(name: &str) -> String {
    if name.contains([',', '\'', '"', '{', '}']) {
        serde_json::to_string(name).unwrap_or_else(|_| name.to_owned())
    } else {
        name.to_owned()
    }
}
