//! Links of reports to the places that they are about. Reports are for others, who have the dump in another folder: a
//! link has the name of the file, and finds the dump by its identity.

use super::identity::Identity;
use heaplens_analysis::LeakFinding;
use heaplens_analysis::overview::{Finding, Target};
use heaplens_session::Link;

/// Link to a view of a dump; `view` as `--view` names it.
fn view(identity: &Identity, view: &str) -> Link {
    Link {
        identity: Some(identity.dump.clone()),
        file: Some(identity.file.clone().into()),
        view: Some(view.to_owned()),
        ..Link::default()
    }
}

/// Link to a leak finding.
pub(super) fn leak(identity: &Identity, finding: &LeakFinding) -> Link {
    // Names of several objects or references, such as `a.b + a.c`, lead to none.
    let has_name = finding.named_object.is_some() && !finding.name.is_empty() && !finding.name.contains(['*', '+']);
    let object = has_name.then(|| finding.name.clone());
    Link { finding: Some(finding.fingerprint.clone()), object, ..view(identity, "leaks") }
}

/// Link to the view with details about a finding of the overview.
pub(super) fn finding(identity: &Identity, finding: &Finding) -> Link {
    if let Some(found) = &finding.leak {
        return leak(identity, found);
    }
    view(identity, view_of(finding.target))
}

fn view_of(target: Target) -> &'static str {
    match target {
        Target::Object(_) => "dominators",
        Target::Leak(_) | Target::Leaks => "leaks",
        Target::Class(_) => "objects",
        Target::Threads(_) => "threads",
        Target::Strings => "strings",
        Target::Collections => "collections",
        Target::Waste => "waste",
        Target::Loaders => "loaders",
        Target::Finalizers => "finalizers",
        Target::Histogram => "histogram",
        Target::Roots => "roots",
    }
}
