//! Section with the keys that work in the current view, then those that work everywhere, as keys of a keyboard.

use eframe::egui;
use egui::{Context, RichText, ScrollArea, Sense, Ui, pos2, vec2};

use super::search::{matches, nothing_ui};
use crate::ui::key_names::{in_text, written};
use crate::ui::theme::{fonts, tokens};
use crate::ui::verb::{Entry, Menu, Needs, TABLE};
use crate::ui::widgets::controls;
use crate::ui::widgets::table::elided;
use crate::ui::{Verb, View};

/// Height of a row, width from which on there are two columns, and the space between them, in points.
const ROW: f32 = 25.0;
const TWO_COLUMNS: f32 = 620.0;
const GAP: f32 = 28.0;
/// Height of the link to all commands, in points.
const LINK: f32 = 34.0;

/// What the sheet depends on.
#[derive(Default)]
pub(super) struct KeySheet {
    /// Current view; `None` without an open dump.
    pub(super) view: Option<View>,
    /// Views that the dump has.
    pub(super) views: Vec<View>,
}

/// Keys with what they do.
struct KeyRow {
    keys: Vec<String>,
    name: &'static str,
    about: &'static str,
}

/// Rows with a heading.
struct KeyGroup {
    title: &'static str,
    rows: Vec<KeyRow>,
}

/// Keys of a table.
const ROWS: [(&[&str], &str); 7] = [
    (&["↑", "↓"], "Move by one row, with Shift select"),
    (&["Page up", "Page down"], "Move by one screen"),
    (&["Home", "End"], "Go to the first or last row"),
    (&["Enter"], "Open the row"),
    (&["Ctrl+A"], "Select all rows"),
    (&["S"], "Sort by the next column"),
    (&["Shift+S"], "Reverse the order"),
];
/// Keys of rows that expand.
const TREE: [(&[&str], &str); 1] = [(&["→", "←"], "Expand or collapse, go to child or parent")];
/// Keys of a chart.
const CHART: [(&[&str], &str); 4] = [
    (&["↑", "↓", "←", "→"], "Select a cell above, below or beside"),
    (&["Enter"], "Zoom into the cell"),
    (&["Backspace"], "Zoom out by one level"),
    (&["Home"], "Zoom out to the top"),
];
/// Actions on rows.
const ON_ROWS: [Verb; 7] =
    [Verb::Filter, Verb::Find, Verb::Picture, Verb::CopyRows, Verb::ExportTable, Verb::CopyCommand, Verb::ShowAsQuery];

/// Keys of a view alone, and its actions.
fn of_view(view: View) -> (&'static [(&'static [&'static str], &'static str)], &'static [Verb]) {
    match view {
        View::Overview => (
            &[
                (&["↑", "↓"], "Go to the previous or next line"),
                (&["Home", "End"], "Go to the first or last line"),
                (&["Enter"], "Open the line"),
            ],
            &[],
        ),
        View::Dominators => (
            &[(&["*"], "Expand all below the row"), (&["-"], "Collapse all below the row")],
            &[Verb::AccumulationPoint],
        ),
        View::Query => (
            &[
                (&["Tab"], "Accept the suggested name"),
                (&["↑", "↓"], "Choose among the suggested names"),
                (&["Esc"], "Close the suggestions"),
            ],
            &[Verb::RunQuery],
        ),
        View::Timeline => (
            &[
                (&["←", "→"], "Move the selected range"),
                (&["Shift+←", "Shift+→"], "Resize the selected range"),
                (&["Esc"], "Select everything"),
            ],
            &[],
        ),
        View::Growth => (&[], &[Verb::Compare, Verb::GrewEveryTime]),
        View::Bitmaps => (&[(&["↑", "↓", "←", "→"], "Go to the bitmap above, below or beside")], &[]),
        _ => (&[], &[]),
    }
}

fn has_rows(view: View) -> bool {
    !matches!(view, View::Overview | View::Process | View::ParseWarnings | View::Bitmaps)
}

