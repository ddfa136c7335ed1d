//! Questions about a set of objects: all objects of a class, or the selected ones.

use std::sync::Arc;

use super::super::tabs::Tabs;
use super::Navigation;
use crate::ui::{Location, Verb, View};
use heaplens_analysis::paths::merged::PathTargets;
use heaplens_analysis::related::RelatedKind;
use heaplens_heap::{ObjectId, Strength};
use heaplens_session::open_dump::selection::ObjectSet;

impl Navigation {
    /// Asks a question about the selected objects or class.
    ///
    /// # Errors
    /// A hint while they are being listed.
    pub(crate) fn ask_of_selection(&mut self, tabs: &mut Tabs, verb: Verb) -> Result<(), &'static str> {
        let Some(location) = self.now() else { return Ok(()) };
        let Some(tab) = tabs.get(location.dump) else { return Ok(()) };
        let of = match tab.selection().set() {
            ObjectSet::Class(class) => PathTargets::Class(*class),
            ObjectSet::Object(object) => only(*object),
            ObjectSet::Objects(objects) => PathTargets::Objects(Arc::from(objects.as_slice())),
            ObjectSet::Rows(_) => return Err("The selected objects are still being listed"),
            ObjectSet::Nothing => match (location.object, location.class) {
                (Some(object), _) => only(object),
                (None, Some(class)) => PathTargets::Class(class),
                (None, None) => return Ok(()),
            },
        };
        self.ask_of_set(tabs, verb, of);
        Ok(())
    }

    /// Asks a question about one object.
    pub(crate) fn ask_of_object(&mut self, tabs: &mut Tabs, verb: Verb, object: ObjectId) {
        self.ask_of_set(tabs, verb, only(object));
    }

    /// True if an object is among the selected ones.
    pub(crate) fn is_selected(&self, tabs: &Tabs, object: ObjectId) -> bool {
        match self.tab(tabs).map(|tab| tab.selection().set()) {
            Some(ObjectSet::Object(selected)) => *selected == object,
            Some(ObjectSet::Objects(objects)) => objects.as_slice().contains(&object),
            _ => false,
        }
    }

    /// Asks a question about a set.
    pub(crate) fn ask_of_set(&mut self, tabs: &mut Tabs, verb: Verb, of: PathTargets) {
        let (Some(question), Some(tab)) = (question(verb), self.tab_mut(tabs)) else { return };
        let view = match question {
            Question::Paths(weakest) => {
                tab.views.merged.show(of, weakest);
                View::Paths
            }
            Question::Related(relation) => {
                tab.views.related.show(of, relation);
                View::Related
            }
        };
        self.go(tabs, |location| Location { view, ..location });
    }
}

/// The set of one object.
fn only(object: ObjectId) -> PathTargets {
    PathTargets::Objects(Arc::from([object]))
}

/// A question about a set.
#[derive(Debug, Clone, Copy)]
enum Question {
    /// Merged paths along references of at least this strength.
    Paths(Strength),
    /// Related objects by class.
    Related(RelatedKind),
}

/// True for actions that ask a question about a set.
pub(crate) fn is_question(verb: Verb) -> bool {
    question(verb).is_some()
}

/// Question that an action asks; `None` for other actions.
fn question(verb: Verb) -> Option<Question> {
    Some(match verb {
        Verb::PathsStrong => Question::Paths(Strength::Strong),
        Verb::PathsAll => Question::Paths(Strength::Phantom),
        Verb::RetainedClasses => Question::Related(RelatedKind::Retained),
        Verb::ImmediateDominators => Question::Related(RelatedKind::Dominators),
        Verb::ReferrersByClass => Question::Related(RelatedKind::Incoming),
        Verb::ReferencesByClass => Question::Related(RelatedKind::Outgoing),
        _ => return None,
    })
}
