//! A place of a dump with a marker, and where the marker may appear.

use heaplens_heap::value_rules::DataKind;

/// Where the marker of a place may appear.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Shown {
    /// Nowhere.
    Never,
    /// Everywhere: the kind of data is shown to others.
    Kept(DataKind),
    /// In a file stripped without `--numbers`.
    WithoutNumbers,
    /// In a file stripped without `--keys`.
    WithoutKeys,
}

/// What is planted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Marker {
    Text(String),
    /// A number, and its bytes.
    Number(u64, usize),
}

/// A place with a marker.
#[derive(Debug, Clone)]
pub(super) struct MarkedPlace {
    pub(super) name: &'static str,
    pub(super) marker: Marker,
    pub(super) shown: Shown,
}

impl MarkedPlace {
    /// Forms of the marker in files.
    pub(super) fn bytes(&self) -> Vec<Vec<u8>> {
        match &self.marker {
            Marker::Text(text) => {
                let wide = |bytes: fn(u16) -> [u8; 2]| text.encode_utf16().flat_map(bytes).collect();
                vec![text.clone().into_bytes(), wide(u16::to_be_bytes), wide(u16::to_le_bytes)]
            }
            Marker::Number(number, size) => {
                let bytes = number.to_be_bytes()[8 - size..].to_vec();
                let reverse = bytes.iter().rev().copied().collect();
                vec![bytes, reverse, number.to_string().into_bytes()]
            }
        }
    }

    /// Forms of the marker in answers.
    pub(super) fn texts(&self) -> Vec<String> {
        match &self.marker {
            Marker::Text(text) => vec![text.clone()],
            Marker::Number(number, _) => {
                let digits = number.to_string();
                let mut grouped = String::new();
                for (at, digit) in digits.chars().enumerate() {
                    if at > 0 && (digits.len() - at).is_multiple_of(3) {
                        grouped.push(',');
                    }
                    grouped.push(digit);
                }
                vec![digits, grouped, format!("{number:x}")]
            }
        }
    }
}

/// Places of a dump, each with a marker of its own.
#[derive(Debug, Default)]
pub(super) struct MarkedPlaces {
    pub(super) all: Vec<MarkedPlace>,
    /// Letter that begins the markers.
    letter: char,
}

impl MarkedPlaces {
    pub(super) fn new(letter: char) -> Self {
        Self { all: Vec::new(), letter }
    }

    fn add(&mut self, name: &'static str, marker: Marker, shown: Shown) {
        assert!(self.all.iter().all(|marked_place| marked_place.name != name), "{name} twice");
        self.all.push(MarkedPlace { name, marker, shown });
    }

    /// A place with a text.
    pub(super) fn text(&mut self, name: &'static str, shown: Shown) -> String {
        let text = format!("VALUE{}{:03}q", self.letter, self.all.len());
        self.add(name, Marker::Text(text.clone()), shown);
        text
    }

    /// A place with a number of four or eight bytes.
    pub(super) fn number(&mut self, name: &'static str, size: usize, shown: Shown) -> u64 {
        let at = self.all.len() as u64;
        let number = if size == 4 { 0x4a71_9d00 + at } else { 0x3a71_9d55_a6b2_c300 + at };
        self.add(name, Marker::Number(number, size), shown);
        number
    }
}
