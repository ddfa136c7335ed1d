//! Table of all actions: name, tooltip, keyboard shortcuts and condition of use.
//! Menus, shortcuts, the palette and the help read it.

use std::sync::LazyLock;

use eframe::egui;
use egui::{Key, KeyboardShortcut, Modifiers};

use super::key_names::written;
use crate::view::{View, for_each_view};

/// Menu of the menu bar.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "named by the titles of the menus")]
pub enum Menu {
    File,
    Edit,
    Go,
    View,
    Help,
}

impl Menu {
    /// All menus from left to right.
    pub const ALL: [Self; 5] = [Self::File, Self::Edit, Self::Go, Self::View, Self::Help];

    /// Title in the menu bar.
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

/// Condition under which an action is enabled.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Needs {
    /// Always enabled.
    Nothing,
    /// Dumps of the previous session that can be reopened.
    Offered,
    /// A warning on screen.
    Warnings,
    /// An open tab.
    Tab,
    /// At least two tabs.
    Tabs,
    /// A dump that is being opened or compared.
    Opening,
    /// A running export.
    Exporting,
    /// An open dump.
    Ready,
    /// A comparison, or another dump to compare with.
    Comparable,
    /// Another open dump to compare with.
    OtherDump,
    /// A comparison.
    Comparison,
    /// A comparison, with further open dumps of the same program.
    OverTime,
    /// A selected object.
    Object,
    /// A selected class, or the class of the selected object.
    Class,
    /// The same, or a row that is a cut.
    Removable,
    /// An Android dump.
    Android,
    /// A dump of a Java heap.
    Java,
    /// A dump whose format records fields.
    Fields,
    /// A dump of a Java heap whose format records fields.
    JavaFields,
    /// A dump with objects that have a finalizer.
    Finalizers,
    /// A JavaScript snapshot.
    Snapshot,
    /// A JavaScript snapshot with detached DOM nodes.
    Detached,
    /// A JavaScript snapshot with recorded allocations.
    Recorded,
    /// A dump whose object ids are addresses.
    Addresses,
    /// Two selected objects.
    TwoObjects,
    /// The query of an open dump on screen.
    QueryView,
    /// An Android dump with bitmaps.
    Bitmaps,
    /// A dump with an applied mapping.
    Mapped,
    /// An Android dump that distinguishes heaps (app, zygote, image).
    Heaps,
    /// At least one removal that is on.
    Cut,
    /// At least one removal.
    CutList,
    /// A change to undo.
    ToUndo,
    /// A change to redo.
    ToRedo,
    /// A selected finding, object or class that can get a verdict.
    VerdictTarget,
    /// A tab that was closed.
    ClosedTab,
    /// A previous location.
    Past,
    /// A next location.
    Future,
}

