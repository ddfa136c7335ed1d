//! Import of a report that KOOM wrote on a device for a dump: finds the reported objects. Large ones are given by
//! address, the others by the path that holds them, which is searched here as in KOOM.

use std::collections::{HashMap, HashSet};
use std::path::Path;

use serde::Deserialize;

use super::lists::read_list;
use heaplens_analysis::android::koom::{KoomPath, Thresholds, koom_report};
use heaplens_analysis::android::shark::{Device, Matchers, Roots, SharkQuery};
use heaplens_base::{Cancelled, Task};
use heaplens_dump::facts::Facts;
use heaplens_heap::{Address, ObjectId};

/// Contents of the file. Missing fields are empty, since it may be of any version.
#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct ReportFile {
    gc_paths: Vec<ReportPath>,
    leak_objects: Vec<ReportObject>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct ReportPath {
    leak_reason: Option<String>,
    signature: Option<String>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct ReportObject {
    class_name: Option<String>,
    object_id: Option<String>,
    ext_detail: Option<String>,
}

/// A parsed report.
#[derive(Debug)]
pub struct KoomFile(ReportFile);

/// Reported objects of a dump.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct KoomMatch {
    /// Objects in the report's order, each once, with reasons.
    pub objects: Vec<(ObjectId, String)>,
    /// Reported objects that the dump does not contain.
    pub missing: Vec<String>,
}

impl KoomFile {
    /// Reads a report.
    ///
    /// # Errors
    /// A message if the file cannot be read or is not a KOOM report.
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

    /// Finds the reported objects in a dump. KOOM uses the names in the dump, without a mapping.
    pub fn in_dump(&self, facts: &Facts, task: &Task) -> Result<KoomMatch, Cancelled> {
        let reported = self.in_heap(&facts.unmapped(), task)?;
        // A report written by heaplens with a mapping contains the mapped names.
        if reported.objects.is_empty() && facts.mapped.is_some() {
            return self.in_heap(facts, task);
        }
        Ok(reported)
    }

    fn in_heap(&self, facts: &Facts, task: &Task) -> Result<KoomMatch, Cancelled> {
        let (heap, contents) = (&*facts.heap, &*facts.contents);
        let mut reported = KoomMatch::default();
        let (matchers, device) = (Matchers::default(), Device::default());
        let question = SharkQuery { heap, contents, matchers: &matchers, device: &device, roots: Roots::Pruned };
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
            // Objects that are GC roots themselves all have the same signature, of an empty path.
            let is_it = |path: &&&KoomPath| paths.len() == 1 || path.reason == why;
            let path_ends = paths.iter().filter(is_it).flat_map(|path| path_ends(path));
            for object in path_ends.filter(|&object| known.insert(object)).collect::<Vec<_>>() {
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

/// Targets of the paths.
fn path_ends(path: &KoomPath) -> impl Iterator<Item = ObjectId> {
    path.leak.traces.iter().filter_map(|trace| trace.steps.last()).map(|step| step.subject.object)
}

impl KoomMatch {
    /// Summary in one line.
    pub fn summary(&self) -> String {
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
