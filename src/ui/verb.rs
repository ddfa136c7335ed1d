//! Every verb once: its name, what it does, its keys, when it can be used.
//! Menus, shortcuts, the palette and the help all read this table.

use eframe::egui;
use egui::{Key, KeyboardShortcut, Modifiers};

use super::place::View;

/// What a person can do without saying to what.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "the table below says what each does")]
pub enum Verb {
    Open,
    OpenLast,
    Redact,
    UseMapping,
    ForgetMapping,
    ReadReport,
    ExportTable,
    StopExport,
    ExportOverview,
    Compare,
    CompareWith,
    CloseTab,
    NextTab,
    PreviousTab,
    StopOpening,
    Quit,
    CopyRows,
    CopyPath,
    CopyObject,
    CopyInside,
    CopyCommand,
    CopyAs,
    CopyText,
    CopyMarkdown,
    CopyTrace,
    CopyReport,
    CopyCells,
    CopyJson,
    MorePaths,
    CopyId,
    Filter,
    Palette,
    Back,
    Forward,
    Overview,
    Leaks,
    Dominators,
    Histogram,
    Objects,
    Paths,
    Threads,
    Strings,
    Collections,
    Bitmaps,
    Containment,
    Closures,
    KeptBy,
    Detached,
    NativeContexts,
    Timeline,
    Ownership,
    Gaps,
    Route,
    RouteFrom,
    RouteTo,
    RouteBetween,
    Waste,
    Loaders,
    Finalizers,
    Roots,
    Notes,
    Growth,
    GrewEveryTime,
    ShowInTree,
    AccumulationPoint,
    ObjectsOfClass,
    Incoming,
    Outgoing,
    PreviousOfClass,
    NextOfClass,
    OpenBeside,
    RetainedSet,
    Star,
    Note,
    Stars,
    Find,
    CutReference,
    CutField,
    UndoCut,
    Verdict,
    Verdicts,
    UndoVerdict,
    KeepUnreachable,
    IgnoreVmRoots,
    Picture,
    PathPane,
    MainPane,
    InspectorPane,
    PathLeft,
    PathRight,
    PathBelow,
    InspectorLeft,
    InspectorRight,
    InspectorBelow,
    ExactSizes,
    ZoomIn,
    ZoomOut,
    ZoomReset,
    ThemeDark,
    ThemeLight,
    ThemeSystem,
    MemoryAll,
    MemoryFourGigabytes,
    MemoryOneGigabyte,
    ForgetStored,
    RuntimeClasses,
    ReloadRuntimeClasses,
    Help,
}

/// In which menu a verb stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "they are the titles of the menus")]
pub enum Menu {
    File,
    Edit,
    Go,
    View,
    Help,
}

impl Menu {
    /// All menus, from left to right.
    pub const ALL: [Self; 5] = [Self::File, Self::Edit, Self::Go, Self::View, Self::Help];

    /// Its title.
    pub fn name(self) -> &'static str {
        match self {
            Self::File => "File",
            Self::Edit => "Edit",
            Self::Go => "Go",
            Self::View => "View",
            Self::Help => "Help",
        }
    }
}

/// What must be there for a verb to be of use.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Needs {
    /// Nothing.
    Nothing,
    /// What the last window had open.
    Offered,
    /// A tab.
    Tab,
    /// More than one tab.
    Tabs,
    /// A dump that is being opened, or compared.
    Opening,
    /// A file that is being written.
    Exporting,
    /// A dump that is open.
    Ready,
    /// A comparison, or another dump to compare with.
    Comparable,
    /// A dump, and another to compare with.
    OtherDump,
    /// A comparison.
    Comparison,
    /// A comparison, and more dumps of the program.
    OverTime,
    /// A chosen object.
    Object,
    /// A chosen class, or the class of the chosen object.
    Class,
    /// A dump of Android.
    Android,
    /// A dump of a Java heap.
    Java,
    /// A snapshot of a JavaScript engine.
    Snapshot,
    /// One with nodes that are in no document.
    Detached,
    /// One that was taken while allocations were recorded.
    Recorded,
    /// A dump whose ids are addresses.
    Addresses,
    /// Two selected objects.
    TwoObjects,
    /// A dump with bitmaps of Android.
    Bitmaps,
    /// A dump with the names of a mapping.
    Mapped,
    /// A dump of Android, with heaps.
    Heaps,
    /// A reference that was cut.
    Cut,
    /// A finding of the leak finder, an object or a class.
    Sayable,
    /// Something that was said of leaks since the window was opened.
    Said,
    /// A place before.
    Past,
    /// A place after.
    Future,
}

