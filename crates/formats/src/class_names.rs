//! Conversion of class names of the JVM from class file notation to source notation, and what source notation says.

use heaplens_heap::ClassKind;

/// Primitive types of Java, by their letters in class files.
const PRIMITIVES: [(char, &str); 8] = [
    ('Z', "boolean"),
    ('C', "char"),
    ('F', "float"),
    ('D', "double"),
    ('B', "byte"),
    ('S', "short"),
    ('I', "int"),
    ('J', "long"),
];

/// `java.lang.String` of `java/lang/String`, `int[][]` of `[[I`, `shop.Cart[]` of `[Lshop/Cart;`.
pub(super) fn of_class_file(name: &str) -> String {
    let element = name.trim_start_matches('[');
    let depth = name.len() - element.len();
    let mut plain = match element.strip_prefix('L').and_then(|rest| rest.strip_suffix(';')) {
        Some(class) if depth > 0 => class.replace('/', "."),
        _ => match (depth, primitive(element)) {
            (1.., Some(primitive)) => primitive.to_owned(),
            _ => element.replace('/', "."),
        },
    };
    plain.extend(std::iter::repeat_n("[]", depth));
    plain
}

/// A name in source notation of one that is in either notation: as above for arrays in class file notation, such as
/// `[C` and `[Ljava.lang.String;`; else unchanged.
pub(super) fn of_either(name: String) -> String {
    if name.starts_with('[') { of_class_file(&name) } else { name }
}

/// The type of a letter.
fn primitive(letters: &str) -> Option<&'static str> {
    let mut letters = letters.chars();
    let letter = letters.next().filter(|_| letters.next().is_none())?;
    PRIMITIVES.iter().find(|&&(known, _)| known == letter).map(|&(_, name)| name)
}

/// True for the name of a primitive type.
pub(super) fn is_primitive(name: &str) -> bool {
    PRIMITIVES.iter().any(|&(_, primitive)| primitive == name)
}

/// True if a name in source notation is that of a primitive array.
pub(super) fn is_primitive_array(name: &str) -> bool {
    name.strip_suffix("[]").is_some_and(is_primitive)
}

/// Shape of the instances of a class with a name in source notation.
pub(super) fn kind_of(name: &str) -> ClassKind {
    match name {
        name if is_primitive_array(name) => ClassKind::PrimitiveArray,
        name if name.ends_with("[]") => ClassKind::ObjectArray,
        _ => ClassKind::Plain,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_written_as_in_source() {
        for (file, people) in [
            ("java/lang/String", "java.lang.String"),
            ("[C", "char[]"),
            ("[[J", "long[][]"),
            ("int[]", "int[]"),
            ("[[I", "int[][]"),
            ("[Ljava/lang/Class;", "java.lang.Class[]"),
            ("[[Lshop/Cart$Line;", "shop.Cart$Line[][]"),
            // Classes without a package whose names equal the codes.
            ("C", "C"),
            ("LA;", "LA;"),
            ("void", "void"),
            ("[Lshop/Cart", "Lshop.Cart[]"),
            ("", ""),
        ] {
            assert_eq!(of_class_file(file), people);
        }
        let either = ["[C", "[[Ljava.lang.String;", "shop.Run$$Lambda/0x1f", "int[]"].map(str::to_owned).map(of_either);
        assert_eq!(either, ["char[]", "java.lang.String[][]", "shop.Run$$Lambda/0x1f", "int[]"]);
        assert!(is_primitive_array("long[]") && !is_primitive_array("long[][]") && !is_primitive_array("long"));
    }
}
