//! Links of an open dump: the names of a place, and the place that a link names. Only for jobs, because names are read
//! from the dump.

use std::path::Path;

use super::OpenDump;
use crate::cuts::CutResolver;
use crate::files::file_name;
use crate::link::{Link, has_text};
use heaplens_analysis::Cut;
use heaplens_analysis::cuts::is_by_id;
use heaplens_analysis::naming::Unresolved;
use heaplens_base::{Cancelled, Task};
use heaplens_heap::{ClassId, ObjectId, starts_with_id};

/// A place to link to.
#[derive(Debug, Clone, Default)]
pub struct LinkSource {
    /// View, as `--view` names it.
    pub view: &'static str,
    /// Fingerprint of a leak finding.
    pub finding: Option<String>,
    /// Selected object.
    pub object: Option<ObjectId>,
    /// Selected class, if it is not that of the object.
    pub class: Option<ClassId>,
    /// Excluded references.
    pub cuts: Vec<Cut>,
    /// Name of the fix that they form; empty if it has none.
    pub fix: String,
}

/// What a link names in a dump.
#[derive(Debug, Clone, Default)]
pub struct LinkTarget {
    /// Its object.
    pub object: Option<ObjectId>,
    /// Its class, or the one of the object.
    pub class: Option<ClassId>,
    /// Its cuts.
    pub cuts: Vec<Cut>,
    /// True if it was copied from another dump.
    pub is_of_other: bool,
    /// Messages about parts that this dump does not have.
    pub missing: Vec<String>,
}

impl OpenDump {
    /// A link to a place in this dump, whose file is `path`. With redacted values the link has ids instead of names with
    /// texts, such as the key of a map, and of the file only the name.
    ///
    /// # Errors
    /// When `task` is cancelled.
    pub fn link(&self, source: LinkSource, path: &Path, task: &Task) -> Result<Link, Cancelled> {
        let LinkSource { view, finding, object, class, cuts, fix } = source;
        let file = if self.facts.is_redacted() { file_name(path).into() } else { path.to_owned() };
        let class = class.map(|class| self.heap.classes.get(class).name.to_string());
        Ok(Link {
            identity: Some(self.identity.to_string()),
            file: Some(file),
            view: Some(view.to_owned()),
            finding,
            object: object.map(|object| self.stable_name(object, task)).transpose()?,
            class,
            cuts: cuts.iter().map(|cut| self.stable_cut(cut, task)).collect::<Result<_, Cancelled>>()?,
            fix: Some(fix).filter(|fix| !fix.is_empty() && !cuts.is_empty()),
        })
    }

    /// Name of an object if it leads back to it, else its id: an abbreviated name may lead elsewhere.
    fn stable_name(&self, object: ObjectId, task: &Task) -> Result<String, Cancelled> {
        let namer = self.namer(task)?;
        let name = namer.name(object, task)?.filter(|name| !self.hides(name));
        let name = name.filter(|name| namer.resolve(name, task) == Ok(object));
        Ok(name.unwrap_or_else(|| self.heap.id_text(object)))
    }

    /// Text of a cut: its name, or one with ids if the name has values that are redacted.
    pub(crate) fn stable_cut(&self, cut: &Cut, task: &Task) -> Result<String, Cancelled> {
        let name = self.namer(task)?.cut_name(cut, task)?;
        Ok(if self.hides(&name) { cut.text_with_ids(&self.heap) } else { name })
    }

    /// True if values are redacted and a name has texts, which are then the same for all objects.
    fn hides(&self, name: &str) -> bool {
        self.facts.is_redacted() && has_text(name)
    }

    /// Finds what a link names. Ids are valid only in the dump that the link was copied from.
    ///
    /// # Errors
    /// When `task` is cancelled.
    pub fn link_target(&self, link: &Link, resolve: CutResolver, task: &Task) -> Result<LinkTarget, Cancelled> {
        let is_of_other = link.identity.as_deref().is_some_and(|identity| *identity != *self.identity);
        let mut target = LinkTarget { is_of_other, ..LinkTarget::default() };
        if let Some(class) = &link.class {
            target.class = self.heap.classes.named(class);
            target.missing.extend(target.class.is_none().then(|| format!("no class {class} in this dump")));
        }
        if let Some(text) = &link.object {
            match self.heap.find(text) {
                _ if is_of_other && starts_with_id(text) => {
                    target.missing.push(format!("{text} is an id of the other dump"));
                }
                Some(object) => target.object = Some(object),
                None => match self.namer(task)?.resolve(text, task) {
                    Ok(object) => target.object = Some(object),
                    Err(Unresolved::Cancelled) => return Err(Cancelled),
                    // A finding is found by its fingerprint, even if its name is not that of an object.
                    Err(_) if link.finding.is_some() => {}
                    Err(why) => target.missing.push(why.to_string()),
                },
            }
        }
        target.class = target.class.or(target.object.map(|object| self.heap.class_id(object)));
        for text in &link.cuts {
            if is_of_other && is_by_id(text) {
                target.missing.push(format!("the cut {text} has an id of the other dump"));
                continue;
            }
            match resolve(&self.dump, text, task) {
                Ok(cut) => target.cuts.push(cut),
                Err(Unresolved::Cancelled) => return Err(Cancelled),
                Err(why) => target.missing.push(format!("cut {text}: {why}")),
            }
        }
        Ok(target)
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::opened;
    use super::*;
    use heaplens_testkit::v8::form::Form;
    use heaplens_testkit::v8::{random::random, write::write};

    fn by_name(dump: &heaplens_dump::Dump, text: &str, task: &Task) -> Result<Cut, Unresolved> {
        dump.namer(task)?.resolve_cut(text, task)
    }

    /// Snapshots have ids such as `@17`, which their own links may contain, in cuts too.
    #[test]
    fn ids_of_snapshots_lead_back_in_their_own_dump_only() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("app.heapsnapshot");
        std::fs::write(&path, write(&random(3, 30), &Form::node20())).expect("disk space");
        let (dump, task) = (opened(&path), Task::new());
        let objects = || (0..dump.heap.len()).filter_map(ObjectId::new);
        let has_references = |&object: &ObjectId| !dump.heap.references(object).is_empty();
        let from = objects().find(has_references).expect("an object with references");
        let to = ObjectId::from_raw(dump.heap.references(from)[0]).expect("an object");
        let cuts = vec![Cut::Reference { from, to }, Cut::Object(to)];
        let texts: Vec<String> = cuts.iter().map(|cut| cut.text_with_ids(&dump.heap)).collect();
        assert!(texts.iter().all(|text| text.starts_with('@')) && texts[0].contains(":@"), "{texts:?}");
        let link = Link { object: Some(dump.heap.id_text(from)), cuts: texts, ..Link::default() };
        let target = dump.link_target(&link, by_name, &task).expect("not cancelled");
        assert_eq!((target.object, target.cuts, target.missing), (Some(from), cuts, Vec::new()));
        let other = Link { identity: Some("another".to_owned()), ..link };
        let target = dump.link_target(&other, by_name, &task).expect("not cancelled");
        assert_eq!((target.object, target.cuts, target.missing.len()), (None, Vec::new(), 3));
    }
}
