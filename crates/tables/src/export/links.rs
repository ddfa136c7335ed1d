//! Links of reports to the places that they are about. Reports are for others, who have the dump in another folder: a
//! link has the name of the file, and finds the dump by its identity.

use super::identity::Identity;
use heaplens_analysis::LeakFinding;
use heaplens_analysis::overview::{Finding, Target};
use heaplens_session::Link;
use heaplens_session::link::has_text;

/// Link to a view of a dump; `view` as `--view` names it.
pub(super) fn view(identity: &Identity, view: &str) -> Link {
    Link {
        identity: Some(identity.dump.clone()),
        file: Some(identity.file.clone().into()),
        view: Some(view.to_owned()),
        ..Link::default()
    }
}

/// Link to a leak finding.
pub(super) fn leak(identity: &Identity, finding: &LeakFinding) -> Link {
    let object = finding.named_object.and_then(|_| object_name(identity, &finding.name));
    Link { finding: Some(finding.fingerprint.clone()), object, ..view(identity, "leaks") }
}

/// The name of a finding if it can lead to its object. Redacted names are the same for all keys, and those of several
/// objects or references, such as `a.b + a.c`, lead to none.
fn object_name(identity: &Identity, name: &str) -> Option<String> {
    let is_hidden = identity.is_redacted && has_text(name);
    (!is_hidden && !name.is_empty() && !name.contains(['*', '+'])).then(|| name.to_owned())
}

/// Link to the view with details about a finding of the overview.
pub(super) fn finding(identity: &Identity, finding: &Finding) -> Link {
    if let Some(leak_found) = &finding.leak {
        return leak(identity, leak_found);
    }
    view(identity, view_of(finding.target))
}

pub(super) fn view_of(target: Target) -> &'static str {
    match target {
        Target::Object(_) | Target::Dominators => "dominators",
        Target::Leak(_) | Target::Leaks => "leaks",
        Target::Class(_) => "objects",
        Target::Threads(_) => "threads",
        Target::Strings => "strings",
        Target::Collections => "collections",
        Target::Waste => "waste",
        Target::Loaders => "loaders",
        Target::Finalizers => "finalizers",
        Target::Process => "process",
        Target::Histogram => "histogram",
        Target::Roots => "roots",
        Target::ParseWarnings => "parse-warnings",
        Target::Growth => "growth",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn redacted_names_are_no_objects() {
        let shown = Identity::default();
        let redacted = Identity { is_redacted: true, ..Identity::default() };
        let key = r#"shop.Vault.all["redacted"]"#;
        assert_eq!(object_name(&shown, key).as_deref(), Some(key));
        assert_eq!(object_name(&redacted, key), None);
        assert_eq!(object_name(&redacted, "shop.Vault.all").as_deref(), Some("shop.Vault.all"));
        for several in ["", "a.b + a.c", "a.b[*]"] {
            assert_eq!(object_name(&shown, several), None, "{several}");
        }
    }
}