/// One row of the table.
#[derive(Debug, Clone, Copy)]
pub struct Entry {
    /// The verb.
    pub verb: Verb,
    /// Where it stands.
    pub menu: Menu,
    /// Whether a line is drawn above it.
    pub line_above: bool,
    /// What people call it.
    pub name: &'static str,
    /// What it does, in a sentence.
    pub about: &'static str,
    /// The keys for it, the first is shown.
    pub keys: &'static [KeyboardShortcut],
    /// When it can be used.
    pub needs: Needs,
}

const fn plain(key: Key) -> KeyboardShortcut {
    KeyboardShortcut::new(Modifiers::NONE, key)
}
const fn ctrl(key: Key) -> KeyboardShortcut {
    KeyboardShortcut::new(Modifiers::COMMAND, key)
}
const fn alt(key: Key) -> KeyboardShortcut {
    KeyboardShortcut::new(Modifiers::ALT, key)
}
const fn shift(key: Key) -> KeyboardShortcut {
    KeyboardShortcut::new(Modifiers::SHIFT, key)
}
const CTRL_SHIFT: Modifiers = Modifiers::COMMAND.plus(Modifiers::SHIFT);

macro_rules! table {
    ($($verb:ident $menu:ident $line:literal $needs:ident $name:literal $about:literal [$($keys:expr),*];)*) => {
        &[$(Entry {
            verb: Verb::$verb,
            menu: Menu::$menu,
            line_above: $line,
            name: $name,
            about: $about,
            keys: &[$($keys),*],
            needs: Needs::$needs,
        }),*]
    };
}

