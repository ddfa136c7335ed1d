//! The library that a finding is about, with its version where the dump states it: the manifest of the archive that has its
//! package, the `package.json` of an npm package, the path of its scripts. It tells whom to ask.

use std::collections::{BTreeMap, BTreeSet};

use super::evidence::Evidence;
use super::{contents::AccumulationContents, cut_plan::CutPlan, finding::LeakFinding, query::LeakQuery};
use crate::structure::{is_module, package_of};
use heaplens_base::{Cancelled, Task};
use heaplens_heap::{ClassId, ObjectId, Value, split_class};

/// Maximum number of packages read of a class loader.
const PACKAGES: u64 = 20_000;
/// Maximum number of modules of Node.js read.
const MODULES: usize = 20_000;
/// Folder of the packages of pnpm, whose names have their version.
const PNPM: &str = "/.pnpm/";

/// The library, by its name; with its version if the class itself states it. `None` if the dump does not tell.
pub(super) fn library(question: LeakQuery<'_>, inside: &AccumulationContents, cut: &CutPlan) -> Option<String> {
    let namer = question.namer;
    let heap = namer.heap;
    if heap.snapshot().is_none() {
        let holder = cut
            .references
            .first()
            .map(|cut| heap.classes.of_object(cut.from).unwrap_or_else(|| heap.class_id(cut.from)));
        let mut classes = inside.class.into_iter().chain(holder).filter(|&class| namer.index.is_library(class));
        return classes.find_map(|class| of_manifest(question, class));
    }
    let script = inside.class.and_then(|class| namer.contents.script_name(heap.classes.get(class).made_at?.script));
    let of_class = script.and_then(|path| package_of(&path).map(|name| with_version(&path, &name).unwrap_or(name)));
    match cut.library() {
        Some(name) => of_class.filter(|of_class| of_class.starts_with(&format!("{name} "))).or(Some(name.to_owned())),
        None => of_class,
    }
}

/// Title and version of the archive that has the package of a class, by the manifest that its loader read.
fn of_manifest(question: LeakQuery<'_>, class: ClassId) -> Option<String> {
    let (heap, contents) = (question.namer.heap, question.namer.contents);
    let class = heap.classes.get(class);
    if contents.hides_values() {
        return None;
    }
    let packages = contents.logical(heap, question.namer.object_field(class.loader?, "packages")?, 0..PACKAGES)?;
    let name = split_class(&class.name).0.trim_end_matches('.');
    let is_called = |key: ObjectId| contents.text(heap, key, name.len() + 1).is_some_and(|key| key == name);
    let package = packages.entries.iter().find(|entry| entry.key.and_then(Value::object).is_some_and(is_called))?;
    let package = package.value.object()?;
    let info = question.namer.object_field(package, "versionInfo").unwrap_or(package);
    let text = |field: &str| question.namer.short_text(question.namer.object_field(info, field)?);
    Some(format!("{} {}", text("implTitle")?, text("implVersion")?))
}

/// `debug 4.3.4`, if the path of a script of a package has its version: `/node_modules/.pnpm/debug@4.3.4/…`.
fn with_version(path: &str, package: &str) -> Option<String> {
    let folder = path.replace('\\', "/").split_once(PNPM)?.1.split('/').next()?.to_owned();
    let version = folder.strip_prefix(&package.replace('/', "+"))?.strip_prefix('@')?;
    let end = version.find(['_', '(']).unwrap_or(version.len());
    Some(format!("{package} {}", &version[..end]))
}

/// Adds the versions of npm packages whose `package.json` is among the modules of a snapshot.
pub(super) fn add_versions(
    question: LeakQuery<'_>,
    findings: &mut [LeakFinding],
    task: &Task,
) -> Result<(), Cancelled> {
    let names = findings.iter_mut().flat_map(|finding| &mut finding.evidence).filter_map(|sign| match sign {
        Evidence::OfLibrary(Some(name)) if !name.contains(' ') => Some(name),
        _ => None,
    });
    let mut names: Vec<&mut String> = names.collect();
    if question.namer.heap.snapshot().is_none() || names.is_empty() || question.namer.contents.hides_values() {
        return Ok(());
    }
    let wanted: BTreeSet<String> = names.iter().map(|name| (**name).clone()).collect();
    let versions = versions(question, &wanted, task)?;
    for name in &mut names {
        if let Some(version) = versions.get(&**name) {
            name.push(' ');
            name.push_str(version);
        }
    }
    Ok(())
}

/// Versions of packages by name, as their `package.json` says.
fn versions(
    question: LeakQuery<'_>,
    wanted: &BTreeSet<String>,
    task: &Task,
) -> Result<BTreeMap<String, String>, Cancelled> {
    let namer = question.namer;
    let heap = namer.heap;
    let files: BTreeMap<String, &String> =
        wanted.iter().map(|name| (format!("node_modules/{name}/package.json"), name)).collect();
    let (mut versions, mut left) = (BTreeMap::new(), MODULES);
    let classes: Vec<bool> = heap.classes.all().iter().map(|class| &*class.name == "Module").collect();
    let column = heap.class_column().slices();
    for block in task.blocks(heap.len()) {
        for row in block? {
            let is_candidate = column.get(row).is_some_and(|class| classes.get(class as usize) == Some(&true));
            let Some(module) = ObjectId::from_raw(row as u32).filter(|_| is_candidate && left > 0) else { continue };
            left -= 1;
            let path = namer.object_field(module, "filename").filter(|_| is_module(namer, module));
            let Some(path) = path.and_then(|path| namer.short_text(path)).map(|path| path.replace('\\', "/")) else {
                continue;
            };
            let name = files.iter().find(|(file, _)| path.ends_with(&***file)).map(|(_, name)| (*name).clone());
            let version = || namer.short_text(namer.object_field(namer.object_field(module, "exports")?, "version")?);
            if let Some((name, version)) = name.and_then(|name| Some((name, version()?))) {
                // Of several versions none is stated.
                let known: &mut Option<String> = versions.entry(name).or_insert_with(|| Some(version.clone()));
                if known.as_ref() != Some(&version) {
                    *known = None;
                }
            }
        }
    }
    Ok(versions.into_iter().filter_map(|(name, version)| Some((name, version?))).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_of_pnpm_tell_the_version() {
        for (path, package, text) in [
            ("/srv/node_modules/.pnpm/debug@4.3.4/node_modules/debug/src/node.js", "debug", Some("debug 4.3.4")),
            (
                "C:\\a\\node_modules\\.pnpm\\@acme+ui@1.0.0_vue@3\\node_modules\\@acme\\ui\\x.js",
                "@acme/ui",
                Some("@acme/ui 1.0.0"),
            ),
            ("/srv/node_modules/debug/src/node.js", "debug", None),
            ("/srv/node_modules/.pnpm/a@1.0.0/node_modules/debug/index.js", "debug", None),
        ] {
            assert_eq!(with_version(path, package).as_deref(), text, "{path}");
        }
    }
}
