//! Members as the source has them, where a compiler or the virtual machine makes others. Scala writes the full name of a
//! trait before its private members and a `$` behind the name of a singleton (Scala 2.12 and 3, as in the class files
//! of its library); HotSpot numbers the classes of lambda expressions. Paths keep the names of the dump: they are
//! resolved there.

use std::borrow::Cow;

use super::spelling::class;

/// Static field of a Scala singleton, and of an object of Kotlin.
const SINGLETONS: [&str; 2] = ["MODULE$", "INSTANCE"];
/// Part of the names of classes that the virtual machine makes of lambda expressions.
pub(crate) const LAMBDA: &str = "$$Lambda";
/// What compilers write before the name of a captured variable: Java and Groovy, Kotlin.
const CAPTURED: [&str; 2] = ["val$", "$"];
/// What compilers write behind the name of a property: delegates of Kotlin, lazy values of Scala 3.
const DELEGATES: [&str; 3] = ["$delegate", "$lzy", "$module"];
/// End of the class that Groovy makes for the fields of a trait.
const TRAIT_FIELDS: &str = "$Trait$FieldHelper";
/// Signs in names of Scala.
const SIGNS: [(&str, &str); 18] = [
    ("$plus", "+"),
    ("$minus", "-"),
    ("$times", "*"),
    ("$div", "/"),
    ("$eq", "="),
    ("$less", "<"),
    ("$greater", ">"),
    ("$bang", "!"),
    ("$at", "@"),
    ("$hash", "#"),
    ("$percent", "%"),
    ("$up", "^"),
    ("$amp", "&"),
    ("$bar", "|"),
    ("$tilde", "~"),
    ("$qmark", "?"),
    ("$colon", ":"),
    ("$u0020", " "),
];

/// A member in the source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct SourceMember {
    /// Full name of the class or trait that declares it, if its name has that.
    pub(crate) declared_by: Option<String>,
    /// Its name.
    pub(crate) name: String,
}

/// Name of a field as its source has it: `watchers` of the trait `harbour.Signals` for `harbour$Signals$$watchers`, `log`
/// for `log$delegate`, `user` for `val$user`.
pub(super) fn source_member(name: &str) -> SourceMember {
    if let Some((declaring, member)) = private_member(name) {
        return SourceMember { declared_by: Some(declaring), name: member.to_owned() };
    }
    let name =
        CAPTURED.iter().find_map(|before| name.strip_prefix(before).filter(|name| is_name(name))).unwrap_or(name);
    let delegate = |behind: &&str| {
        let (name, number) = name.split_once(*behind)?;
        (is_name(name) && number.bytes().all(|byte| byte.is_ascii_digit())).then_some(name)
    };
    let name = DELEGATES.iter().find_map(delegate).unwrap_or(name);
    SourceMember { declared_by: None, name: decoded(name).into_owned() }
}

/// A trait of Groovy with fields, by the class that its compiler makes for them, with what it writes before the fields in
/// the classes that have the trait: `desk_Audited` of `desk.Audited`.
pub(super) fn trait_of_groovy(helper: &str) -> Option<(String, String)> {
    let name = helper.strip_suffix(TRAIT_FIELDS)?;
    Some((name.replace('.', "_"), name.to_owned()))
}

/// Trait and name of a field that a class has from a trait of Groovy: `desk_Audited__changes`. `full_name` has the trait of
/// what stands before it.
pub(super) fn member_of_trait<'a>(name: &str, full_name: impl Fn(&str) -> Option<&'a str>) -> Option<SourceMember> {
    let (before, name) =
        name.match_indices("__").find_map(|(at, sign)| Some((full_name(&name[..at])?, &name[at + sign.len()..])))?;
    Some(SourceMember { declared_by: Some(before.to_owned()), name: name.to_owned() })
}

/// True of a static field that holds the only instance of its class: the name of the class is that of the instance.
pub(crate) fn is_singleton(class: &str, field: &str) -> bool {
    field == SINGLETONS[0] && class.ends_with('$')
}

/// A name of Scala with its signs: `listeners++` for `listeners$plus$plus`.
pub(super) fn decoded(name: &str) -> Cow<'_, str> {
    // A name that begins with a sign is that of an operator.
    let Some(at) = name.find('$').filter(|_| SIGNS.iter().any(|(sign, _)| name.contains(sign))) else {
        return Cow::Borrowed(name);
    };
    let (mut out, mut rest) = (name[..at].to_owned(), &name[at..]);
    while !rest.is_empty() {
        match SIGNS.iter().find_map(|(sign, letter)| Some((letter, rest.strip_prefix(sign)?))) {
            Some((letter, after)) => {
                out.push_str(letter);
                rest = after;
            }
            None => {
                let next = rest[1..].find('$').map_or(rest.len(), |next| next + 1);
                out.push_str(&rest[..next]);
                rest = &rest[next..];
            }
        }
    }
    Cow::Owned(out)
}

/// Trait or class, and name, of a private member whose name Scala made unique.
fn private_member(name: &str) -> Option<(String, &str)> {
    let (declaring, member) = name.split_once("$$")?;
    let (_, simple) = declaring.rsplit_once('$').unwrap_or(("", declaring));
    let is_full_name = declaring.split('$').all(is_name) && simple.starts_with(char::is_uppercase);
    (is_full_name && is_name(member)).then(|| (declaring.replace('$', "."), member))
}

fn is_name(part: &str) -> bool {
    part.starts_with(|c: char| c.is_alphabetic() || c == '_') && part.chars().all(|c| c.is_alphanumeric() || c == '_')
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
        for (field, declared_by, name) in [
            ("org$harbour$Signals$$watchers", Some("org.harbour.Signals"), "watchers"),
            ("Signals$$watchers", Some("Signals"), "watchers"),
            ("buoy", None, "buoy"),
            ("log$delegate", None, "log"),
            ("cache$lzy1", None, "cache"),
            ("val$user", None, "user"),
            ("$user", None, "user"),
            ("listeners$plus$plus", None, "listeners++"),
            // No names that compilers make of one in the source.
            ("this$0", None, "this$0"),
            ("val$$x", None, "val$$x"),
            ("a$$b", None, "a$$b"),
            ("$$delegate_0", None, "$$delegate_0"),
            ("Signals$$1", None, "Signals$$1"),
            ("<resolved_references>", None, "<resolved_references>"),
        ] {
            let expected = SourceMember { declared_by: declared_by.map(str::to_owned), name: name.to_owned() };
            assert_eq!(source_member(field), expected, "{field}");
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
