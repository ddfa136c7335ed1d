//! Parts of a class name.

/// Package (with its last dot) and simple name: `java.util.` and `HashMap$Node[]`.
pub fn split_class(class: &str) -> (&str, &str) {
    // A label may contain dots after a space or a bracket; class names contain none there.
    let end = class.find([' ', '[', '<', '(']).unwrap_or(class.len());
    // A hidden class has an address behind its name.
    let end = class[..end].find("/0x").unwrap_or(end);
    let cut = class[..end].rfind(['.', '/']).map_or(0, |dot| dot + 1);
    class.split_at(cut)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packages_are_separated_from_names() {
        let cases = [
            ("java.util.HashMap$Node[]", ("java.util.", "HashMap$Node[]")),
            ("byte[]", ("", "byte[]")),
            ("shop.Cart", ("shop.", "Cart")),
            ("shop.Desk$$Lambda/0x00007f51fc006000", ("shop.", "Desk$$Lambda/0x00007f51fc006000")),
            ("", ("", "")),
        ];
        for (class, parts) in cases {
            assert_eq!(split_class(class), parts);
        }
    }
}
