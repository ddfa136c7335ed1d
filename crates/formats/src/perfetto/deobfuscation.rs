//! Original names of obfuscated classes and fields, from packets with the mapping of R8 that a tool added to the trace.
//! A mapping is of a package, and applies to the classes of its files; classes of unknown packages take any.

use std::ops::Range;

use rustc_hash::FxHashMap;

use super::merged_classes::MergedClasses;
use super::wire::Message;

/// Installed applications.
const APPLICATIONS: &str = "/data/app/";
/// Opening of the type of a class object: `java.lang.Class<shop.Cart>`.
const CLASS_OBJECT: &str = "java.lang.Class<";

/// Names of one class.
#[derive(Debug, Clone)]
pub(super) struct OriginalClass {
    /// Original name.
    pub(super) name: String,
    /// Classes that became one by optimization, if the mapping names any.
    pub(super) merged: Option<MergedClasses>,
}

#[derive(Debug, Default)]
struct PackageMapping {
    package: String,
    classes: FxHashMap<String, OriginalClass>,
}

/// All mappings of a trace; of several names, the last counts.
#[derive(Debug, Default)]
pub(super) struct Deobfuscation {
    mappings: Vec<PackageMapping>,
    /// Original qualified names of fields by obfuscated ones: `shop.Cart.items` for `a.b`.
    fields: FxHashMap<String, String>,
}

/// A type name taken apart: `a`, `true` and `[]` of `java.lang.Class<a[]>`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct TypeName<'a> {
    /// Class of the elements.
    pub(super) element: &'a str,
    /// Brackets of an array.
    pub(super) brackets: &'a str,
    /// True for the type of a class object.
    pub(super) is_class_object: bool,
}

impl<'a> TypeName<'a> {
    pub(super) fn of(name: &'a str) -> Self {
        let inside = name.strip_prefix(CLASS_OBJECT).and_then(|rest| rest.strip_suffix('>'));
        let full = inside.unwrap_or(name);
        let element = full.trim_end_matches("[]");
        Self { element, brackets: full.get(element.len()..).unwrap_or_default(), is_class_object: inside.is_some() }
    }

    /// The name with another class for the elements.
    pub(super) fn with(&self, element: &str) -> String {
        let full = format!("{element}{}", self.brackets);
        if self.is_class_object { format!("{CLASS_OBJECT}{full}>") } else { full }
    }
}

/// Package of an installed application, by the path of its file: `/data/app/~~x==/com.shop-y==/base.apk`, on older
/// devices `/data/app/com.shop-y/base.apk`.
pub(super) fn package_of_file(path: &str) -> Option<&str> {
    let (first, rest) = path.strip_prefix(APPLICATIONS)?.split_once('/')?;
    let folder = rest.split_once('/').map_or(first, |(second, _)| second);
    folder.split_once('-').map(|(package, _)| package)
}

impl Deobfuscation {
    /// Reads the mappings at these places of a file.
    pub(super) fn read(file: &[u8], mappings: &[Range<u64>]) -> Self {
        let mut all = Self::default();
        for range in mappings {
            let mut mapping = PackageMapping::default();
            for field in Message::new(file, range) {
                match (field.number, field.as_bytes()) {
                    (1, Some(_)) => mapping.package = field.as_text().unwrap_or_default(),
                    (3, Some(class)) => all.class(class, &mut mapping),
                    _ => {}
                }
            }
            all.mappings.push(mapping);
        }
        all
    }

    fn class(&mut self, bytes: &[u8], mapping: &mut PackageMapping) {
        let (mut obfuscated, mut name, mut merged, mut members) = (String::new(), String::new(), None, Vec::new());
        for field in Message::of(bytes) {
            match (field.number, field.as_bytes()) {
                (1, Some(_)) => obfuscated = field.as_text().unwrap_or_default(),
                (2, Some(_)) => name = field.as_text().unwrap_or_default(),
                (3, Some(member)) => members.push(member),
                (5, Some(classes)) => merged = MergedClasses::read(classes),
                _ => {}
            }
        }
        for member in members {
            let (mut short, mut original) = (String::new(), String::new());
            for field in Message::of(member) {
                match field.number {
                    1 => short = field.as_text().unwrap_or_default(),
                    2 => original = field.as_text().unwrap_or_default(),
                    _ => {}
                }
            }
            // A field that was moved from another class has that name too.
            let original = if original.contains('.') { original } else { format!("{name}.{original}") };
            self.fields.insert(format!("{obfuscated}.{short}"), original);
        }
        mapping.classes.insert(obfuscated, OriginalClass { name, merged });
    }

    /// Original names of a class that is not an array.
    pub(super) fn original(&self, class: &str, package: Option<&str>) -> Option<&OriginalClass> {
        let fits = |mapping: &&PackageMapping| package.is_none_or(|package| mapping.package == package);
        self.mappings.iter().rev().filter(fits).find_map(|mapping| mapping.classes.get(class))
    }

    /// Original qualified name of a field.
    pub(super) fn field(&self, qualified: &str) -> Option<&str> {
        self.fields.get(qualified).map(String::as_str)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn type_names_are_taken_apart() {
        for (name, element, brackets, is_class_object) in [
            ("shop.Cart", "shop.Cart", "", false),
            ("a[][]", "a", "[][]", false),
            ("java.lang.Class<a[]>", "a", "[]", true),
            ("java.lang.Class<a", "java.lang.Class<a", "", false),
            ("[]", "", "[]", false),
        ] {
            let parts = TypeName::of(name);
            assert_eq!(parts, TypeName { element, brackets, is_class_object });
            assert_eq!(parts.with(element), name);
        }
        assert_eq!(TypeName::of("java.lang.Class<a[]>").with("shop.Cart"), "java.lang.Class<shop.Cart[]>");
    }

    #[test]
    fn packages_follow_from_the_folders_of_applications() {
        for (path, package) in [
            ("/data/app/~~ASDFG==/invalid.test.android-SDASD/test.apk", Some("invalid.test.android")),
            ("/data/app/com.shop-1/base.apk", Some("com.shop")),
            ("/data/app/com.shop/base.apk", None),
            ("/data/app/", None),
            ("/system/framework/framework.jar", None),
            ("base.apk!classes.dex", None),
        ] {
            assert_eq!(package_of_file(path), package, "{path}");
        }
    }
}
