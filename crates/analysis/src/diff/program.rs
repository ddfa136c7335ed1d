//! Tells whether two heaps are of one program: only then growth between them means anything, and an owner can be
//! followed from one to the other.
//!
//! A Java program is named by its main class or archive, an Android app by its package: other names are other programs,
//! unless most classes of a Java program are the same. Otherwise, and for snapshots, classes and scripts of the application decide: most of those of the smaller heap are in
//! the other. Where neither says enough, it is not known.

use std::collections::BTreeSet;

use super::kinds::stable;
use crate::answers::DumpData;
use crate::libraries::libraries;
use crate::naming::{is_of_engine, is_of_package};
use crate::runtime_classes::RuntimeClasses;
use heaplens_base::Share;
use heaplens_heap::{Class, Value};

/// Minimum number of names of the smaller heap that can tell two programs apart.
const FEW: u64 = 3;

/// Whether two heaps are of one program.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ProgramMatch {
    /// True if they are, false if they are not; `None` if it is not known.
    pub is_same: Option<bool>,
    /// Main class, archive or package of the two programs, baseline first, if these tell them apart.
    pub names: Option<[String; 2]>,
}

impl ProgramMatch {
    /// Compares the programs of two heaps.
    pub fn of(one: DumpData<'_>, other: DumpData<'_>, rules: &RuntimeClasses) -> Self {
        // Dumps of two formats cannot be compared, whatever they are of.
        if one.heap.origin.format != other.heap.origin.format {
            return Self { is_same: Some(false), names: None };
        }
        let (packages, commands) = ([one, other].map(package), [one, other].map(command));
        let is_package = packages.iter().any(Option::is_some);
        let names = match if is_package { packages } else { commands } {
            [Some(one), Some(other)] => Some([one, other]),
            _ => None,
        };
        let is_one_name = names.as_ref().map(|[one, other]| is_one_name(one, other));
        // Hidden values leave the file name of a script only, which many programs have.
        let hides = one.contents.hides_values() || other.contents.hides_values();
        let of_scripts = if hides { None } else { is_one_set_of_scripts(&scripts(one), &scripts(other)) };
        let of_classes = common(&classes(one, rules), &classes(other, rules)).and_then(|share| {
            let is_most = is_most(share);
            (is_most || share.total >= FEW).then_some(is_most)
        });
        if is_one_name == Some(false) {
            // A main class may be renamed, and an archive may have its version anywhere in its name.
            let is_known = is_package || of_classes != Some(true);
            return if is_known { Self { is_same: Some(false), names } } else { Self::default() };
        }
        let votes = [is_one_name, of_scripts, of_classes];
        let (agree, differ) = (votes.contains(&Some(true)), votes.contains(&Some(false)));
        let is_same = match (agree, differ) {
            (true, false) => Some(true),
            (false, true) => Some(false),
            _ => None,
        };
        Self { is_same, names: None }
    }

    /// True if they are known to be of two programs.
    pub fn is_different(&self) -> bool {
        self.is_same == Some(false)
    }

    /// The same with baseline and target swapped.
    #[must_use]
    pub fn swapped(self) -> Self {
        Self { names: self.names.map(|[before, after]| [after, before]), ..self }
    }
}

/// Share of the smaller set that is in the other; `None` if one is empty.
fn common(one: &BTreeSet<String>, other: &BTreeSet<String>) -> Option<Share> {
    let (smaller, common) = (one.len().min(other.len()), one.intersection(other).count());
    (smaller > 0).then_some(Share { part: common as u64, total: smaller as u64 })
}

fn is_most(share: Share) -> bool {
    share.part * 2 >= share.total
}

/// True if fields tell what the program is: not of snapshots, nor where values are hidden.
fn has_values(side: DumpData<'_>) -> bool {
    side.heap.snapshot().is_none() && !side.contents.hides_values()
}

/// Main class or archive of a Java program; `None` if values are missing or hidden.
fn command(side: DumpData<'_>) -> Option<String> {
    let command =
        has_values(side).then(|| side.system_properties(&["sun.java.command"]))?.remove("sun.java.command")?;
    let first = command.split_whitespace().next()?;
    Some(archive(first).unwrap_or(first).to_owned())
}

/// Package of an Android app; `None` if values are missing or hidden, and of other programs.
fn package(side: DumpData<'_>) -> Option<String> {
    let side = Some(side).filter(|&side| has_values(side))?;
    let thread = side.static_field("android.app.ActivityThread", "sCurrentActivityThread").and_then(Value::object)?;
    let info = side.object_field(side.object_field(thread, "mBoundApplication")?, "appInfo")?;
    let process = side.short_text(side.object_field(info, "processName")?)?;
    // Parts of an app run in processes of their own: `com.example:remote`. A stripped dump has no letters.
    let package = process.split(':').next().filter(|package| package.contains(char::is_alphanumeric));
    package.map(str::to_owned)
}

