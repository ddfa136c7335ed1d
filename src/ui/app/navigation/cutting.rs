//! Selection of the reference to cut: that of the selected row, of the path step, of the finding, the one that holds
//! the selected object, or all objects of the selected class.

use super::super::tabs::Tabs;
use super::Navigation;
use crate::ui::{Pane, View};
use heaplens_analysis::Cut;
use heaplens_heap::ObjectId;

/// What the focus determines to cut.
pub(crate) enum ChosenCut {
    /// A cut.
    Cut(Cut),
    /// A cut by its name.
    Named(String),
}

impl Navigation {
    /// The reference that the focus determines; with `in_all` its field in all instances. `None` if there is none, or if
    /// the view cuts it itself once it is known.
    ///
    /// # Errors
    /// Why the reference cannot be cut.
    pub(crate) fn chosen_cut(&self, tabs: &mut Tabs, in_all: bool) -> Result<Option<ChosenCut>, &'static str> {
        let Some(location) = self.now() else { return Ok(None) };
        let focus = self.focus;
        let Some(tab) = tabs.get_mut(location.dump) else { return Ok(None) };
        let Some(heap) = tab.open_dump().map(|dump| dump.heap.clone()) else { return Ok(None) };
        let beside = location.view.is_about_objects();
        if let Some(reference) = tab.views.inspector.reference(&heap).filter(|_| beside && focus == Pane::Inspector) {
            return reference.cut(in_all).map(|cut| Some(ChosenCut::Cut(cut)));
        }
        if let Some(name) = tab.views.cut_text(location.view).filter(|_| focus == Pane::Main && !in_all) {
            return Ok(Some(ChosenCut::Named(name)));
        }
        if location.view == View::Leaks && focus == Pane::Main && !in_all && tab.views.leaks.cut_chosen() {
            return Ok(None);
        }
        match (location.object.filter(|_| beside), location.class) {
            (Some(object), _) if focus == Pane::Path => {
                let reference = tab.views.paths.reference(&heap, object, true);
                let cut = reference.and_then(|reference| reference.cut(in_all));
                return cut.map(|cut| Some(ChosenCut::Cut(cut)));
            }
            (Some(object), _) => tab.views.paths.cut_when_known(object, in_all),
            (None, Some(class)) if location.view == View::Histogram => {
                return Ok(Some(ChosenCut::Cut(Cut::Class(class))));
            }
            _ => {}
        }
        Ok(None)
    }

    /// Cuts the reference that holds `object`: selects the object and searches its path.
    pub(crate) fn cut_holder_of(&mut self, tabs: &mut Tabs, object: ObjectId, in_all: bool) {
        if self.now().and_then(|location| location.object) != Some(object) {
            self.select_object(tabs, object);
        }
        if let Some(tab) = self.tab_mut(tabs) {
            tab.views.paths.cut_when_known(object, in_all);
        }
    }
}