/// Row of [`TABLE`].
#[derive(Debug, Clone, Copy)]
pub struct Entry {
    /// Action that the row describes.
    pub verb: Verb,
    /// Menu that lists the action.
    pub menu: Menu,
    /// Submenu of the menu that contains the action, if any. Its entries are adjacent in [`TABLE`].
    pub submenu: Option<&'static str>,
    /// True if a separator is drawn above it.
    pub line_above: bool,
    /// Label in menus and in the palette, unique in the table.
    pub name: &'static str,
    /// Tooltip: a single sentence without a full stop, at most 160 characters.
    pub about: &'static str,
    /// Keyboard shortcuts; menus show the first.
    pub keys: &'static [KeyboardShortcut],
    /// Condition under which it is enabled.
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
/// Control is Control on macOS too, where Command and Tab belong to the system.
const COMMAND_SHIFT: Modifiers = Modifiers { shift: true, ..Modifiers::COMMAND };
const CTRL_SHIFT: Modifiers = Modifiers::CTRL.plus(Modifiers::SHIFT);

const fn first(names: &[&'static str]) -> Option<&'static str> {
    match names {
        [name, ..] => Some(name),
        [] => None,
    }
}

macro_rules! actions {
    ($($verb:ident $menu:ident $(/ $submenu:literal)? $line:literal $needs:ident $name:literal $about:literal [$($keys:expr),*];)*) => {
        /// Action without parameters; it applies to the current dump, view or selection.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        #[expect(missing_docs, reason = "described by the list below")]
        pub enum Verb {
            Show(View),
            $($verb),*
        }

        /// All actions but those that show a view, in menu order.
        const ACTIONS: &[Entry] = &[$(Entry {
            verb: Verb::$verb,
            menu: Menu::$menu,
            submenu: first(&[$($submenu)?]),
            line_above: $line,
            name: $name,
            about: $about,
            keys: &[$($keys),*],
            needs: Needs::$needs,
        }),*];
    };
}

macro_rules! view_actions {
    ($($view:ident $info:tt needs $needs:ident, keys [$($keys:expr),*], page $page:tt;)*) => {
        /// The actions that show a view, in the order of the views.
        const VIEW_ACTIONS: &[Entry] = &[$(Entry {
            verb: Verb::Show(View::$view),
            menu: Menu::Go,
            submenu: View::$view.info().group.title(),
            line_above: false,
            name: View::$view.name(),
            about: View::$view.info().about,
            keys: &[$($keys),*],
            needs: Needs::$needs,
        }),*];
    };
}

actions! {
    Open File false Nothing "Open…" "Open a heap dump in a new tab" [ctrl(Key::O)];
    OpenFolder File false Nothing "Open folder…" "List the dumps of a folder, to open or compare them; a folder of digests opens as a fleet" [];
    TakeDump File false Nothing "Take dump of process…" "List the processes of this machine, watch one, and take its heap dump" [];
    OpenLast File false Offered "Reopen last session" "Reopen the dumps of the previous session at their last position" [];
    UseMapping File/"Add to this dump" true Ready "Apply mapping…" "Apply a ProGuard or R8 mapping, or the source map of a JavaScript bundle; dropping the file on the window does the same" [];
    ForgetMapping File/"Add to this dump" false Mapped "Remove mapping" "Show names as recorded in the dump again" [];
    ReadRecord File/"Add to this dump" false Ready "Add facts about the process…" "Read the memory of the process from smaps, native memory tracking, pmap, hs_err, a report of Node or kubectl; dropping the file on the window does the same" [];
    ReadReport File/"Add to this dump" false Ready "Import KOOM report…" "Star the objects that a KOOM report names; dropping its .json file on the window does the same" [];
    Compare File true Comparable "Compare or swap dumps" "Compare with the dump shown before this one; in a comparison, swap before and after" [plain(Key::B)];
    CompareWith File false OtherDump "Compare with…" "Select the open dump to compare this one with" [];
    ExportTable File/"Export" true Ready "Export table…" "Write all rows of the table to a CSV or JSON file, with the current filter and order" [ctrl(Key::S)];
    ExportReport File/"Export" false Ready "Export report…" "Write the report to an HTML or Markdown file" [];
    StopExport File/"Export" false Exporting "Cancel export" "Stop writing and delete the incomplete file" [];
    ShareWithAssistant File false Nothing "Share with assistant" "Let assistants of this user ask about the open dumps, without their values, through heaplens mcp --window" [];
    MemoryAll File/"Memory and stored analyses" true Nothing "Memory limit: none" "Open dumps as fast as possible (default)" [];
    MemoryFourGigabytes File/"Memory and stored analyses" false Nothing "Memory limit: 4 GB" "Move data beyond 4 GB to files: opening the next dump takes longer, views stay as fast" [];
    MemoryOneGigabyte File/"Memory and stored analyses" false Nothing "Memory limit: 1 GB" "Move data beyond 1 GB to files: opening the next dump takes longer, views stay as fast" [];
    ForgetStored File/"Memory and stored analyses" false Nothing "Delete stored analyses" "Delete all cached analyses; each dump is analyzed again when it is next opened" [];
    StopOpening File true Opening "Cancel opening or comparing" "Cancel opening or comparing this dump; results so far stay visible" [plain(Key::Escape)];
    CloseTab File false Tab "Close dump" "Close this dump and free its memory" [ctrl(Key::W)];
    CloseAll File false Tabs "Close all" "Close all dumps and pages, and free their memory" [];
    ReopenTab File false ClosedTab "Reopen closed tab" "Open the tab that was closed last again, at its place" [KeyboardShortcut::new(COMMAND_SHIFT, Key::T)];
    Quit File true Nothing "Quit" "Close the window" [ctrl(Key::Q)];
    Undo Edit false ToUndo "Undo" "Undo the last change that is kept: a removal, a verdict, a star, a note or a closed tab" [ctrl(Key::Z)];
    Redo Edit false ToRedo "Redo" "Repeat the change that was undone last" [KeyboardShortcut::new(COMMAND_SHIFT, Key::Z), ctrl(Key::Y)];
    CopyRows Edit true Ready "Copy rows" "Copy the selected rows in the format used last" [ctrl(Key::C)];
    CopyPath Edit false Object "Copy path" "Copy the path from the GC root to the object in the format used last" [plain(Key::Y)];
    CopyObject Edit/"Copy object" false Object "Copy object" "Copy the object with its fields in the format used last" [];
    CopyInspector Edit/"Copy object" false Object "Copy inspector rows" "Copy the rows of the inspector in the format used last" [];
    CopyId Edit/"Copy object" false Object "Copy object id" "Copy the id of the object" [];
    CopyName Edit/"Copy object" false Class "Copy name" "Copy the name of the class, or the address-free name of the object" [];
    CopyLink Edit false Ready "Copy link" "Copy a heaplens:// link that opens this view with its selected object or class and its removals, also in the next dump" [shift(Key::C)];
    CopyCommand Edit false Ready "Copy command line" "Copy the heaplens command that prints the selected rows" [plain(Key::C)];
    CopyAs Edit/"Copy as" false Ready "Copy as…" "Select the format to copy in, with a preview" [shift(Key::Y)];
    CopyText Edit/"Copy as" false Ready "Copy as plain text" "Copy as aligned columns; trees keep their lines" [];
    CopyMarkdown Edit/"Copy as" false Ready "Copy as Markdown" "Copy as Markdown for issues and pull requests" [];
    CopyTrace Edit/"Copy as" false Object "Copy path as leak trace" "Copy the path, or the selected leak, in LeakCanary's format" [];
    CopyReport Edit/"Copy as" false Android "Copy LeakCanary report" "Copy all leaks and the metadata of the dump in LeakCanary's format" [];
    CopyCells Edit/"Copy as" false Ready "Copy as spreadsheet cells" "Copy as tab-separated columns" [];
    CopyJson Edit/"Copy as" false Ready "Copy as JSON" "Copy the JSON objects that the command line prints" [];
    Redact Edit false Ready "Redact values" "Hide strings, numbers, keys and thread names here and in copies and exports; class and field names remain" [];
    Filter Edit true Ready "Filter rows" "Move the keyboard focus to the filter of the table" [plain(Key::Slash), ctrl(Key::F)];
    Find Edit false Ready "Find in table…" "Jump to rows that contain the typed text; Enter goes to the next one" [plain(Key::Quote), ctrl(Key::G)];
    Palette Edit false Nothing "Command palette…" "Find commands, views, classes, objects by id, strings by content, threads and dumps" [ctrl(Key::K), ctrl(Key::P)];
    Star Edit true Object "Star or unstar object" "Add a star to the object, or remove it" [plain(Key::M)];
    Note Edit false Object "Edit note…" "Write a note about the object" [plain(Key::N)];
    CutReference Edit/"What if" true Removable "Remove reference (what if)" "Show the heap without the selected reference, the one holding the object, or all objects of the class; the dump is not changed; repeat to put it back" [plain(Key::X)];
    CutField Edit/"What if" false Object "Remove field in all instances (what if)" "Show what is freed if no instance of the referring class held anything through this field" [shift(Key::X)];
    CutSmallest Edit/"What if" false Object "Remove smallest set that frees the object (what if)" "Find the fewest references without which the object would be freed, and remove them" [alt(Key::X)];
    CutNamed Edit/"What if" false Ready "Remove by name… (what if)" "Type what to remove: a reference, entries of a collection, all references from a package, or a query" [];
    BeforeAfter Edit/"What if" true Cut "Heap after removals" "Switch all views between the dump and the heap without the removed references" [plain(Key::W)];
    ListCuts Edit/"What if" false CutList "List removals" "Switch removals off, write notes, and see what still retains memory" [shift(Key::W)];
    CopyCuts Edit/"What if" false CutList "Copy removals for ticket" "Copy what is removed, with your notes, what that frees, and the command line" [];
    SaveFix Edit/"What if" true CutList "Save fix…" "Write the removals to a file by the names of their references, for other dumps and for --fix" [];
    ApplyFix Edit/"What if" false Ready "Apply fix…" "Select the named removals of another dump, or a file, and remove the same references here" [];
    ApplyFixFile Edit/"What if" false Ready "Apply fix from file…" "Remove the references that a file names; dropping the file on the window does the same" [];
    Verdict Edit/"Verdicts" false VerdictTarget "Set verdict…" "Mark a finding, object, class or field as expected or leaking, with a reason; also applied to later dumps" [plain(Key::V)];
    Verdicts Edit/"Verdicts" false Nothing "Verdicts…" "Review, change or delete your verdicts" [shift(Key::V)];
    Back Go false Past "Go back" "Go to the previous location" [alt(Key::ArrowLeft)];
    Forward Go false Future "Go forward" "Go to the next location" [alt(Key::ArrowRight)];
    NextTab Go false Tabs "Go to next tab" "Show the next open dump" [KeyboardShortcut::new(Modifiers::CTRL, Key::Tab), ctrl(Key::PageDown)];
    PreviousTab Go false Tabs "Go to previous tab" "Show the previous open dump" [KeyboardShortcut::new(CTRL_SHIFT, Key::Tab), ctrl(Key::PageUp)];
    RouteFrom Go/"Paths between objects" true Object "Start path here" "Use the selected object as the start of a path between objects" [];
    RouteTo Go/"Paths between objects" false Object "End path here" "Use the selected object as the end of a path between objects" [];
    RouteBetween Go/"Paths between objects" false TwoObjects "Path between selected objects" "Find the shortest path from the first to the second of two selected objects" [shift(Key::R)];
    ShowInTree Go/"Selected object" false Object "Show in dominator tree" "Expand the dominator tree down to the object" [plain(Key::D)];
    AccumulationPoint Go/"Selected object" false Object "Go to accumulation point" "Follow the largest child down the dominator tree until no single child retains most of the memory" [plain(Key::A)];
    AllObjects Go/"Selected object" false Ready "List all objects" "List the objects of all classes, largest retained size first" [];
    ObjectsOfClass Go/"Selected object" false Class "List objects of this class" "List all objects of the class" [plain(Key::L)];
    Incoming Go/"Selected object" true Object "Show incoming references" "List the objects that refer to this one in the inspector" [plain(Key::I)];
    Outgoing Go/"Selected object" false Object "Show outgoing references" "List the objects that this one refers to in the inspector" [plain(Key::O)];
    MorePaths Go/"Selected object" false Object "Show next path to GC root" "Show an alternative path to a GC root, through another referrer" [plain(Key::P)];
    PreviousOfClass Go/"Selected object" true Object "Go to previous object of class" "Go to the previous object of the same class, by address" [plain(Key::OpenBracket)];
    NextOfClass Go/"Selected object" false Object "Go to next object of class" "Go to the next object of the same class, by address" [plain(Key::CloseBracket)];
    PathsStrong Go/"Selected class or objects" false Class "Merged paths without weak references" "Merge the shortest paths from GC roots to the selected objects, along strong references only" [];
    PathsAll Go/"Selected class or objects" false Class "Merged paths with all references" "Merge the shortest paths from GC roots to the selected objects, along references of any strength" [];
    RetainedClasses Go/"Selected class or objects" true Class "Retained set by class" "List the classes of all objects that would be freed with the selected ones" [];
    ImmediateDominators Go/"Selected class or objects" false Class "Immediate dominators" "List the classes of the nearest objects that dominate the selected ones" [];
    ReferrersByClass Go/"Selected class or objects" false Class "Referrers by class" "List the classes of all objects that refer to the selected ones" [];
    ReferencesByClass Go/"Selected class or objects" false Class "Referenced objects by class" "List the classes of all objects that the selected ones refer to" [];
    OpenInNewTab Go false Ready "Open in new tab" "Open the current view in a new tab; this tab stays as it is" [ctrl(Key::T)];
    RunQuery View false QueryView "Run query" "Run the text of the editor" [ctrl(Key::Enter), plain(Key::F5)];
    Picture View false Ready "Switch between table and chart" "Show the rows as a table, treemap, icicle or sunburst" [plain(Key::T)];
    ShowAsQuery View false Ready "Show as query" "Show the rows of the table as a query in SQL, to change it" [shift(Key::Q)];
    ExactSizes View false Nothing "Exact sizes" "Show 2,412,345 instead of 2.4 MB" [plain(Key::Period)];
    RetainedSet View false Ready "Combined retained size" "Compute how much would be freed if all selected objects were collected" [plain(Key::R)];
    GrewEveryTime View false OverTime "Grew in every interval" "Show only owners whose retained size grew from each open dump of the program to the next" [plain(Key::E)];
    KeepUnreachable View/"Analysis options" true Ready "Keep unreachable objects" "Reopen the dump with unreachable objects, and show the largest of them in the dominator tree" [];
    IgnoreVmRoots View/"Analysis options" false Heaps "Ignore zygote and boot-image roots" "Reopen ignoring zygote and boot-image roots, so retained sizes reflect the app heap" [];
    OwnerRules View/"Analysis options" false Android "Keep only owning references" "Reopen with only owning references to views, activities and Compose nodes, so a screen is a tree as it was built" [];
    RuntimeClasses View/"Analysis options" true Nothing "Edit runtime classes…" "Edit the list of runtime classes, which never count as owners" [];
    ReloadRuntimeClasses View/"Analysis options" false Nothing "Reload runtime classes" "Read the list of runtime classes again and recompute owners and labels" [];
    ViewList View/"List of views" true Ready "Show view names" "List the views by name and key, or fold the list to icons" [ctrl(Key::B)];
    MoreViews View/"List of views" false Ready "More views" "List all views of this dump, or only those that it is usually opened for" [];
    PathPane View false Ready "Show path to GC root" "Show, focus or hide the pane with the path to GC root" [plain(Key::F2)];
    MainPane View false Ready "Go to table" "Move the keyboard focus to the table" [plain(Key::F3)];
    InspectorPane View false Ready "Show inspector" "Show, focus or hide the inspector" [plain(Key::F4)];
    PathLeft View/"Pane positions" false Ready "Move path pane to the left" "Show the path to GC root left of the table" [];
    PathRight View/"Pane positions" false Ready "Move path pane to the right" "Show the path to GC root right of the table" [];
    PathBelow View/"Pane positions" false Ready "Move path pane to the bottom" "Show the path to GC root below the table" [];
    InspectorLeft View/"Pane positions" true Ready "Move inspector to the left" "Show the inspector left of the table" [];
    InspectorRight View/"Pane positions" false Ready "Move inspector to the right" "Show the inspector right of the table" [];
    InspectorBelow View/"Pane positions" false Ready "Move inspector to the bottom" "Show the inspector below the table" [];
    ZoomIn View/"Zoom" true Nothing "Zoom in" "Enlarge text and controls" [ctrl(Key::Plus), ctrl(Key::Equals)];
    ZoomOut View/"Zoom" false Nothing "Zoom out" "Shrink text and controls" [ctrl(Key::Minus)];
    ZoomReset View/"Zoom" false Nothing "Reset zoom" "Show text and controls at their normal size" [ctrl(Key::Num0)];
    ThemeDark View/"Theme" false Nothing "Use dark theme" "Light text on a dark background" [];
    ThemeLight View/"Theme" false Nothing "Use light theme" "Dark text on a light background" [];
    ThemeSystem View/"Theme" false Nothing "Use system theme" "Dark or light, following the desktop" [];
    DismissWarnings View true Warnings "Dismiss all messages" "Remove the warnings above the status bar" [];
    Help Help false Nothing "Keyboard shortcuts and commands" "Show the keys of this view, and list all commands with their keyboard shortcuts" [plain(Key::Questionmark)];
    Glossary Help false Nothing "Glossary" "Definitions of retained size, dominator, GC root and all other terms" [];
    Tour Help false Nothing "Tour" "Six steps through the main views, on a dump that comes with heaplens: two minutes" [];
    Manual Help false Nothing "Manual" "The page of the manual about this view, and all others" [plain(Key::F1)];
}

for_each_view!(view_actions);

/// All actions, in menu order.
pub static TABLE: LazyLock<Vec<Entry>> = LazyLock::new(|| {
    let mut views = VIEW_ACTIONS.to_vec();
    views.iter_mut().take(1).for_each(|first| first.line_above = true);
    let mut table = ACTIONS.to_vec();
    // Between the actions that go back and forward and those about the selected object.
    let at = table.iter().position(|entry| entry.verb == Verb::RouteFrom).unwrap_or(table.len());
    table.splice(at..at, views);
    table
});

impl Verb {
    /// Row of the table for this action.
    pub fn entry(self) -> Entry {
        // Every action has a row, so the fallback is never used.
        TABLE.iter().copied().find(|e| e.verb == self).unwrap_or(TABLE[0])
    }
}

impl Entry {
    /// Label of the first shortcut, which menus show; `None` without any.
    pub fn key_label(&self, ctx: &egui::Context) -> Option<String> {
        self.keys.first().map(|keys| written(ctx, keys))
    }
}

/// First shortcut of an action in parentheses, after a space: ` (X)`; empty if it has none.
pub fn keys_text(ctx: &egui::Context, verb: Verb) -> String {
    verb.entry().key_label(ctx).map(|keys| format!(" ({keys})")).unwrap_or_default()
}

/// Consumes the shortcuts pressed in this frame and returns their actions in the order of the key presses. Where
/// several shortcuts match a key, the one with the most modifiers wins.
pub fn take_keys(ctx: &egui::Context, usable: &dyn Fn(Verb) -> bool) -> Vec<Verb> {
    let typing = ctx.egui_wants_keyboard_input();
    let mut keys: Vec<(&KeyboardShortcut, Verb)> =
        TABLE.iter().flat_map(|e| e.keys.iter().map(move |k| (k, e.verb))).collect();
    let weight = |m: Modifiers| u8::from(m.alt) + u8::from(m.shift) + u8::from(m.command || m.ctrl);
    keys.sort_by_key(|(k, _)| std::cmp::Reverse(weight(k.modifiers)));
    let pressed = ctx.input(|i| i.events.clone());
    let moves_in_text = ctx.os().is_mac();
    let mut taken = Vec::new();
    for (shortcut, verb) in keys {
        let is_letter = weight(shortcut.modifiers) == 0 || shortcut.modifiers == Modifiers::SHIFT;
        // Text fields have their own undo. On macOS Option and an arrow move by a word in them.
        let is_for_text = is_letter && !is_function_key(shortcut.logical_key)
            || matches!(verb, Verb::Undo | Verb::Redo)
            || shortcut.modifiers.alt && moves_in_text;
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

/// True if a key leads to the field of the filter or of the search in the table.
pub fn leads_to_field(key: Key, modifiers: Modifiers) -> bool {
    let leads = |keys: &KeyboardShortcut| keys.logical_key == key && modifiers.matches_logically(keys.modifiers);
    [Verb::Filter, Verb::Find].into_iter().any(|verb| verb.entry().keys.iter().any(leads))
}

/// An action on an object or a class whose letter was pressed while none is selected: nothing happens, which needs a word.
pub fn pressed_without_target(ctx: &egui::Context, usable: &dyn Fn(Verb) -> bool) -> Option<Verb> {
    if ctx.egui_wants_keyboard_input() {
        return None;
    }
    // A key is read with its own modifiers: those of the frame may be released by now.
    let letters: Vec<Key> = ctx.input(|i| {
        let plain = i.events.iter().filter_map(|event| match event {
            egui::Event::Key { key, pressed: true, modifiers, .. } if modifiers.is_none() => Some(*key),
            _ => None,
        });
        plain.collect()
    });
    let needs_target = |entry: &&Entry| matches!(entry.needs, Needs::Object | Needs::Class | Needs::Removable);
    let is_pressed =
        |entry: &Entry| entry.keys.iter().any(|keys| keys.modifiers.is_none() && letters.contains(&keys.logical_key));
    TABLE.iter().filter(needs_target).find(|entry| is_pressed(entry) && !usable(entry.verb)).map(|entry| entry.verb)
}

fn is_function_key(key: Key) -> bool {
    matches!(key, Key::F1 | Key::F2 | Key::F3 | Key::F4 | Key::F5)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn actions_names_and_shortcuts_are_unique() {
        let mut seen: Vec<KeyboardShortcut> = Vec::new();
        for (i, entry) in TABLE.iter().enumerate() {
            assert!(!TABLE[..i].iter().any(|e| e.verb == entry.verb || e.name == entry.name), "{}", entry.name);
            assert!(!entry.about.ends_with('.') && !entry.name.ends_with('.'));
            assert!(entry.about.chars().count() <= 160 && entry.name.chars().count() <= 80, "{}", entry.name);
            for &keys in entry.keys {
                assert!(!seen.contains(&keys), "{}", entry.name);
                seen.push(keys);
            }
        }
        assert_eq!(TABLE.len(), ACTIONS.len() + View::ALL.len());
        assert!(TABLE.iter().all(|e| e.verb.entry().name == e.name));
    }

    /// Items of a menu: entries outside submenus, and submenus. A submenu whose entries are not adjacent counts twice,
    /// since it would be drawn twice.
    fn items(menu: Menu) -> Vec<Option<&'static str>> {
        let mut items: Vec<Option<&str>> = TABLE.iter().filter(|e| e.menu == menu).map(|e| e.submenu).collect();
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
            assert_eq!(submenus.len(), count, "{}: entries of a submenu are not adjacent", menu.name());
        }
    }
}
