//! Titles that fit a line: packages, then further structures, then inner fields, then enclosing classes are left out
//! until one does.

use super::finding::LeakFinding;
use crate::source_classes;
use heaplens_base::invisible::one_line;

/// Longest title, in characters, unless even its shortest form is longer.
const LINE: usize = 90;
/// Fields kept of a shortened name, at its beginning and at its end.
const KEPT_CHARACTERS: (usize, usize) = (2, 1);

/// The first title that fits a line, of those that `title` makes of a name and a class; the shortest if none does.
pub(super) fn fitting(finding: &LeakFinding, title: impl Fn(&str, &str) -> String) -> String {
    let accumulated = finding.accumulated.as_ref();
    let class = accumulated
        .map_or(String::new(), |of_class| source_classes::class_or_lambda(&of_class.class, of_class.objects));
    let simple =
        accumulated.map_or(String::new(), |of_class| source_classes::simple(&of_class.class, of_class.objects));
    let label = one_line(&finding.label);
    let title = |name: &str, class: &str| match finding.distinction.as_deref().filter(|_| !name.is_empty()) {
        Some(distinction) => title(&format!("{name} ({})", one_line(distinction)), class),
        None => title(name, class),
    };
    let parts: Vec<&str> = label.split(" + ").map(without_package).collect();
    let several = parts.join(" + ");
    let first = match parts.as_slice() {
        [first, _, ..] => format!("{first} + {} more", parts.len() - 1),
        _ => several.clone(),
    };
    let short = shortened(&first);
    let nested = (without_enclosing(&short), without_enclosing(&simple));
    let forms =
        [(&*label, &*class), (&label, &simple), (&several, &simple), (&first, &simple), (&short, &simple), nested];
    let mut made = String::new();
    for (name, class) in forms {
        made = title(name, class);
        if made.chars().count() <= LINE {
            break;
        }
    }
    made
}

/// The shortest form of one name.
pub(super) fn shortest(label: &str) -> String {
    without_enclosing(&shortened(without_package(&one_line(label)))).to_owned()
}

/// `Grid.temperatures` for `Forecast$Grid.temperatures`: the class without those it is declared in.
fn without_enclosing(label: &str) -> &str {
    let class = &label[..label.find(['.', '"', '<', '[', ' ']).unwrap_or(label.len())];
    let nested = class.rfind('$').filter(|&at| at > 0 && class[at + 1..].starts_with(|c: char| c.is_ascii_uppercase()));
    nested.map_or(label, |at| &label[at + 1..])
}

/// `Geocoder.byUrl` for `shop.parcels.Geocoder.byUrl`. Names of threads, roots and keys stay whole.
fn without_package(label: &str) -> &str {
    let mut at = 0;
    for segment in label.split('.') {
        if segment.starts_with(|c: char| c.is_ascii_uppercase()) {
            return &label[at..];
        }
        if !segment.chars().all(|c| c.is_ascii_alphanumeric() || c == '_') {
            break;
        }
        at += segment.len() + 1;
    }
    label
}

/// `Importer.context…applicationListeners`: the first fields and the last.
fn shortened(label: &str) -> String {
    // Dots within keys and names of threads separate no fields.
    if label.contains(['"', '<', '[']) {
        return label.to_owned();
    }
    let fields: Vec<&str> = label.split(['.', '…']).collect();
    if fields.len() <= KEPT_CHARACTERS.0 + KEPT_CHARACTERS.1 {
        return label.to_owned();
    }
    format!("{}…{}", fields[..KEPT_CHARACTERS.0].join("."), fields[fields.len() - KEPT_CHARACTERS.1..].join("."))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packages_of_names_are_left_out() {
        for (label, short) in [
            ("shop.parcels.Geocoder.byUrl", "Geocoder.byUrl"),
            ("Geocoder.byUrl", "Geocoder.byUrl"),
            ("currentState.chat.messagesById", "currentState.chat.messagesById"),
            ("thread \"main\".<local of a.B.run: A>", "thread \"main\".<local of a.B.run: A>"),
            ("", ""),
        ] {
            assert_eq!(without_package(label), short, "{label}");
        }
    }

    #[test]
    fn enclosing_classes_are_left_out() {
        assert_eq!(without_enclosing("Forecast$Grid.hours"), "Grid.hours");
        assert_eq!(without_enclosing("Forecast$Grid$1.val$hour"), "Forecast$Grid$1.val$hour");
        assert_eq!(without_enclosing("Forecast.val$Hour"), "Forecast.val$Hour");
        assert_eq!(without_enclosing("$Module"), "$Module");
    }

    #[test]
    fn inner_fields_of_names_are_left_out() {
        assert_eq!(shortened("Importer.context.multicaster.retriever.listeners"), "Importer.context…listeners");
        assert_eq!(shortened("Pool.store…scache.keys"), "Pool.store…keys");
        assert_eq!(shortened("A.b.c"), "A.b.c");
        assert_eq!(shortened("A.b[\"x.y\"].c.d"), "A.b[\"x.y\"].c.d");
    }
}
