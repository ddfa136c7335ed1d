//! The name of a class as its source has it, without its package: what compilers, class loaders and libraries make of it
//! is undone. `Outer.Inner` for `desk.Outer$Inner`, `Desk` for the file `DeskKt` of Kotlin and for the singleton `Desk$` of
//! Scala, `my.ns/my-fn` for the function `my.ns$my_fn` of Clojure, `Users` for `Users$$EnhancerBySpringCGLIB$$1a2b`.

use super::source_names::decoded;
use super::spelling::class;
use heaplens_heap::{ClassId, Heap, split_class};

/// What libraries that make subclasses at run time write behind the name of the class that these stand for: Spring and
/// CGLIB, Hibernate, ByteBuddy, Mockito, Javassist, Weld and Quarkus.
const GENERATED: [&str; 13] = [
    "$$EnhancerBy",
    "$$SpringCGLIB$$",
    "$$FastClass",
    "$$KeyFactoryBy",
    "$HibernateProxy$",
    "$HibernateInstantiator$",
    "$HibernateAccessOptimizer$",
    "$ByteBuddy$",
    "$MockitoMock$",
    "_$$_jvst",
    "_$$_javassist",
    "$Proxy$_$$_",
    "_$$_Weld",
];
/// What a compiler writes behind the name of the class that has a lambda expression, or closure.
const LAMBDAS: [&str; 6] = ["$$Lambda", "$$anonfun", "$$anon$", "$anonfun$", "$_run_closure", "$_closure"];
/// Endings of the names of classes in which a compiler puts members of the class before it: companions of Kotlin, parts
/// of traits of Groovy, default methods of interfaces.
const PARTS: [&str; 5] =
    ["$Companion", "$Trait$Helper", "$Trait$StaticFieldHelper", "$Trait$FieldHelper", "$DefaultImpls"];
/// Class of the functions of Clojure.
const CLOJURE_FUNCTION: &str = "clojure.lang.AFn";
/// Name in the bytecode of the class of the top-level members of a Scala package.
const PACKAGE_OBJECT: &str = "package";

/// The name of a class in its source.
pub(crate) fn short_class(heap: &Heap, id: ClassId) -> String {
    let name = class(&heap.classes.get(id).name);
    if is_function_of_clojure(heap, id) {
        return function_of_clojure(name);
    }
    if name.ends_with("[]") || heap.snapshot().is_some() {
        return split_class(name).1.to_owned();
    }
    source_class_name(name)
}

/// True of the class of a function of Clojure.
pub(crate) fn is_function_of_clojure(heap: &Heap, id: ClassId) -> bool {
    let mut at = Some(id);
    // No chain of superclasses of one is as long.
    for _ in 0..8 {
        let Some(class) = at.map(|at| heap.classes.get(at)) else { return false };
        if &*class.name == CLOJURE_FUNCTION {
            return true;
        }
        at = class.superclass;
    }
    false
}

/// `my.ns/my-fn` for `my.ns$my_fn`, also of the functions within it.
fn function_of_clojure(name: &str) -> String {
    let mut parts = name.split('$');
    let namespace = unmunged(parts.next().unwrap_or_default());
    let function = parts.next().map(|part| part.split("__").next().unwrap_or(part));
    match function.filter(|function| !function.is_empty()) {
        Some(function) => format!("{namespace}/{}", unmunged(function)),
        None => namespace,
    }
}

/// A name of Clojure as its source has it: `my-fn?` for `my_fn_QMARK_`.
pub(crate) fn unmunged(name: &str) -> String {
    let signs = [
        ("_QMARK_", "?"),
        ("_BANG_", "!"),
        ("_STAR_", "*"),
        ("_PLUS_", "+"),
        ("_GT_", ">"),
        ("_LT_", "<"),
        ("_EQ_", "="),
        ("_SLASH_", "/"),
        ("_", "-"),
    ];
    signs.iter().fold(name.to_owned(), |name, (munged, sign)| name.replace(munged, sign))
}

