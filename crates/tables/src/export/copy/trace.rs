//! A path to a GC root in LeakCanary's form, which Android developers know.

use crate::export::printable::one_line;
use std::fmt::Write;

use heaplens_analysis::{PathStep, ReferencePath};
use heaplens_base::Count;
use heaplens_heap::Strength;

/// The path, root first; every step with its retained size and the reference to the next.
pub(super) fn trace(path: &ReferencePath) -> String {
    let mut out = format!("┬───\n│ GC Root: {}\n", path.root_kind.name());
    if path.strength != Strength::Strong {
        // Writing to a String cannot fail.
        let _ = writeln!(out, "│ Via a {} reference", path.strength.name());
    }
    out.push_str("│\n");
    for (at, step) in path.steps.iter().enumerate() {
        if let Some(omission) = path.omission.filter(|o| o.after == at) {
            let _ = writeln!(out, "┆  {} more steps", Count(omission.steps as u64));
        }
        let next = path.steps.get(at + 1);
        let (branch, rail) = if next.is_some() { ("├─", "│ ") } else { ("╰→", "  ") };
        let past = if step.dominates { "" } else { ", not on every path" };
        let _ = writeln!(out, "{branch} {}", one_line(&named(step)));
        let _ = writeln!(out, "{rail}   Retaining {} ({} bytes){past}", step.retained, step.retained.exact());
        let left_out = path.omission.is_some_and(|o| o.after == at + 1);
        match next.and_then(|next| next.reference.as_deref()) {
            Some(reference) if !left_out => {
                let _ = writeln!(out, "{rail}   ↓ {}", one_line(&leads(step, reference)));
            }
            _ => {}
        }
    }
    out
}

/// Class represented by a class object.
fn stands_for(step: &PathStep) -> Option<&str> {
    step.label.as_deref().filter(|_| step.class == "java.lang.Class")
}

/// `desk.SessionCache class`, `java.util.HashMap instance`, with label and id.
fn named(step: &PathStep) -> String {
    if let Some(class) = stands_for(step) {
        return format!("{class} class {}", step.id);
    }
    let kind = if step.class.ends_with("[]") { "array" } else { "instance" };
    let label = match step.label.as_deref() {
        Some(label) if step.class == "java.lang.String" => format!(" {label:?}"),
        Some(label) => format!(" {label}"),
        None => String::new(),
    };
    format!("{} {kind}{label} {}", step.class, step.id)
}

/// `static SessionCache.ENTRIES`, `HashMap.table`, `Object[509]`.
fn leads(step: &PathStep, reference: &str) -> String {
    let class = stands_for(step).unwrap_or(&step.class);
    // Dots after a bracket do not belong to the package.
    let end = class.find(['[', '<', '/']).unwrap_or(class.len());
    let simple = class.get(class[..end].rfind('.').map_or(0, |dot| dot + 1)..).unwrap_or(class);
    if reference.starts_with('[') {
        return format!("{}{reference}", simple.strip_suffix("[]").unwrap_or(simple));
    }
    let of_class = stands_for(step).is_some() && !reference.starts_with('<');
    format!("{}{simple}.{reference}", if of_class { "static " } else { "" })
}
