//! Links that are being copied or opened.

use crate::ui::DumpKey;
use heaplens_session::open_dump::link_target::LinkTarget;
use heaplens_session::{Link, OpenDump, Slot};

/// Links being copied and opened.
#[derive(Default)]
pub(in crate::ui::app) struct Links {
    /// Text of the link to copy.
    pub(in crate::ui::app) copying: Slot<String>,
    /// Links that wait until it is known which dumps are open.
    pub(in crate::ui::app) waiting: Vec<Link>,
    /// Links to open, oldest first, each with the tab of its dump, which may still be opening.
    pub(in crate::ui::app) opening: Vec<(DumpKey, Link)>,
    /// Tab of the link whose target is searched for; links are taken one at a time.
    pub(in crate::ui::app) searching: Option<DumpKey>,
    /// What that link names.
    pub(in crate::ui::app) target: Slot<(DumpKey, OpenDump, Link, LinkTarget)>,
}

impl Links {
    /// Adds a link; true if its view can be shown at once, because no other link of its tab comes first.
    pub(in crate::ui::app) fn push(&mut self, key: DumpKey, link: Link) -> bool {
        let is_next = self.searching != Some(key) && self.next_of(key).is_none();
        self.opening.push((key, link));
        is_next
    }

    /// The next link of a tab.
    pub(in crate::ui::app) fn next_of(&self, key: DumpKey) -> Option<&Link> {
        self.opening.iter().find(|(of, _)| *of == key).map(|(_, link)| link)
    }

    /// Takes the oldest link whose tab is ready, unless the target of another one is still searched for.
    pub(in crate::ui::app) fn take_ready(&mut self, is_ready: impl Fn(DumpKey) -> bool) -> Option<(DumpKey, Link)> {
        let at = self.opening.iter().position(|(key, _)| is_ready(*key)).filter(|_| self.searching.is_none())?;
        let (key, link) = self.opening.remove(at);
        self.searching = Some(key);
        Some((key, link))
    }

    /// True while a link is being copied or opened.
    pub(in crate::ui::app) fn is_running(&self) -> bool {
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