fn has_tree(view: View) -> bool {
    has_rows(view) && !matches!(view, View::Query | View::Objects | View::Stars | View::Route)
}

fn has_chart(view: View) -> bool {
    matches!(view, View::Dominators | View::Histogram | View::Growth)
}

fn is_about_selection(entry: &Entry) -> bool {
    matches!(entry.needs, Needs::Object | Needs::Class | Needs::Removable | Needs::VerdictTarget | Needs::TwoObjects)
}

/// All groups: the keys of the view first.
fn groups(ctx: &Context, sheet: &KeySheet) -> Vec<KeyGroup> {
    let own = |&(keys, name): &(&[&str], &'static str)| KeyRow {
        keys: keys.iter().map(|key| in_text(ctx, key).into_owned()).collect(),
        name,
        about: "",
    };
    let of_entry = |entry: &Entry| KeyRow {
        keys: entry.keys.iter().take(2).map(|keys| written(ctx, keys)).collect(),
        name: entry.name,
        about: entry.about,
    };
    let of_verb = |&verb: &Verb| of_entry(&verb.entry());
    let mut groups = Vec::new();
    let mut shown: Vec<Verb> = vec![Verb::RunQuery, Verb::GrewEveryTime];
    if let Some(view) = sheet.view {
        let (keys, verbs) = of_view(view);
        let rows: Vec<KeyRow> = verbs.iter().map(of_verb).chain(keys.iter().map(own)).collect();
        // A view without keys of its own begins with those of its rows.
        let title_of_rows = if rows.is_empty() { view.name() } else { "Rows" };
        groups.push(KeyGroup { title: view.name(), rows });
        shown.extend(verbs);
        if has_rows(view) {
            let tree = TREE.iter().filter(|_| has_tree(view)).map(own);
            let actions = ON_ROWS.iter().filter(|&&verb| verb != Verb::Picture || has_chart(view));
            let rows = ROWS.iter().map(own).chain(tree).chain(actions.map(of_verb)).collect();
            groups.push(KeyGroup { title: title_of_rows, rows });
            shown.extend(ON_ROWS);
        }
        if has_chart(view) {
            groups.push(KeyGroup { title: "Chart", rows: CHART.iter().map(own).collect() });
        }
    }
    let rest: Vec<&Entry> = TABLE.iter().filter(|e| !e.keys.is_empty() && !shown.contains(&e.verb)).collect();
    let mut add = |title, test: &dyn Fn(&Entry) -> bool| {
        groups.push(KeyGroup {
            title,
            rows: rest.iter().filter(|entry| test(entry)).map(|entry| of_entry(entry)).collect(),
        });
    };
    let is_view = |entry: &Entry| matches!(entry.verb, Verb::Show(_));
    add("Selected object", &is_about_selection);
    add("Views", &|entry| matches!(entry.verb, Verb::Show(view) if sheet.views.contains(&view)));
    for menu in Menu::ALL {
        add(menu.name(), &|entry| entry.menu == menu && !is_view(entry) && !is_about_selection(entry));
    }
    groups
}

/// The groups with only the rows that match.
fn matching(ctx: &Context, sheet: &KeySheet, search: &str) -> Vec<KeyGroup> {
    let mut groups = groups(ctx, sheet);
    for group in &mut groups {
        let title = group.title;
        group.rows.retain(|row| matches(search, &format!("{} {} {} {title}", row.keys.join(" "), row.name, row.about)));
    }
    groups.retain(|group| !group.rows.is_empty());
    groups
}

/// Number of keys that match.
pub(super) fn count(ctx: &Context, sheet: &KeySheet, search: &str) -> usize {
    matching(ctx, sheet, search).iter().map(|group| group.rows.len()).sum()
}