/// All verbs, in the order of the menus.
pub const TABLE: &[Entry] = table! {
    Open File false Nothing "Open…" "Open a heap dump in a new tab" [ctrl(Key::O)];
    OpenLast File false Offered "Open what was open last" "Open the dumps of the window that ended last, each where the reader was" [];
    UseMapping File true Ready "Use a mapping…" "Give classes, fields and stack frames of this dump the names of a ProGuard or R8 mapping; dropping its .txt does the same" [];
    ForgetMapping File false Mapped "Take the mapping off" "Names are those of the dump again" [];
    ReadReport File false Ready "Read a report of KOOM…" "Put stars on the objects that a report of KOOM names; dropping its .json does the same" [];
    Compare File true Comparable "Compare, or swap before and after" "Compare with the dump looked at before; in a comparison let before and after change places" [plain(Key::B)];
    CompareWith File false OtherDump "Compare with…" "Choose the open dump to compare this one with" [];
    ExportTable File true Ready "Export table…" "Write the whole table to a csv or json file, in the order and with the filter shown" [ctrl(Key::S)];
    ExportOverview File false Ready "Export overview…" "Write the overview to an HTML or Markdown file" [];
    StopExport File false Exporting "Stop exporting" "Give up writing the file; nothing of it stays" [];
    MemoryAll File true Nothing "Open with all memory it takes" "Open dumps as fast as can be; the usual" [];
    MemoryFourGigabytes File false Nothing "Open with 4 GB of memory at most" "What does not fit is worked on in files: opening the next dump is slower, answers are as fast" [];
    MemoryOneGigabyte File false Nothing "Open with 1 GB of memory at most" "What does not fit is worked on in files: opening the next dump is slower, answers are as fast" [];
    ForgetStored File false Nothing "Delete stored analyses" "Dumps that were opened before are read again then" [];
    StopOpening File true Opening "Stop opening or comparing" "Give up opening this dump, or comparing it; what is known so far stays" [plain(Key::Escape)];
    CloseTab File false Tab "Close dump" "Close this dump and free its memory" [ctrl(Key::W)];
    Quit File true Nothing "Quit" "Close the window" [ctrl(Key::Q)];
    CopyRows Edit false Ready "Copy rows" "Copy the selected rows, in the form chosen last" [ctrl(Key::C)];
    CopyPath Edit false Object "Copy path" "Copy the path from the GC root to the object, in the form chosen last" [plain(Key::Y)];
    CopyObject Edit false Object "Copy object" "Copy the object with its fields, in the form chosen last" [];
    CopyInside Edit false Object "Copy rows of the inspector" "Copy what the inspector lists, in the form chosen last" [];
    CopyId Edit false Object "Copy id" "Copy the id of the object" [];
    CopyCommand Edit false Ready "Copy command line" "Copy the command that prints the selected rows" [plain(Key::C)];
    CopyAs Edit false Ready "Copy as…" "Choose in which form to copy, and see what it will be" [shift(Key::Y)];
    CopyText Edit false Ready "Copy as plain text" "Aligned columns, trees with their lines" [];
    CopyMarkdown Edit false Ready "Copy as Markdown" "For tickets and pull requests" [];
    CopyTrace Edit false Object "Copy path as leak trace" "The path, or the leak that is chosen, as LeakCanary writes it" [];
    CopyReport Edit false Android "Copy LeakCanary's report" "All leaks of the dump and what it says of itself, as LeakCanary writes them" [];
    CopyCells Edit false Ready "Copy as cells for a spreadsheet" "Columns separated by tabs" [];
    CopyJson Edit false Ready "Copy as JSON" "The objects that the command line prints" [];
    Redact Edit false Ready "Redact" "Leave out texts, numbers, keys and names of threads, here and in all that is copied or exported; names of classes and fields stay" [];
    Filter Edit true Ready "Filter" "Type into the filter of the table" [plain(Key::Slash), ctrl(Key::F)];
    Find Edit false Ready "Find in the table" "Jump to rows that hold what you type; Enter for the next" [plain(Key::Quote), ctrl(Key::G)];
    Palette Edit false Nothing "Go anywhere…" "Find a class, a command, an object by its id, a string by what it says, a thread" [ctrl(Key::K), ctrl(Key::P)];
    Star Edit true Object "Star" "Put a star on the object, or take it away" [plain(Key::M)];
    Note Edit false Object "Note…" "Write something about the object" [plain(Key::N)];
    CutReference Edit true Class "Cut reference" "What would be freed without the reference that is chosen or holds the object, or without all objects of the class; or take that cut back" [plain(Key::X)];
    CutField Edit false Object "Cut field in all instances" "What would be freed if no object of the class above held anything by that field" [shift(Key::X)];
    UndoCut Edit false Cut "Take the last cut back" "As if the reference cut last were there again" [ctrl(Key::Z)];
    Verdict Edit false Sayable "Expected or leaking…" "Say of a finding, an object, a class or a field that it is as it should be, or that it leaks, and why: it holds for the next dump too" [plain(Key::V)];
    Verdicts Edit false Nothing "What you said of leaks…" "Everything that you said is expected or leaking, to be changed and taken back" [shift(Key::V)];
    UndoVerdict Edit false Said "Take the last verdict back" "As if what you said last of leaks had not been said" [];
    Back Go false Past "Back" "To the place before" [alt(Key::ArrowLeft)];
    Forward Go false Future "Forward" "To the place after" [alt(Key::ArrowRight)];
    NextTab Go false Tabs "Next dump" "Show the next open dump" [KeyboardShortcut::new(Modifiers::CTRL, Key::Tab), ctrl(Key::PageDown)];
    PreviousTab Go false Tabs "Previous dump" "Show the open dump before" [KeyboardShortcut::new(CTRL_SHIFT, Key::Tab), ctrl(Key::PageUp)];
    Overview Go true Ready "Overview" "What the dump is, and what stands out in it" [plain(Key::Num1)];
    Leaks Go false Ready "Leaks" "What leaks, who holds it, which reference to cut, and what that frees" [plain(Key::F)];
    Histogram Go false Ready "Histogram" "Objects and bytes by class" [plain(Key::Num2)];
    Dominators Go false Ready "Dominator tree" "What holds the memory: every object below its immediate dominator" [plain(Key::Num3)];
    Growth Go false Comparison "Growth" "What grew since the dump before, and who holds it" [plain(Key::Num9)];
    Objects Go false Ready "Objects" "The objects of the chosen class" [plain(Key::Num4)];
    Paths Go false Ready "Merged paths" "The shortest paths to all objects of the chosen class as one tree" [plain(Key::Num5)];
    Waste Go false Ready "Waste" "Where memory goes for nothing" [plain(Key::Num7)];
    Strings Go false Ready "Duplicate strings" "Texts that stand in the heap more than once, and who holds them" [plain(Key::Num8)];
    Roots Go false Ready "GC roots" "What is alive by itself, by kind" [];
    Ownership Go false Ready "Roots & owners" "Roots found by what no object refers to, and who owns what below them, as HeapRoots has it" [];
    Gaps Go false Addresses "Gaps" "Holes between objects, by size" [];
    Stars Go false Ready "Stars and notes" "Objects of this dump with a star or a note" [];
    Notes Go false Ready "Import notes" "What could not be read as it should have been" [plain(Key::Num0)];
    Threads Go false Java "Threads" "Threads, their stacks, and what these hold" [plain(Key::Num6)];
    Collections Go false Java "Collections" "How many collections there are, and how full" [];
    Loaders Go false Java "Class loaders" "What each class loader defined and keeps alive" [];
    Finalizers Go false Java "Finalizers" "Objects whose finalizer is still to run" [];
    Bitmaps Go false Bitmaps "Bitmaps" "A gallery of the pictures in the heap: how large each is, which are alike, who holds them" [plain(Key::G)];
    Containment Go false Snapshot "Containment" "What the root leads to, globals first, and what that leads to" [];
    Closures Go false Snapshot "Closures" "Functions of JavaScript: where they stand, what they capture, what that keeps alive" [];
    KeptBy Go false Snapshot "Kept by" "What only detached nodes, contexts of functions, the console or event handlers keep" [];
    Detached Go false Detached "Detached nodes" "Nodes of the page that are in no document, and who holds them" [];
    NativeContexts Go false Snapshot "Native contexts" "Whose bytes are whose: pages, frames, contexts of vm" [];
    Timeline Go false Recorded "Allocation timeline" "When what is still there was allocated" [];
    Route Go false Ready "Route" "The shortest way from one object to another, and what each alone keeps alive" [];
    RouteFrom Go false Object "Route from here" "A route to another object begins at the chosen one" [];
    RouteTo Go false Object "Route to here" "A route from another object ends at the chosen one" [];
    RouteBetween Go false TwoObjects "Route between the selected" "The shortest way from the first of two selected objects to the second" [shift(Key::R)];
    ShowInTree Go true Object "Show in dominator tree" "Unfold the dominator tree down to the object" [plain(Key::D)];
    AccumulationPoint Go false Object "Go to accumulation point" "Down the dominator tree to where no single object holds most of it any more" [plain(Key::A)];
    ObjectsOfClass Go false Class "Objects of this class" "List the objects of the class" [plain(Key::L)];
    Incoming Go true Object "Incoming references" "What refers to the object, in the inspector" [plain(Key::I)];
    Outgoing Go false Object "Outgoing references" "What the object refers to, in the inspector" [plain(Key::O)];
    MorePaths Go false Object "More paths" "Hold the chosen object by the next path, through another object" [plain(Key::P)];
    PreviousOfClass Go true Object "Previous object of the class" "The one before in the order of addresses" [plain(Key::OpenBracket)];
    NextOfClass Go false Object "Next object of the class" "The one after in the order of addresses" [plain(Key::CloseBracket)];
    OpenBeside Go false Ready "Open in a new tab" "Look at the same from a tab of its own; this one stays as it is" [ctrl(Key::Enter), ctrl(Key::T)];
    Picture View false Ready "Table or picture" "Show the rows as a treemap, an icicle, a sunburst, or a table again" [plain(Key::T)];
    ExactSizes View false Nothing "Sizes with all digits" "2,412,345 instead of 2.4 MB" [plain(Key::Period)];
    RetainedSet View false Ready "Retained together" "Search the heap for what the selected objects keep alive only together" [plain(Key::R)];
    GrewEveryTime View false OverTime "Grew every time" "Show only owners that retain more in each open dump of the program than in the one before" [plain(Key::E)];
    KeepUnreachable View true Ready "Keep unreachable objects" "Open the dump again with what no GC root reaches: its biggest pieces stand in the dominator tree too" [];
    IgnoreVmRoots View false Heaps "Ignore roots of zygote and image" "Open the dump again so that what the virtual machine holds outside of the app heap is a GC root only where nothing else leads: sizes say what the application keeps alive" [];
    RuntimeClasses View true Nothing "Runtime classes…" "Edit the list of classes that count as the runtime's: these own nothing" [];
    ReloadRuntimeClasses View false Nothing "Reload runtime classes" "Read the list again and tell owners and names anew" [];
    PathPane View true Ready "Held by" "Show the pane with the path from a GC root, go there, hide it" [plain(Key::F2)];
    MainPane View false Ready "Table" "Have keys go to the table again" [plain(Key::F3)];
    InspectorPane View false Ready "Inspector" "Show the pane with the inside of the object, go there, hide it" [plain(Key::F4)];
    PathLeft View false Ready "Held by at the left" "Where the pane with the path stands" [];
    PathRight View false Ready "Held by at the right" "Where the pane with the path stands" [];
    PathBelow View false Ready "Held by below" "Where the pane with the path stands" [];
    InspectorLeft View true Ready "Inspector at the left" "Where the pane with the object stands" [];
    InspectorRight View false Ready "Inspector at the right" "Where the pane with the object stands" [];
    InspectorBelow View false Ready "Inspector below" "Where the pane with the object stands" [];
    ZoomIn View true Nothing "Bigger" "Draw everything bigger" [ctrl(Key::Plus), ctrl(Key::Equals)];
    ZoomOut View false Nothing "Smaller" "Draw everything smaller" [ctrl(Key::Minus)];
    ZoomReset View false Nothing "Normal size" "Draw everything at its normal size" [ctrl(Key::Num0)];
    ThemeDark View false Nothing "Dark theme" "Light text on dark" [];
    ThemeLight View false Nothing "Light theme" "Dark text on light" [];
    ThemeSystem View false Nothing "Theme of the system" "Dark or light, as the desktop is" [];
    Help Help false Nothing "Keys and commands" "All commands and their keys" [plain(Key::Questionmark), shift(Key::Questionmark), shift(Key::Slash), plain(Key::F1)];
};

