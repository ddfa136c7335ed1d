//! Links that are being copied or opened. Names are found in the background.

use super::super::tabs::Tabs;
use crate::ui::location::NamedLocation;
use crate::ui::tab::Tab;
use crate::ui::{DumpKey, Location, View};
use crate::view::Page;
use heaplens_base::Named;
use heaplens_heap::ObjectId;
use heaplens_session::dump::State;
use heaplens_session::open_dump::link_target::{LinkSource, LinkTarget};
use heaplens_session::{Jobs, Link, OpenDump, Slot};

/// Links being copied and opened.
#[derive(Default)]
pub(crate) struct Links {
    /// Text of the link to copy.
    pub(crate) copying: Slot<String>,
    /// Links that wait until it is known which dumps are open.
    pub(crate) waiting: Vec<Link>,
    /// Links to open, oldest first, each with the tab of its dump, which may still be opening.
    pub(crate) opening: Vec<(DumpKey, Link)>,
    /// Tab of the link whose target is searched for; links are taken one at a time.
    pub(crate) searching: Option<DumpKey>,
    /// What that link names.
    pub(crate) target: Slot<(DumpKey, OpenDump, Link, LinkTarget)>,
}

impl Links {
    /// Adds a link; true if its view can be shown at once, because no other link of its tab comes first.
    fn push(&mut self, key: DumpKey, link: Link) -> bool {
        let is_next = self.searching != Some(key) && self.next_of(key).is_none();
        self.opening.push((key, link));
        is_next
    }

    /// The next link of a tab.
    pub(crate) fn next_of(&self, key: DumpKey) -> Option<&Link> {
        self.opening.iter().find(|(of, _)| *of == key).map(|(_, link)| link)
    }

    /// Takes the oldest link whose tab is ready, unless the target of another one is still searched for.
    fn take_ready(&mut self, is_ready: impl Fn(DumpKey) -> bool) -> Option<(DumpKey, Link)> {
        let at = self.opening.iter().position(|(key, _)| is_ready(*key)).filter(|_| self.searching.is_none())?;
        let (key, link) = self.opening.remove(at);
        self.searching = Some(key);
        Some((key, link))
    }

    /// Copies a link to a location: view, selected object or class, finding, cuts.
    pub(crate) fn copy(&mut self, tabs: &Tabs, location: Location, jobs: &Jobs) {
        let leaks = tabs.get(location.dump).map(|tab| &tab.views.leaks).filter(|_| location.view == View::Leaks);
        let finding = leaks.and_then(|leaks| leaks.chosen()).map(|finding| finding.fingerprint.clone());
        let object = location.object.filter(|_| location.view.is_about_objects());
        self.start_copying(tabs, location, finding, object, jobs);
    }

    /// Copies a link to an object that a menu names: in the current view if it is selected there or the view can show
    /// it, else in the dominator tree.
    pub(crate) fn copy_object(&mut self, tabs: &Tabs, location: Location, object: ObjectId, jobs: &Jobs) {
        if location.object == Some(object) && location.view.is_about_objects() {
            return self.copy(tabs, location, jobs);
        }
        let is_listed = matches!(location.view, View::Overview | View::Leaks | View::Objects | View::Route);
        let view = if location.view.is_about_objects() && !is_listed { location.view } else { View::Dominators };
        self.start_copying(tabs, Location { view, class: None, ..location }, None, Some(object), jobs);
    }

    /// Copies a link to a finding in Leaks; the object of the location is the one that its title names.
    pub(crate) fn copy_finding(&mut self, tabs: &Tabs, location: Location, fingerprint: String, jobs: &Jobs) {
        let object = location.object;
        let location = Location { view: View::Leaks, class: None, ..location };
        self.start_copying(tabs, location, Some(fingerprint), object, jobs);
    }

    fn start_copying(
        &mut self,
        tabs: &Tabs,
        location: Location,
        finding: Option<String>,
        object: Option<ObjectId>,
        jobs: &Jobs,
    ) {
        let Some(tab) = tabs.get(location.dump) else { return };
        let Some(dump) = tab.open_dump().cloned() else { return };
        let class = location.class.filter(|&class| object.is_none_or(|object| dump.heap.class_id(object) != class));
        let (cuts, fix) = (tab.cuts.active().to_vec(), tab.cuts.fix_name().to_owned());
        let source = LinkSource { view: location.view.info().argument, finding, object, class, cuts, fix };
        let path = tab.dump.path().to_owned();
        self.copying.ask(jobs, "link", move |task| Ok(dump.link(source, &path, task)?.to_string()));
    }

    /// Shows the view of a link as soon as its dump is open and earlier links of the tab have arrived; then what the
    /// link names is searched for.
    pub(crate) fn go_to(&mut self, tabs: &mut Tabs, key: DumpKey, link: Link) {
        if self.push(key, link) {
            self.show_next(tabs, key);
        }
    }

    /// Shows the view of the next link of a tab as soon as its dump is open.
    pub(crate) fn show_next(&self, tabs: &mut Tabs, key: DumpKey) {
        let Some(link) = self.next_of(key) else { return };
        let view = link.view.as_deref().and_then(|word| match Page::of_word(word) {
            Some(Page::View(view)) => Some(view),
            _ => None,
        });
        if let Some(tab) = tabs.get_mut(key) {
            tab.awaited = Some(NamedLocation { view, object: None, class: link.class.clone() });
        }
    }

    /// Searches for what the next link names, once its dump is open and its view is shown.
    pub(crate) fn search_target(&mut self, tabs: &Tabs, jobs: &Jobs) {
        let is_ending = |tab: &Tab| matches!(tab.dump.state(), State::Failed(_) | State::Cancelled);
        let tab_of = |key: DumpKey| tabs.get(key).filter(|tab| !is_ending(tab));
        self.opening.retain(|(key, _)| tab_of(*key).is_some());
        let dump_of = |key: DumpKey| tab_of(key).filter(|tab| tab.awaited.is_none()).and_then(Tab::open_dump);
        let Some((key, link)) = self.take_ready(|key| dump_of(key).is_some()) else { return };
        let Some(dump) = dump_of(key).cloned() else { return };
        self.target.ask(jobs, "place of a link", move |task| {
            let target = dump.link_target(&link, heaplens_sql::resolve_cut, task)?;
            Ok((key, dump, link, target))
        });
    }

    /// True while a link is being copied or opened.
    pub(crate) fn is_running(&self) -> bool {
        self.copying.is_running() || self.target.is_running() || !self.opening.is_empty() || !self.waiting.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_are_taken_one_at_a_time_and_in_order_in_each_tab() {
        let [first, second] = [1, 2];
        let link = |view: &str| Link { view: Some(view.to_owned()), ..Link::default() };
        let mut links = Links::default();
        assert!(links.push(first, link("a")) && links.push(second, link("b")) && !links.push(second, link("c")));
        assert_eq!(links.take_ready(|_| false), None);
        assert_eq!(links.take_ready(|key| key == second), Some((second, link("b"))), "the first dump opens slowly");
        assert_eq!((links.take_ready(|_| true), links.next_of(second)), (None, Some(&link("c"))));
        assert!(!links.push(second, link("d")));
        for next in [(first, link("a")), (second, link("c")), (second, link("d"))] {
            links.searching = None;
            assert_eq!(links.take_ready(|_| true), Some(next));
        }
        assert!(!links.push(second, link("e")), "another link of the tab is searched for");
    }
}
