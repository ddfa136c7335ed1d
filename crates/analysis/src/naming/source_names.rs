//! Names as the source has them, where a compiler or the virtual machine makes others. Scala writes the full name of a
//! trait before its private members and a `$` behind the name of a singleton (Scala 2.12 and 3, as in the class files
//! of its library); HotSpot numbers the classes of lambda expressions. Paths keep the names of the dump: they are
//! resolved there.

use std::borrow::Cow;

use super::spelling::{class, field};

/// Static field of a Scala singleton.
const SINGLETON: &str = "MODULE$";
/// Part of the names of classes that the virtual machine makes of lambda expressions.
const LAMBDA: &str = "$$Lambda";

/// Class and field: `harbour.Signals.watchers` for the field `harbour$Signals$$watchers` of a class that has the trait
/// `harbour.Signals`, `harbour.Pier.buoy` for the field `buoy` of the singleton `harbour.Pier$`, `harbour.Pier` for the
/// static field that holds it.
pub(crate) fn source_field(class: &str, name: &str) -> String {
    if let Some((declaring, member)) = private_member(name) {
        return format!("{declaring}{}", field(member));
    }
    match class.strip_suffix('$').filter(|class| class.ends_with(is_of_identifier)) {
        Some(singleton) if name == SINGLETON => singleton.to_owned(),
        Some(singleton) => format!("{singleton}{}", field(name)),
        None => format!("{class}{}", field(name)),
    }
}

/// Trait or class, and name, of a private member whose name Scala made unique.
fn private_member(name: &str) -> Option<(String, &str)> {
    let (declaring, member) = name.split_once("$$")?;
    let is_identifier =
        |part: &str| part.starts_with(|c: char| c.is_alphabetic()) && part.chars().all(is_of_identifier);
    let (_, simple) = declaring.rsplit_once('$').unwrap_or(("", declaring));
    let is_full_name = declaring.split('$').all(is_identifier) && simple.starts_with(char::is_uppercase);
    (is_full_name && is_identifier(member)).then(|| (declaring.replace('$', "."), member))
}

fn is_of_identifier(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// True of classes that the virtual machine makes of lambda expressions.
pub(crate) fn is_lambda(class: &str) -> bool {
    class.contains(LAMBDA)
}

/// The name of the class of so many objects: `lambdas in desk.Desk` for `desk.Desk$$Lambda$14+0x00007f51fc006000`; of
/// other classes that the virtual machine hides, without their address.
pub fn source_class(name: &str, objects: u64) -> Cow<'_, str> {
    match name.split_once(LAMBDA) {
        Some((host, _)) if !name.ends_with("[]") => {
            Cow::Owned(format!("{} in {host}", if objects == 1 { "lambda" } else { "lambdas" }))
        }
        _ => Cow::Borrowed(class(name)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_have_the_names_of_their_source() {
        for (class, name, expected) in [
            ("harbour.Buoy", "org$harbour$Signals$$watchers", "org.harbour.Signals.watchers"),
            ("harbour.Buoy", "Signals$$watchers", "Signals.watchers"),
            ("Harbour$Pier$", "buoy", "Harbour$Pier.buoy"),
            ("Harbour$Pier$", "MODULE$", "Harbour$Pier"),
            ("Harbour$Pier", "MODULE$", "Harbour$Pier.MODULE$"),
            // No names that Scala makes.
            ("desk.Desk", "this$0", "desk.Desk.this$0"),
            ("desk.Desk", "val$$x", "desk.Desk.val$$x"),
            ("desk.Desk", "a$$b", "desk.Desk.a$$b"),
            ("desk.Desk", "$$delegate_0", "desk.Desk.$$delegate_0"),
            ("desk.Desk", "Signals$$1", "desk.Desk.Signals$$1"),
            ("$", "x", "$.x"),
        ] {
            assert_eq!(source_field(class, name), expected);
        }
    }

    #[test]
    fn lambdas_are_named_by_the_class_that_makes_them() {
        for (name, objects, expected) in [
            ("desk.Desk$$Lambda$14+0x00007f51fc006000", 2, "lambdas in desk.Desk"),
            ("desk.Desk$$Lambda/0x00007f51fc006000", 1, "lambda in desk.Desk"),
            ("desk.Desk$$Lambda/0x00007f51fc006000[]", 2, "desk.Desk$$Lambda/0x00007f51fc006000[]"),
            ("desk.Desk$Hidden/0x00007f51fc006000", 2, "desk.Desk$Hidden"),
            ("desk.Desk", 2, "desk.Desk"),
        ] {
            assert_eq!(source_class(name, objects), expected);
        }
    }
}