impl Verb {
    /// The verb that shows a view.
    pub fn showing(view: View) -> Self {
        match view {
            View::Overview => Self::Overview,
            View::Leaks => Self::Leaks,
            View::Dominators => Self::Dominators,
            View::Histogram => Self::Histogram,
            View::Objects => Self::Objects,
            View::Paths => Self::Paths,
            View::Threads => Self::Threads,
            View::Strings => Self::Strings,
            View::Collections => Self::Collections,
            View::Waste => Self::Waste,
            View::Loaders => Self::Loaders,
            View::Finalizers => Self::Finalizers,
            View::Roots => Self::Roots,
            View::Stars => Self::Stars,
            View::Notes => Self::Notes,
            View::Growth => Self::Growth,
            View::Bitmaps => Self::Bitmaps,
            View::Containment => Self::Containment,
            View::Closures => Self::Closures,
            View::KeptBy => Self::KeptBy,
            View::Detached => Self::Detached,
            View::NativeContexts => Self::NativeContexts,
            View::Timeline => Self::Timeline,
            View::Ownership => Self::Ownership,
            View::Gaps => Self::Gaps,
            View::Route => Self::Route,
        }
    }

    /// Its row of the table.
    pub fn entry(self) -> Entry {
        // A test holds that every verb has a row; the first stands in for none.
        TABLE.iter().copied().find(|e| e.verb == self).unwrap_or(TABLE[0])
    }

