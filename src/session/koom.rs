//! A report that KOOM wrote on a device, beside the dump that it wrote it of: which
//! objects it means. Big ones it names by address, the others by the way that holds
//! them, which is searched here as it was there.

use std::collections::{HashMap, HashSet};
use std::path::Path;

use serde::Deserialize;

use super::dump::Facts;
use super::lists::read_list;
use crate::analysis::android::koom::{KoomPath, Thresholds, koom_report};
use crate::analysis::android::shark::{Device, Matchers, Question, Roots};
use crate::heap::ids::{Address, ObjectId};
use crate::task::{Cancelled, Task};

/// What stands in the file. It may be of any version: whatever is missing is empty.
#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct Written {
    gc_paths: Vec<WrittenPath>,
    leak_objects: Vec<WrittenObject>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct WrittenPath {
    leak_reason: Option<String>,
    signature: Option<String>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct WrittenObject {
    class_name: Option<String>,
    object_id: Option<String>,
    ext_detail: Option<String>,
}

/// A report that was read.
#[derive(Debug)]
pub struct KoomFile(Written);

/// What a report says of a dump.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Reported {
    /// Its objects in its order, each once, and why it names them.
    pub objects: Vec<(ObjectId, String)>,
    /// What it names and the dump has not.
    pub missing: Vec<String>,
}

impl KoomFile {
    /// Reads a report.
    ///
    /// # Errors
    /// When the file cannot be read or is none, in words for people.
    pub fn read(file: &Path) -> Result<Self, String> {
        let text = read_list(file, "leaks")?;
        let json: serde_json::Value =
            serde_json::from_str(&text).map_err(|error| format!("{}: {error}", file.display()))?;
        if json.get("gcPaths").is_none() && json.get("leakObjects").is_none() {
            return Err(format!("{}: not a KOOM report", file.display()));
        }
        let written = serde_json::from_value(json).map_err(|error| format!("{}: {error}", file.display()))?;
        Ok(Self(written))
    }

    /// The objects of a dump that it names. KOOM knows the names that the dump has, whatever a mapping says.
    ///
    /// # Errors
    /// [`Cancelled`] if the task is cancelled.
    pub fn in_dump(&self, facts: &Facts, task: &Task) -> Result<Reported, Cancelled> {
        let reported = self.found(&facts.unmapped(), task)?;
        // One that was written here, with a mapping, has the names of that.
        if reported.objects.is_empty() && facts.mapped.is_some() {
            return self.found(facts, task);
        }
        Ok(reported)
    }

    fn found(&self, facts: &Facts, task: &Task) -> Result<Reported, Cancelled> {
        let (heap, contents) = (&*facts.heap, &*facts.contents);
        let mut reported = Reported::default();
        let (matchers, device) = (Matchers::default(), Device::default());
        let question = Question { heap, contents, matchers: &matchers, device: &device, roots: Roots::Pruned };
        let here = koom_report(question, &Thresholds::default(), task)?;
        let mut by_signature: HashMap<String, Vec<&KoomPath>> = HashMap::new();
        for path in &here.paths {
            by_signature.entry(path.signature()).or_default().push(path);
        }
        let mut known = HashSet::new();
        for path in &self.0.gc_paths {
            task.checkpoint()?;
            let why = path.leak_reason.clone().unwrap_or_else(|| "Reported by KOOM".to_owned());
            let signature = path.signature.as_deref().unwrap_or_default();
            let paths = by_signature.get(signature).map_or(&[][..], |paths| paths);
            // Objects that are GC roots themselves all have the signature of no reference.
            let is_it = |path: &&&KoomPath| paths.len() == 1 || path.reason == why;
            let ends = paths.iter().filter(is_it).flat_map(|path| ends(path));
            for object in ends.filter(|&object| known.insert(object)).collect::<Vec<_>>() {
                reported.objects.push((object, why.clone()));
            }
            if paths.is_empty() {
                reported.missing.push(format!("{why} ({signature})"));
            }
        }
        for big in &self.0.leak_objects {
            task.checkpoint()?;
            let class = big.class_name.as_deref().unwrap_or("object");
            let why =
                format!("Big {class}{}", big.ext_detail.as_deref().map_or(String::new(), |size| format!(", {size}")));
            let id = big.object_id.as_deref().unwrap_or_default();
            let object = id.parse().ok().and_then(|address| heap.at(Address(address)));
            match object.filter(|&object| *heap.class(object).name == *class) {
                Some(object) if known.insert(object) => reported.objects.push((object, why)),
                Some(_) => {}
                None => reported.missing.push(format!("{why} (object {id})")),
            }
        }
        Ok(reported)
    }
}

/// The objects that the paths lead to.
fn ends(path: &KoomPath) -> impl Iterator<Item = ObjectId> {
    path.leak.traces.iter().filter_map(|trace| trace.steps.last()).map(|step| step.subject.object)
}

impl Reported {
    /// That in a line.
    pub fn said(&self) -> String {
        let missing = match self.missing.len() {
            0 => String::new(),
            missing => format!("; {missing} more not in this dump"),
        };
        match self.objects.len() {
            0 => format!("No object reported by KOOM is in this dump{missing}"),
            1 => format!("1 object reported by KOOM{missing}"),
            objects => format!("{objects} objects reported by KOOM{missing}"),
        }
    }
}
