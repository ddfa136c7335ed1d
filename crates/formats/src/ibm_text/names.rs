//! Names of objects in records, in the notations of all variants.

use super::trailer::Kind;
use crate::class_names::{is_primitive_array, of_class_file};

/// Kind of an object and the name of its class; for a class, its own name.
pub(super) fn read(name: &[u8]) -> (Kind, String) {
    let text = String::from_utf8_lossy(name);
    // One tool has an option to print hash codes after names.
    let text = text.split(" [hashcode").next().unwrap_or(&text);
    let mut words: Vec<&str> = text.split_ascii_whitespace().collect();
    if let ["CLS" | "class", rest @ ..] = &words[..]
        && !rest.is_empty()
    {
        return (Kind::Class, of_class_file(&rest.join(" ")));
    }
    if words.first() == Some(&"OBJ") {
        words.remove(0);
    }
    match &words[..] {
        ["array", "of", element @ ..] if !element.is_empty() => {
            (Kind::ObjectArray, format!("{}[]", of_class_file(&element.join(" "))))
        }
        [] => (Kind::Object, NO_NAME.to_owned()),
        ["primitive", "array"] => (Kind::PrimitiveArray, PRIMITIVE_ARRAY.to_owned()),
        words => {
            let name = of_class_file(&words.join(" "));
            let kind = match &*name {
                name if is_primitive_array(name) => Kind::PrimitiveArray,
                name if name.ends_with("[]") => Kind::ObjectArray,
                _ => Kind::Object,
            };
            (kind, name)
        }
    }
}

/// Class of records without a name.
pub(super) const NO_NAME: &str = "(name not in the file)";
/// Name for primitive arrays of unknown type.
pub(super) const PRIMITIVE_ARRAY: &str = "primitive array";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_all_variants() {
        for (name, kind, class) in [
            ("java/lang/String", Kind::Object, "java.lang.String"),
            ("OBJ java/lang/String", Kind::Object, "java.lang.String"),
            ("OBJ [C", Kind::PrimitiveArray, "char[]"),
            ("char[]", Kind::PrimitiveArray, "char[]"),
            ("primitive array", Kind::PrimitiveArray, "primitive array"),
            ("array of java/lang/String", Kind::ObjectArray, "java.lang.String[]"),
            ("array of [I", Kind::ObjectArray, "int[][]"),
            ("OBJ [Ljava/util/Hashtable$Entry;", Kind::ObjectArray, "java.util.Hashtable$Entry[]"),
            ("class java/lang/String", Kind::Class, "java.lang.String"),
            ("CLS [I", Kind::Class, "int[]"),
            ("A [hashcode = 1f]", Kind::Object, "A"),
            ("K", Kind::Object, "K"),
            ("class", Kind::Object, "class"),
            ("", Kind::Object, NO_NAME),
        ] {
            assert_eq!(read(name.as_bytes()), (kind, class.to_owned()), "{name}");
        }
    }
}