/// Draws the keys that match; true if the list of all commands is asked for.
pub(super) fn ui(ui: &mut Ui, sheet: &KeySheet, search: &str) -> bool {
    let groups = matching(ui.ctx(), sheet, search);
    if groups.is_empty() {
        nothing_ui(ui, search);
        return false;
    }
    let height = (ui.available_height() - LINK).max(0.0);
    ScrollArea::vertical().auto_shrink([false, false]).max_height(height).show(ui, |ui| {
        ui.spacing_mut().item_spacing = vec2(GAP, 0.0);
        let columns = if ui.available_width() >= TWO_COLUMNS { 2 } else { 1 };
        let height = |group: &KeyGroup| group.rows.len() + 2;
        let half = groups.iter().map(height).sum::<usize>().div_ceil(columns);
        ui.columns(columns, |columns| {
            let (mut at, mut filled) = (0, 0);
            for group in &groups {
                // A group is in the column that it fits best.
                if filled > 0 && filled + height(group) / 2 > half && at + 1 < columns.len() {
                    (at, filled) = (at + 1, 0);
                }
                filled += height(group);
                group_ui(&mut columns[at], group);
            }
        });
    });
    ui.add_space(6.0);
    ui.link("All commands, also those without a key").clicked()
}

fn group_ui(ui: &mut Ui, group: &KeyGroup) {
    ui.add_space(8.0);
    controls::caption(ui, group.title);
    for row in &group.rows {
        row_ui(ui, row);
    }
    ui.add_space(4.0);
}

fn row_ui(ui: &mut Ui, row: &KeyRow) {
    let t = tokens(ui);
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), ROW), Sense::HOVER);
    let spoken = format!("{} {}", row.keys.join(" "), row.name);
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Label, true, &spoken));
    let mut left = rect;
    for key in row.keys.iter().rev() {
        // A cap stands before the end of its area.
        left.max.x = controls::key_cap(ui, left, key) + 2.0;
    }
    let width = (left.right() - rect.left() - 12.0).max(0.0);
    let name = elided(ui, row.name.to_owned(), fonts::text(), t.text, width);
    ui.painter().galley(pos2(rect.left(), rect.center().y - name.size().y / 2.0), name, t.text);
    if !row.about.is_empty() {
        response.on_hover_text(RichText::new(row.about));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sheet(view: View) -> KeySheet {
        KeySheet { view: Some(view), views: View::ALL.to_vec() }
    }

    #[test]
    fn the_keys_of_the_view_come_first_and_every_row_has_a_key() {
        let ctx = Context::default();
        for view in View::ALL {
            let groups = matching(&ctx, &sheet(view), "");
            let rows = || groups.iter().flat_map(|group| &group.rows);
            assert!(rows().all(|row| !row.keys.is_empty()), "{view:?}");
            let names: Vec<&str> = rows().map(|row| row.name).collect();
            let has = |name: &str| names.contains(&name);
            assert!(has("Command palette…") && has("Copy path"), "{view:?}");
            assert_eq!(has("Run query"), view == View::Query);
            assert_eq!(has("Expand all below the row"), view == View::Dominators);
            // An action is listed once.
            for (at, name) in names.iter().enumerate() {
                assert!(
                    name.contains("Move") || name.contains("or") || !names[..at].contains(name),
                    "{view:?}: {name}"
                );
            }
        }
        let groups = matching(&ctx, &sheet(View::Dominators), "");
        let titles: Vec<&str> = groups.iter().map(|group| group.title).take(4).collect();
        assert_eq!(titles, ["Dominator tree", "Rows", "Chart", "Selected object"]);
        let groups = matching(&ctx, &sheet(View::Histogram), "");
        assert_eq!(groups.first().map(|group| group.title), Some("Histogram"));
    }

    #[test]
    fn keys_are_searched_by_key_and_by_name() {
        let ctx = Context::default();
        let sheet = sheet(View::Histogram);
        assert!(count(&ctx, &sheet, "copy path") >= 1);
        assert!(count(&ctx, &sheet, "Ctrl+K") >= 1);
        assert_eq!(count(&ctx, &sheet, "zoom into quark"), 0);
    }
}
