//! Views of a dump: what the window, its menus, the manual and the command line say of each.

pub mod chart;
pub mod growth_table;
mod list;
pub mod listing;

use heaplens_base::{Name, Named};

pub(crate) use self::list::for_each_view;

/// Entry of the list of views.
#[derive(Debug, Clone, Copy)]
pub struct ViewInfo {
    /// Key in saved sessions. Unlike the name it never changes.
    pub key: &'static str,
    /// Name in the list of views, and of the action that shows it.
    pub name: &'static str,
    /// Tooltip: a single sentence without a full stop, at most 160 characters.
    pub about: &'static str,
    /// Value of `--view`, and name of its page in `docs/views/`.
    pub argument: &'static str,
    /// Another value of `--view`.
    pub alias: Option<&'static str>,
    /// Help text of the value of `--view`.
    pub help: &'static str,
    /// Group that lists it, in the window, its menus and the manual.
    pub group: ViewGroup,
    /// True if the view is about single objects, so that the side panes are shown with it.
    pub is_about_objects: bool,
    /// Names that other tools give it, for the command palette: in lower case but for acronyms and product names.
    pub synonyms: &'static [&'static str],
}

/// Values of most entries.
const ORDINARY: ViewInfo = ViewInfo {
    key: "",
    name: "",
    about: "",
    argument: "",
    alias: None,
    help: "",
    group: ViewGroup::Start,
    is_about_objects: true,
    synonyms: &[],
};

/// Groups of views by the question they answer, in the order of the list of views, the menu *Go*, the palette and the
/// manual.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[expect(missing_docs, reason = "named by their titles")]
pub enum ViewGroup {
    /// The page that a dump begins with; it has no title.
    Start,
    Memory,
    Leaks,
    Waste,
    Runtime,
    Notes,
}

impl ViewGroup {
    /// All groups.
    pub const ALL: [Self; 6] = [Self::Start, Self::Memory, Self::Leaks, Self::Waste, Self::Runtime, Self::Notes];

    /// Title; `None` for views that stand alone.
    pub const fn title(self) -> Option<&'static str> {
        match self {
            Self::Start => None,
            Self::Memory => Some("Memory usage"),
            Self::Leaks => Some("Leaks and growth"),
            Self::Waste => Some("Wasted memory"),
            Self::Runtime => Some("Runtime"),
            Self::Notes => Some("Notes"),
        }
    }
}

macro_rules! declare {
    ($($view:ident { $($info:tt)* } needs $needs:ident, keys $keys:tt, page $page:tt;)*) => {
        /// View of a dump.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[expect(missing_docs, reason = "described by the list")]
        pub enum View {
            $($view),*
        }

        impl View {
            /// All views, in the order of the list of views.
            pub const ALL: [Self; [$(Self::$view),*].len()] = [$(Self::$view),*];

            /// Entry of the view.
            pub const fn info(self) -> &'static ViewInfo {
                #[expect(clippy::needless_update, reason = "an entry may have no field of the usual value")]
                const INFO: &[ViewInfo] = &[$(ViewInfo { $($info)* ..ORDINARY }),*];
                &INFO[self as usize]
            }
        }
    };
}

for_each_view!(declare);

impl View {
    /// Name in the list of views, and of the action that shows it.
    pub const fn name(self) -> &'static str {
        self.info().name
    }

    /// Key of the view in saved sessions.
    pub const fn key(self) -> &'static str {
        self.info().key
    }

    /// View with this key.
    pub fn with_key(key: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|view| view.key() == key)
    }

    /// True if the view is about single objects, so that the side panes are shown with it.
    pub const fn is_about_objects(self) -> bool {
        self.info().is_about_objects
    }
}

/// Page of the window, as `--view` names it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Page {
    /// No dump is open.
    Welcome,
    /// A dump is being opened.
    Opening,
    /// A dump is open.
    View(View),
}

/// The pages of `--view`.
impl Named for Page {
    const NAMES: &'static [Name<Self>] = &{
        let welcome = Name::new(Self::Welcome, "welcome", "Start page without an open dump");
        let mut names = [welcome; View::ALL.len() + 2];
        names[1] = Name::new(Self::Opening, "opening", "Progress while a dump opens");
        let mut at = 0;
        while at < View::ALL.len() {
            let ViewInfo { argument, alias, help, .. } = *View::ALL[at].info();
            names[at + 2] = Name { alias, ..Name::new(Self::View(View::ALL[at]), argument, help) };
            at += 1;
        }
        names
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_of_saved_sessions_never_change() {
        for (saved, view) in [
            ("Kept by", View::RetainedBy),
            ("Roots & owners", View::Ownership),
            ("Notes", View::ParseWarnings),
            ("Route", View::Route),
            ("Strings", View::Strings),
            ("Timeline", View::Timeline),
            ("Dominator tree", View::Dominators),
        ] {
            assert_eq!((view.key(), View::with_key(saved)), (saved, Some(view)));
        }
        assert!(View::ALL.is_sorted_by_key(|view| view.info().group), "views of a group are not adjacent");
        let texts: [fn(View) -> &'static str; 3] = [View::key, View::name, |view| view.info().argument];
        for what in texts {
            let mut all = View::ALL.map(what);
            all.sort_unstable();
            assert!(all.windows(2).all(|two| two[0] != two[1]) && !all[0].is_empty());
        }
    }
}
