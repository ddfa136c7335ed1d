//! What a verdict is asked on: the focused finding, object, field or class.

use super::super::tabs::Tabs;
use super::Navigation;
use crate::ui::views::leaks::about_leak;
use crate::ui::{Pane, View};
use heaplens_heap::ObjectId;
use heaplens_session::VerdictTargets;

impl Navigation {
    /// Targets of a verdict on the focused item: the finding, the object with its class and the field that holds it, or
    /// the class.
    pub(crate) fn verdict_targets(&self, tabs: &Tabs) -> Option<VerdictTargets> {
        let location = self.now()?;
        let tab = tabs.get(location.dump)?;
        let focus = self.focus;
        let in_leaks = location.view == View::Leaks && focus == Pane::Main;
        if let Some(leak) = tab.views.leaks.chosen_leak().filter(|_| in_leaks) {
            return Some(about_leak(leak));
        }
        if let Some(finding) = tab.views.leaks.chosen().filter(|_| in_leaks) {
            return Some(VerdictTargets::finding(finding, None));
        }
        let dump = tab.open_dump()?;
        match (location.object.filter(|_| location.view.is_about_objects()), location.class) {
            (Some(object), _) => self.verdict_targets_of(tabs, object, focus == Pane::Path),
            (None, Some(class)) => Some(VerdictTargets::class(&dump.heap, class)),
            (None, None) => None,
        }
    }

    /// Targets of a verdict on an object, or on the selected step of its path if `in_path`.
    pub(crate) fn verdict_targets_of(&self, tabs: &Tabs, object: ObjectId, in_path: bool) -> Option<VerdictTargets> {
        let tab = self.tab(tabs)?;
        let dump = tab.open_dump()?;
        let heap = &dump.heap;
        let (object, field) = tab.views.paths.step(object, in_path).unwrap_or((object, None));
        let mut about = VerdictTargets::object(heap, object, dump.analysis.is_reachable(object));
        if let Some((from, field)) = field.filter(|(_, field)| !field.starts_with(['[', '<'])) {
            let class = heap.classes.of_object(from).unwrap_or_else(|| heap.class_id(from));
            about = about.with("Field that holds it", &format!("{}.{field}", heap.classes.get(class).name));
        }
        Some(about)
    }
}
