//! Second line of a name: a text, or added and removed objects by class, shortened to the space.

use super::elide;

/// Maximum number of classes listed in a tooltip and by screen readers.
const LISTED: usize = 8;

/// Second line of a name.
#[derive(Debug, Clone, PartialEq)]
pub enum SecondLine {
    /// A text.
    Text(Box<str>),
    /// A text, and a shorter one for a narrow row.
    Either(Box<str>, Box<str>),
    /// Added and removed objects by class.
    Classes(ClassList),
}

/// Added and removed objects by class, most bytes first.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ClassList {
    /// Objects and class, `+60,000 CartLine`, and bytes, `+2.9 MB`.
    pub parts: Box<[(String, String)]>,
    /// Bytes moved from or to other owners: `24 B moved to other owners`, and in fewer words `24 B moved away`.
    pub moved: Option<(String, String)>,
}

impl SecondLine {
    /// The complete text, of many classes the first.
    pub fn plain(&self) -> String {
        match self {
            Self::Text(text) | Self::Either(text, _) => text.to_string(),
            Self::Classes(list) => list.line(LISTED, true, list.moved.as_ref().map(|(moved, _)| moved.as_str())),
        }
    }

    /// True if there is no text.
    pub fn is_empty(&self) -> bool {
        match self {
            Self::Text(text) | Self::Either(text, _) => text.is_empty(),
            Self::Classes(list) => list.parts.is_empty() && list.moved.is_none(),
        }
    }

    /// As much as fits; never a part of a class name where a shorter list fits.
    pub fn fitting(&self, fits: &dyn Fn(&str) -> bool) -> String {
        match self {
            Self::Text(text) => text.to_string(),
            Self::Either(long, short) => if fits(long) { long } else { short }.to_string(),
            Self::Classes(list) => list.fitting(fits),
        }
    }
}

impl From<&str> for SecondLine {
    fn from(text: &str) -> Self {
        Self::Text(text.into())
    }
}

impl From<String> for SecondLine {
    fn from(text: String) -> Self {
        Self::Text(text.into())
    }
}

impl ClassList {
    /// The first `listed` classes, the number of the others, and bytes moved.
    fn line(&self, listed: usize, with_bytes: bool, moved: Option<&str>) -> String {
        let part = |(objects, bytes): &(String, String)| {
            if with_bytes { format!("{objects} {bytes}") } else { objects.clone() }
        };
        let mut parts: Vec<String> = self.parts.iter().take(listed).map(part).collect();
        match self.parts.len().saturating_sub(listed) {
            0 => {}
            1 => parts.push("1 more class".to_owned()),
            more => parts.push(format!("{more} more classes")),
        }
        parts.extend(moved.map(str::to_owned));
        parts.join(", ")
    }

    /// Bytes moved are left out first, then classes, then bytes.
    fn fitting(&self, fits: &dyn Fn(&str) -> bool) -> String {
        let all = self.parts.len();
        let moved = self.moved.iter().flat_map(|(moved, short)| [moved.as_str(), short.as_str()]);
        let complete = moved.map(Some).chain([None]).map(|moved| self.line(all, true, moved));
        let fewer = [true, false]
            .into_iter()
            .flat_map(|with_bytes| (1..=all.min(LISTED)).rev().map(move |listed| self.line(listed, with_bytes, None)));
        let shortened = complete.chain(fewer).find(|line| !line.is_empty() && fits(line));
        shortened.unwrap_or_else(|| match self.parts.first() {
            Some((objects, _)) => elide::middle(objects, fits).into_owned(),
            None => self.moved.as_ref().map_or_else(String::new, |(moved, _)| elide::middle(moved, fits).into_owned()),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_of_classes_is_shortened_to_whole_names() {
        let part = |objects: &str, bytes: &str| (objects.to_owned(), bytes.to_owned());
        let list = ClassList {
            parts: [part("+3 byte[]", "+1.2 kB"), part("+2 Session", "+80 B"), part("−1 Cart", "−24 B")].into(),
            moved: Some(("8 B moved to other owners".to_owned(), "8 B moved away".to_owned())),
        };
        let line = SecondLine::Classes(list);
        let complete = "+3 byte[] +1.2 kB, +2 Session +80 B, −1 Cart −24 B";
        assert_eq!(line.plain(), format!("{complete}, 8 B moved to other owners"));
        let within = |most: usize| line.fitting(&move |text: &str| text.chars().count() <= most);
        assert_eq!(within(100), line.plain());
        assert_eq!(within(66), format!("{complete}, 8 B moved away"));
        assert_eq!(within(60), complete);
        assert_eq!(within(49), "+3 byte[] +1.2 kB, +2 Session +80 B, 1 more class");
        assert_eq!(within(40), "+3 byte[] +1.2 kB, 2 more classes");
        assert_eq!(within(30), "+3 byte[], +2 Session, −1 Cart");
        assert_eq!(within(26), "+3 byte[], 2 more classes");
        assert_eq!(within(8), "+3 …te[]");
        let moved = ClassList {
            moved: Some(("8 B moved here from other owners".to_owned(), "8 B moved here".to_owned())),
            ..ClassList::default()
        };
        let moved = SecondLine::Classes(moved);
        assert_eq!(moved.fitting(&|text| text.len() < 20), "8 B moved here".to_owned());
        assert!(SecondLine::from("").is_empty() && !moved.is_empty());
    }
}
