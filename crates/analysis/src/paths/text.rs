//! A path to a GC root as text for a ticket: one step per line, every step below its holder.

use std::fmt::{self, Write};

use super::ReferencePath;
use heaplens_base::Count;
use heaplens_base::invisible::one_line;
use heaplens_heap::Strength;

/// Writes the path, root first; each line contains the reference, the object, and its retained size.
///
/// Steps that dominate the last are marked `*`: without them it would be collected.
fn path_text(path: &ReferencePath) -> String {
    let mut text = format!("GC root: {}", path.root_kind.name());
    if path.strength != Strength::Strong {
        // Writing to a String cannot fail.
        let _ = write!(text, " (via a {} reference)", path.strength.name());
    }
    text.push('\n');
    for (depth, step) in path.steps.iter().enumerate() {
        let indent = 2 * depth.min(40);
        if let Some(omission) = path.omission.filter(|o| o.after == depth) {
            let _ = writeln!(text, "  {:indent$}… {} more steps", "", Count(omission.steps as u64));
        }
        let mark = if step.dominates { '*' } else { ' ' };
        let reference = step.reference.as_deref().map(reference_text).unwrap_or_default();
        let object = object_text(&step.class, step.label.as_deref(), &step.id);
        let line = format!("{mark} {:indent$}{reference}{object} (retained {})", "", step.retained);
        // Names and strings of a dump may contain anything; a step stays one line.
        let _ = writeln!(text, "{}", one_line(&line));
    }
    text
}

/// One step per line, each below its holder.
impl fmt::Display for ReferencePath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&path_text(self))
    }
}

/// `.cache → `, `[17] → `, `<class> → `.
pub fn reference_text(name: &str) -> String {
    format!("{} → ", dotted(name))
}

/// `.cache`, `[17]`, `<class>`.
pub fn dotted(name: &str) -> String {
    if name.starts_with(['[', '<']) { name.to_owned() } else { format!(".{name}") }
}

/// Class, label and id of an object; the id is omitted if empty.
pub fn object_text(class: &str, label: Option<&str>, id: &str) -> String {
    let named = match label {
        Some(label) if class == "java.lang.Class" => format!("class {label}"),
        Some(label) if class == "java.lang.String" => format!("{class} \"{label}\""),
        // `byte[]` and `[1,024]` are written as `byte[1,024]`.
        Some(label) if label.starts_with('[') && class.ends_with("[]") => {
            format!("{}{label}", class.strip_suffix("[]").unwrap_or(class))
        }
        // A collection size.
        Some(label) if label.starts_with('(') => format!("{class} {label}"),
        Some(label) => format!("{class} \"{label}\""),
        None => class.to_owned(),
    };
    if id.is_empty() { named } else { format!("{named} {id}") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::paths::{Omission, PathStep};
    use heaplens_base::Bytes;
    use heaplens_heap::{ObjectId, RootKind};

    #[test]
    fn the_middle_of_a_long_path_is_elided() {
        let step = |number: u32, class: &str, label: Option<&str>, reference: Option<&str>| PathStep {
            object: ObjectId::from_raw(number).expect("an id"),
            id: format!("0x{number:x}"),
            class: class.to_owned(),
            label: label.map(str::to_owned),
            shallow: Bytes(24),
            retained: Bytes(48),
            reference: reference.map(str::to_owned),
            dominates: number != 2,
        };
        let steps = vec![
            step(1, "java.lang.Class", Some("big.List"), None),
            step(2, "java.lang.Object[]", Some("[1,024]"), Some("all")),
            step(9, "java.lang.String", Some("two\nlines"), Some("[3]")),
        ];
        let omission = Some(Omission { after: 2, steps: 6_000 });
        let path = ReferencePath { root_kind: RootKind::Thread, strength: Strength::Weak, steps, omission };
        let expected = "GC root: Thread (via a weak reference)\n\
                        * class big.List 0x1 (retained 48 B)\n    \
                        .all → java.lang.Object[1,024] 0x2 (retained 48 B)\n      \
                        … 6,000 more steps\n\
                        *     [3] → java.lang.String \"two lines\" 0x9 (retained 48 B)\n";
        assert_eq!(path_text(&path), expected);
    }
}