/// The name in the source of a class by its name alone, of a language other than Clojure.
pub(crate) fn source_class_name(name: &str) -> String {
    let name = split_class_of_source(class(name));
    let made = GENERATED.iter().filter_map(|mark| name.find(mark)).min().filter(|&at| at > 0);
    let name = &name[..made.unwrap_or(name.len())];
    let lambda = LAMBDAS.iter().filter_map(|mark| name.find(mark)).min().filter(|&at| at > 0);
    let name = &name[..lambda.unwrap_or(name.len())];
    let name = PARTS.iter().find_map(|part| name.strip_suffix(part)).unwrap_or(name);
    let name = decoded(name);
    let mut parts = name.split('$').filter(|part| !part.is_empty());
    let Some(first) = parts.next() else { return name.into_owned() };
    let mut out = of_file(first).to_owned();
    for part in parts {
        // Numbers of anonymous classes; `1Local` is a class in a method, `_bar_closure2` a closure in one.
        let part = part.trim_start_matches(|c: char| c.is_ascii_digit());
        let part = part.strip_prefix('_').and_then(|part| Some(part.split_once("_closure")?.0)).unwrap_or(part);
        if !part.is_empty() && !part.starts_with("inlined") {
            out.push('.');
            out.push_str(part);
        }
    }
    out
}

/// The name without its package; of the members of a Scala package, the package.
fn split_class_of_source(name: &str) -> &str {
    let (package, simple) = split_class(name);
    if simple.trim_end_matches('$') == PACKAGE_OBJECT && !package.is_empty() {
        let package = package.trim_end_matches('.');
        return split_class(package).1;
    }
    simple
}

/// The file whose top-level members a class of Kotlin has, without `Kt`.
fn of_file(class: &str) -> &str {
    let is_file = |file: &&str| file.starts_with(char::is_uppercase) || file.ends_with(|c: char| c.is_ascii_digit());
    class.strip_suffix("Kt").filter(is_file).unwrap_or(class)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_have_the_names_of_their_source() {
        for (class, expected) in [
            ("desk.SessionCache", "SessionCache"),
            ("desk.Outer$Inner", "Outer.Inner"),
            ("desk.Outer$1", "Outer"),
            ("desk.Outer$1Local", "Outer.Local"),
            ("desk.Desk$$Lambda$14+0x00007f51fc006000", "Desk"),
            ("desk.Desk$$Lambda/0x00007f51fc006000", "Desk"),
            // Kotlin
            ("desk.DeskKt", "Desk"),
            ("desk.DeskKt$main$1", "Desk.main"),
            ("desk.Desk$Companion", "Desk"),
            ("desk.Desk$load$$inlined$map$1$2", "Desk.load.map"),
            ("desk.Kt", "Kt"),
            // Scala
            ("desk.Pier$", "Pier"),
            ("desk.Harbour$Pier$", "Harbour.Pier"),
            ("desk.Desk$$anonfun$open$1", "Desk"),
            ("desk.Desk$$anon$1", "Desk"),
            ("desk.tools.package$", "tools"),
            ("desk.$colon$plus", ":+"),
            // Groovy
            ("Desk$_run_closure1", "Desk"),
            ("desk.Desk$_open_closure2", "Desk.open"),
            ("desk.Cached$Trait$Helper", "Cached"),
            // Libraries that make classes
            ("desk.Users$$EnhancerBySpringCGLIB$$1a2b", "Users"),
            ("desk.Users$$SpringCGLIB$$0", "Users"),
            ("desk.User$HibernateProxy$Xy12", "User"),
            ("desk.User_$$_jvst4a_0", "User"),
            ("desk.User$ByteBuddy$abc", "User"),
            ("$Proxy12", "Proxy12"),
        ] {
            assert_eq!(source_class_name(class), expected, "{class}");
        }
    }

    #[test]
    fn functions_of_clojure_have_namespace_and_name() {
        assert_eq!(function_of_clojure("my.web_app$open_BANG_"), "my.web-app/open!");
        assert_eq!(function_of_clojure("my.app$fill$fn__123"), "my.app/fill");
        assert_eq!(function_of_clojure("my.app$fn__12"), "my.app/fn");
    }
}
