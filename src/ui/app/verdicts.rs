//! What a verdict is asked on: the focused finding, object, field or class.

use super::App;
use crate::ui::views::leaks::about_leak;
use crate::ui::{Pane, View};
use heaplens_heap::ObjectId;
use heaplens_session::VerdictTargets;

impl App {
    /// Opens the verdict dialog for the focused item: the finding, the object with its class and the field that holds
    /// it, or the class.
    pub(super) fn ask_verdict_of_focus(&mut self) {
        let Some(location) = self.navigation.now() else { return };
        let Some(tab) = self.tabs.get(location.dump) else { return };
        let focus = self.navigation.focus;
        let in_leaks = location.view == View::Leaks && focus == Pane::Main;
        if let Some(leak) = tab.views.leaks.chosen_leak().filter(|_| in_leaks) {
            return self.ask_verdict(about_leak(leak));
        }
        if let Some(finding) = tab.views.leaks.chosen().filter(|_| in_leaks) {
            return self.ask_verdict(VerdictTargets::finding(finding, None));
        }
        let Some(dump) = tab.open_dump() else { return };
        match (location.object.filter(|_| location.view.is_about_objects()), location.class) {
            (Some(object), _) => self.ask_verdict_of_object(object, focus == Pane::Path),
            (None, Some(class)) => self.ask_verdict(VerdictTargets::class(&dump.heap, class)),
            (None, None) => {}
        }
    }

    /// Opens the verdict dialog for an object, or for the selected step of its path if `in_path`.
    pub(super) fn ask_verdict_of_object(&mut self, object: ObjectId, in_path: bool) {
        let Some((tab, dump)) = self.tab_now().and_then(|tab| Some((tab, tab.open_dump()?))) else { return };
        let heap = &dump.heap;
        let (object, field) = tab.views.paths.step(object, in_path).unwrap_or((object, None));
        let mut about = VerdictTargets::object(heap, object, dump.analysis.is_reachable(object));
        if let Some((from, field)) = field.filter(|(_, field)| !field.starts_with(['[', '<'])) {
            let class = heap.classes.of_object(from).unwrap_or_else(|| heap.class_id(from));
            about = about.with("Field that holds it", &format!("{}.{field}", heap.classes.get(class).name));
        }
        self.ask_verdict(about);
    }

    /// Opens the verdict dialog.
    pub(super) fn ask_verdict(&mut self, targets: VerdictTargets) {
        self.lists.verdicts.ask(self.navigation.dump(), targets);
    }
}
