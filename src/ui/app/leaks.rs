//! Showing leak findings in Leaks.

use std::path::Path;

use super::App;
use crate::ui::location::NamedLocation;
use crate::ui::{Location, View};
use heaplens_heap::ObjectId;

impl App {
    /// Shows Leaks with the finding of a fingerprint, or with the leak of `object`.
    pub(super) fn show_leak(&mut self, object: Option<ObjectId>, fingerprint: Option<String>) {
        let Some(tab) = self.tab_now_mut() else { return };
        match (fingerprint, object) {
            (Some(fingerprint), _) => tab.views.leaks.look_for_finding(fingerprint),
            (None, Some(object)) => tab.views.leaks.look_for(object),
            (None, None) => {}
        }
        let class = object.and_then(|object| tab.open_dump().map(|dump| dump.heap.class_id(object)));
        self.navigation.go(&mut self.tabs, |location| Location { view: View::Leaks, object, class, ..location });
    }

    /// Opens a dump of a fleet at a finding.
    pub(super) fn open_finding(&mut self, path: &Path, fingerprint: String) {
        self.open(path);
        if let Some(tab) = self.tab_now_mut() {
            tab.views.leaks.look_for_finding(fingerprint);
            tab.awaited = Some(NamedLocation { view: Some(View::Leaks), object: None, class: None });
        }
    }
}