/// Name of an archive without folder and version: `/opt/shop-1.2.jar` is `shop`.
fn archive(command: &str) -> Option<&str> {
    let file = command.rsplit(['/', '\\']).next()?;
    let stem = file.strip_suffix(".jar").or_else(|| file.strip_suffix(".war"))?;
    let version = stem
        .match_indices(['-', '_'])
        .find(|(at, _)| *at > 0 && stem[at + 1..].starts_with(|c: char| c.is_ascii_digit()));
    Some(version.map_or(stem, |(at, _)| &stem[..at]))
}

/// True if both name one program: variants of an Android app append words to its package (`com.example.debug`).
fn is_one_name(one: &str, other: &str) -> bool {
    let extends = |one: &str, other: &str| other.strip_prefix(one).is_some_and(|rest| rest.starts_with('.'));
    one == other || extends(one, other) || extends(other, one)
}

/// Names of classes and constructors of the application. In snapshots, those of the engine have no script.
fn classes(side: DumpData<'_>, rules: &RuntimeClasses) -> BTreeSet<String> {
    let (libraries, is_snapshot) = (libraries(), side.heap.snapshot().is_some());
    let is_application = |class: &Class| {
        let script = class.made_at.and_then(|position| side.contents.script_name(position.script));
        !class.name.ends_with("[]")
            // Generated at run time, and numbered.
            && !class.name.contains("$$")
            && !rules.contains(&class.name)
            && !libraries.contains(&class.name)
            && script.map_or(!is_snapshot, |script| is_of_application(&script))
    };
    let classes = side.heap.classes.iter().filter(|(_, class)| is_application(class));
    classes.map(|(_, class)| stable(&class.name).to_owned()).collect()
}

/// Names of scripts of the application.
fn scripts(side: DumpData<'_>) -> BTreeSet<String> {
    side.contents.script_names().into_iter().filter(|name| is_of_application(name)).collect()
}

/// True if most scripts of the smaller set are in the other, false if their files have other names as well; `None` if
/// the files of one name are elsewhere, which may be another version or another program.
fn is_one_set_of_scripts(one: &BTreeSet<String>, other: &BTreeSet<String>) -> Option<bool> {
    if is_most(common(one, other)?) {
        return Some(true);
    }
    let files = |scripts: &BTreeSet<String>| scripts.iter().map(|script| script_file(script)).collect();
    let is_elsewhere = common(&files(one), &files(other)).is_some_and(is_most);
    (!is_elsewhere).then_some(false)
}

/// File name of a script without the parts that differ between builds: `https://host/main.4f3a2b.js` is `main.js`.
fn script_file(script: &str) -> String {
    let file = script.rsplit(['/', '\\']).next().unwrap_or(script);
    let parts = file.split(['.', '-', '_']).filter(|part| !part.contains(|c: char| c.is_ascii_digit()));
    parts.collect::<Vec<_>>().join(".")
}

fn is_of_application(script: &str) -> bool {
    !script.is_empty() && !is_of_engine(script) && !is_of_package(script)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn archives_are_named_without_folder_and_version() {
        for (command, name) in [
            ("/opt/shop/shop-1.2.3.jar", Some("shop")),
            ("C:\\apps\\order-desk_2.war", Some("order-desk")),
            ("app.jar", Some("app")),
            ("shop.ShopApp", None),
            ("-1.jar", Some("-1")),
        ] {
            assert_eq!(archive(command), name, "{command}");
        }
    }

    #[test]
    fn scripts_are_told_apart_by_path_and_file() {
        let set = |scripts: &[&str]| scripts.iter().map(|&script| script.to_owned()).collect::<BTreeSet<String>>();
        let is_one = |one: &[&str], other: &[&str]| is_one_set_of_scripts(&set(one), &set(other));
        assert_eq!(is_one(&["/srv/app.js", "/srv/a.js"], &["/srv/app.js", "/srv/b.js"]), Some(true));
        assert_eq!(is_one(&["/srv/desk.js"], &["/srv/shop.js", "/srv/cart.js"]), Some(false));
        assert_eq!(is_one(&["/v1/app.js"], &["/v2/app.js"]), None);
        assert_eq!(is_one(&["https://a/main.4f3a2b.js"], &["https://a/main.77c01d.js"]), None);
        assert_eq!(is_one(&["/srv/app.js"], &[]), None);
    }

    #[test]
    fn variants_of_a_package_are_one_program() {
        assert!(is_one_name("com.example", "com.example.debug") && is_one_name("shop.Main", "shop.Main"));
        assert!(!is_one_name("com.example", "com.example2") && !is_one_name("OrderDesk", "shop.ShopApp"));
    }
}