    /// The submenu of [`Entry::menu`] that the entry belongs to, if any. Entries of one submenu are neighbours in
    /// [`TABLE`].
    pub fn submenu(self) -> Option<&'static str> {
        Some(match self {
            Self::MemoryAll | Self::MemoryFourGigabytes | Self::MemoryOneGigabyte | Self::ForgetStored => {
                "Memory and stored analyses"
            }
            Self::CopyAs
            | Self::CopyText
            | Self::CopyMarkdown
            | Self::CopyTrace
            | Self::CopyReport
            | Self::CopyCells
            | Self::CopyJson => "Copy as",
            Self::CutReference | Self::CutField | Self::UndoCut => "What-if cuts",
            Self::Verdict | Self::Verdicts | Self::UndoVerdict => "Verdicts",
            Self::Objects
            | Self::Paths
            | Self::Waste
            | Self::Strings
            | Self::Roots
            | Self::Ownership
            | Self::Gaps
            | Self::Stars
            | Self::Notes => "More views",
            Self::Threads | Self::Collections | Self::Loaders | Self::Finalizers | Self::Bitmaps => {
                "Java and Android views"
            }
            Self::Containment
            | Self::Closures
            | Self::KeptBy
            | Self::Detached
            | Self::NativeContexts
            | Self::Timeline => "JavaScript views",
            Self::Route | Self::RouteFrom | Self::RouteTo | Self::RouteBetween => "Route",
            Self::ShowInTree
            | Self::AccumulationPoint
            | Self::ObjectsOfClass
            | Self::Incoming
            | Self::Outgoing
            | Self::MorePaths
            | Self::PreviousOfClass
            | Self::NextOfClass => "Selected object",
            Self::KeepUnreachable | Self::IgnoreVmRoots | Self::RuntimeClasses | Self::ReloadRuntimeClasses => {
                "Analysis options"
            }
            Self::PathLeft
            | Self::PathRight
            | Self::PathBelow
            | Self::InspectorLeft
            | Self::InspectorRight
            | Self::InspectorBelow => "Pane positions",
            Self::ThemeDark | Self::ThemeLight | Self::ThemeSystem => "Theme",
            _ => return None,
        })
    }
}

/// Keys as people see them on their keyboard: `Ctrl+-`, not `Ctrl+Minus`.
pub fn written(ctx: &egui::Context, keys: &KeyboardShortcut) -> String {
    let text = ctx.format_shortcut(keys);
    let sign = match keys.logical_key {
        Key::Period => ".",
        Key::Slash => "/",
        Key::Plus => "+",
        Key::Minus => "-",
        Key::Equals => "=",
        Key::Quote => "'",
        Key::Questionmark => "?",
        Key::OpenBracket => "[",
        Key::CloseBracket => "]",
        _ => return text,
    };
    // The key stands last, behind what is held with it.
    text.strip_suffix(keys.logical_key.name()).map_or(text.clone(), |held| format!("{held}{sign}"))
}

/// Takes the keys of this frame that mean a verb, in the order in which they were pressed. Of those that one key may mean
/// the one with more modifiers is.
pub fn take_keys(ctx: &egui::Context, usable: &dyn Fn(Verb) -> bool) -> Vec<Verb> {
    let typing = ctx.egui_wants_keyboard_input();
    let mut keys: Vec<(&KeyboardShortcut, Verb)> =
        TABLE.iter().flat_map(|e| e.keys.iter().map(move |k| (k, e.verb))).collect();
    let weight = |m: Modifiers| u8::from(m.alt) + u8::from(m.shift) + u8::from(m.command || m.ctrl);
    keys.sort_by_key(|(k, _)| std::cmp::Reverse(weight(k.modifiers)));
    let pressed = ctx.input(|i| i.events.clone());
    let mut taken = Vec::new();
    for (shortcut, verb) in keys {
        let is_letter = weight(shortcut.modifiers) == 0 || shortcut.modifiers == Modifiers::SHIFT;
        // A text that is typed has an undo of its own.
        let is_for_text = is_letter && !is_function_key(shortcut.logical_key) || verb == Verb::UndoCut;
        if (typing && is_for_text) || !usable(verb) {
            continue;
        }
        if ctx.input_mut(|i| i.consume_shortcut(shortcut)) {
            let is_it = |event: &egui::Event| matches!(event, egui::Event::Key { key, pressed: true, .. } if *key == shortcut.logical_key);
            taken.push((pressed.iter().position(is_it), verb));
        }
    }
    taken.sort_by_key(|(at, _)| *at);
    taken.into_iter().map(|(_, verb)| verb).collect()
}

fn is_function_key(key: Key) -> bool {
    matches!(key, Key::F1 | Key::F2 | Key::F3 | Key::F4)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_verb_stands_once_and_no_keys_are_given_twice() {
        let mut seen: Vec<KeyboardShortcut> = Vec::new();
        for (i, entry) in TABLE.iter().enumerate() {
            assert!(!TABLE[..i].iter().any(|e| e.verb == entry.verb || e.name == entry.name), "{}", entry.name);
            assert!(!entry.about.ends_with('.') && !entry.name.ends_with('.'));
            for &keys in entry.keys {
                assert!(!seen.contains(&keys), "{}", entry.name);
                seen.push(keys);
            }
        }
        assert_eq!(TABLE.len(), Verb::Help as usize + 1);
        assert!(TABLE.iter().all(|e| e.verb.entry().name == e.name));
    }

    /// Items of a menu: entries outside submenus, and submenus. A submenu whose entries are not neighbours counts twice
    /// here, as it would be drawn twice.
    fn items(menu: Menu) -> Vec<Option<&'static str>> {
        let mut items: Vec<Option<&str>> = TABLE.iter().filter(|e| e.menu == menu).map(|e| e.verb.submenu()).collect();
        items.dedup_by(|a, b| a.is_some() && a == b);
        items
    }

    #[test]
    fn menus_are_short_and_submenus_are_in_one_piece() {
        for menu in Menu::ALL {
            let items = items(menu);
            assert!(items.len() <= 16, "{} has {} items", menu.name(), items.len());
            let mut submenus: Vec<&str> = items.into_iter().flatten().collect();
            let count = submenus.len();
            submenus.sort_unstable();
            submenus.dedup();
            assert_eq!(submenus.len(), count, "{}: the entries of a submenu are not neighbours", menu.name());
        }
    }
}
