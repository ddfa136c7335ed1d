//! Drawing of one row: disclosure button, name of the object or group, and the mark of an accumulation point.

use std::borrow::Cow;
use std::sync::Arc;

use eframe::egui::{self, Galley, Rect, Role, Ui, pos2};
use egui::text::{LayoutJob, TextFormat, TextWrapping};

use crate::ui::ViewContext;
use crate::ui::theme::{Icon, Tokens, fonts, icons};
use crate::ui::views::object_columns::{self, exact};
use crate::ui::widgets::fitting::Beside;
use crate::ui::widgets::{ObjectName, Row, line_ui, tree_row};
use heaplens_analysis::dominator_tree::shared::SharedSet;
use heaplens_analysis::dominator_tree::{Fold, FoldKind, GroupId, LevelForm, PartitionBy};
use heaplens_base::{Bytes, Count, Share};
use heaplens_heap::split_class;
use heaplens_tables::dump::group_name::GroupName;
use heaplens_tables::reports::elide::UsualCut;
use heaplens_tables::trees::dominators::{Levels, RowContent};

/// Width of the mark of an accumulation point, in points.
const MARK: f32 = 20.0;
/// Least number of characters of a class beside what its row leads with.
const LEGIBLE: usize = 5;

pub(super) fn row_ui(row: &mut Row<'_>, levels: &Levels, context: &mut ViewContext<'_>) {
    let Some(spot) = levels.tree.locate(row.index) else { return };
    let Some(cell) = row.cell(0) else { return };
    let left = tree_row::indent(row, cell, spot.depth);
    let tokens = row.tokens;
    row.branch(spot.depth, None);
    let mut area = Rect::from_min_max(pos2(left + tree_row::DISCLOSURE, cell.top()), cell.max);
    let Some(shown) = levels.shown(context.dump, &spot) else {
        let text = levels.waiting_text(spot.parent);
        line_ui(row.ui, area, &*text, fonts::text(), tokens.faint);
        return row.name(text);
    };
    let drop = drop_text(context, &shown);
    if drop.is_some() {
        area.max.x -= MARK;
    }
    let name = match shown.fold {
        None => object_columns::draw(row, context, shown.object, area, true),
        Some(fold) => {
            // A chain, and siblings below one object, have one owner; at the top level each has its own.
            let is_chain = matches!(fold.kind, FoldKind::Chain { .. });
            if is_chain || spot.depth > 0 && matches!(fold.kind, FoldKind::Group(..)) {
                object_columns::owner_ui(row, context, shown.object);
            }
            fold_ui(row, levels, context, (&shown, fold), area)
        }
    };
    if let Some(text) = drop {
        let mark = Rect::from_min_max(pos2(cell.right() - MARK, cell.top()), cell.max);
        let pointed = row.hovered && row.ui.rect_contains_pointer(mark);
        icons::paint(row.ui.painter(), Icon::Drop, mark, 12.0, if pointed { tokens.text } else { tokens.warn });
        row.name(format!("{name}, accumulation point"));
        if pointed {
            row.hover(text);
        }
    }
    if shown.below.is_some() {
        row.branch(spot.depth, Some(spot.open.is_some()));
        let heap = &context.dump.heap;
        let label = match shown.fold {
            None => format!("{} {}", heap.class(shown.object).name, heap.id_text(shown.object)),
            Some(_) => name,
        };
        tree_row::disclosure_ui(row, "the dominator tree", (left, cell), spot.open.is_some(), &label);
    }
}

/// Reason for the mark of a row, with its figures.
fn drop_text(context: &mut ViewContext<'_>, shown: &RowContent<'_>) -> Option<String> {
    let biggest = shown.rows.drop_at(shown.object)?;
    let dump = context.dump;
    let retained = dump.analysis.retained(shown.object);
    let child = biggest.child.map(|child| ObjectName::with(context.labels, &dump.heap, child, |name| name.plain()));
    let children = match biggest.children {
        1 => "one object".to_owned(),
        children => Count(children).of("object", "objects"),
    };
    let share = biggest.share(retained);
    Some(match child {
        Some(child) => format!(
            "Accumulation point: {retained} in {children} directly below\nThe largest, {child}, retains only {} ({share})",
            biggest.retained
        ),
        None => format!("Accumulation point: {retained} in {children} directly below"),
    })
}

/// What a row of several objects leads with: a chain with what leads to its head, siblings of a class with what owns them.
fn lead_of(context: &mut ViewContext<'_>, shown: &RowContent<'_>, kind: &FoldKind) -> [String; 2] {
    let dump = context.dump;
    let lead = match kind {
        FoldKind::Chain { chain, .. } => context.labels.lead(&dump.analysis, chain.head, true),
        FoldKind::Group(PartitionBy::Class, _) => {
            let group = shown.below.map(|part| GroupId { part, first: shown.object });
            group.and_then(|group| context.labels.group_lead(group, true)).map(Cow::Borrowed)
        }
        FoldKind::Group(..) | FoldKind::Members(_) | FoldKind::Shared(_) => None,
    };
    lead.map_or_else(Default::default, |lead| [lead.text(), lead.qualified_text()])
}

/// Fills the row of a group or chain; returns its name.
fn fold_ui(
    row: &mut Row<'_>,
    levels: &Levels,
    context: &mut ViewContext<'_>,
    (shown, fold): (&RowContent<'_>, &Fold),
    area: Rect,
) -> String {
    let words = words(levels, context, fold);
    let [lead, qualified] = lead_of(context, shown, &fold.kind);
    let total = context.dump.analysis.shown.shallow;
    let share = Share::of(fold.retained, total);
    let (galley, cut) = words.galley(row, &lead, area.width());
    let y = area.center().y - galley.size().y / 2.0;
    row.ui.painter().galley(pos2(area.left(), y), galley, row.tokens.text);
    row.number_with_bar("retained_bytes", fold.retained.to_string(), share);
    row.small_number("share", share.to_string());
    row.small_number("shallow_bytes", fold.shallow.to_string());
    row.small_number("dominated", Count(fold.dominated).to_string());
    if let Some(owners) = &words.owners {
        object_columns::owners_ui(row, owners);
    }
    object_columns::group_delta_ui(row, fold.retained, fold.then);
    object_columns::group_figures_ui(row, context, &fold.amounts);
    if cut || !words.about.is_empty() {
        row.hover_in(0, || format!("{qualified} {}\n{}", words.plain(), words.about).trim().to_owned());
    }
    let (objects, retained) = (Count(fold.objects), exact("Retained", fold.retained));
    for column in ["retained_bytes", "share"] {
        row.hover_in(column, || format!("{retained}: combined for {objects} objects, each byte counted once"));
    }
    row.hover_in("shallow_bytes", || format!("{}: total of {objects} objects", exact("Shallow", fold.shallow)));
    row.hover_in("dominated", || format!("{objects} objects dominate {} more objects", Count(fold.dominated)));
    row.name(format!("{lead} {}", words.spoken).trim_start());
    words.spoken
}

/// Texts of a row of several objects.
pub(super) struct Words {
    name: GroupName,
    /// Size of each object of a chain, if all have the same.
    each: Option<Bytes>,
    /// Owners of shared objects, for the column of the owner.
    owners: Option<String>,
    /// Of shared objects: the first owner, the number of the others, and the number of objects.
    shared: Option<(String, u64, u64)>,
    /// Tooltip.
    about: String,
    /// Name for screen readers.
    pub(super) spoken: String,
}

impl Words {
    /// Plain text: the name that chart and export have too.
    pub(super) fn plain(&self) -> String {
        self.name.plain()
    }

    /// Text after the name.
    fn after(&self) -> String {
        let each = self.each.map(|each| format!("· {each} each")).unwrap_or_default();
        format!("{} {each}", self.name.after).trim().to_owned()
    }

    /// The name after `lead` laid out in `width` points; the flag is true if something is left out: the package, then
    /// what is after the name, then a part of the name, and of the lead last.
    fn galley(&self, row: &Row<'_>, lead: &str, width: f32) -> (Arc<Galley>, bool) {
        if let Some(shared) = &self.shared {
            return self.shared_galley(row, width, shared);
        }
        let (package, name) =
            if self.name.is_class { split_class(&self.name.name) } else { ("", self.name.name.as_str()) };
        let after = self.after();
        let laid_out = |parts: [&str; 4]| row.ui.painter().layout_job(self.job(row.tokens, width, parts));
        for (package, after) in [(package, after.as_str()), ("", &after), ("", "")] {
            let galley = laid_out([lead, package, name, after]);
            if !galley.elided {
                return (galley, after.is_empty() != self.after().is_empty());
            }
        }
        let fits = |lead: &str, name: &str| !laid_out([lead, "", name, ""]).elided;
        let beside = Beside::with(row.ui, "groups", name);
        let short = beside.shorten(name, UsualCut::Middle, &|name| fits(lead, name));
        if lead.is_empty() || short.chars().count() > LEGIBLE && fits(lead, &short) {
            return (laid_out([lead, "", &short, ""]), true);
        }
        // A few characters of a class say less than the lead.
        let lead = Beside::with(row.ui, "leads", lead).shorten(lead, UsualCut::Middle, &|lead| fits(lead, ""));
        (laid_out([&lead, "", "", ""]), true)
    }

    /// The row of shared objects: their owners, of several the first if not all fit, and the number of objects.
    fn shared_galley(
        &self,
        row: &Row<'_>,
        width: f32,
        (first, others, objects): &(String, u64, u64),
    ) -> (Arc<Galley>, bool) {
        let t = row.tokens;
        let laid_out = |owners: &str, others: &str, objects: &str| {
            let mut job = LayoutJob::default();
            let text = |font, color| TextFormat { valign: egui::Align::Center, ..TextFormat::simple(font, color) };
            job.append(owners, 0.0, text(fonts::medium(), t.field));
            if !others.is_empty() {
                job.append(others, 5.0, text(fonts::text(), t.field));
            }
            job.append(objects, 8.0, text(fonts::text(), t.muted));
            job.wrap = TextWrapping::truncate_at_width(width);
            job.break_on_newline = false;
            row.ui.painter().layout_job(job)
        };
        let shared = format!("{} shared", Count(*objects));
        let total = laid_out(&self.name.name, "", &shared);
        if !total.elided {
            return (total, false);
        }
        let [more, others] = match others {
            0 => [String::new(), String::new()],
            others => [format!("and {} more", Count(*others)), format!("+{}", Count(*others))],
        };
        for (others, objects) in [(&more, &shared), (&others, &shared)] {
            let galley = laid_out(first, others, objects);
            if !galley.elided {
                return (galley, true);
            }
        }
        let beside = Beside::with(row.ui, "shared by", first);
        let short = beside.shorten(first, UsualCut::Middle, &|first| !laid_out(first, &others, &shared).elided);
        (laid_out(&short, &others, &shared), true)
    }

    /// The name in parts: what the row leads with, package, name, and text after it.
    fn job(&self, tokens: &Tokens, width: f32, [lead, package, name, after]: [&str; 4]) -> LayoutJob {
        let mut job = LayoutJob::default();
        let text = |font, color| TextFormat { valign: egui::Align::Center, ..TextFormat::simple(font, color) };
        let mut gap = 0.0;
        let GroupName { before, times, .. } = &self.name;
        if !lead.is_empty() {
            job.append(lead, 0.0, text(fonts::medium(), tokens.field));
            gap = 8.0;
        }
        if !before.is_empty() {
            job.append(before, std::mem::replace(&mut gap, 5.0), text(fonts::text(), tokens.muted));
        }
        if !package.is_empty() {
            job.append(package, std::mem::take(&mut gap), text(fonts::text(), tokens.muted));
        }
        if !name.is_empty() {
            job.append(name, gap, text(fonts::medium(), tokens.text));
        }
        if !times.is_empty() {
            job.append(times, 7.0, text(fonts::medium(), tokens.accent));
        }
        if !after.is_empty() {
            job.append(after, 7.0, text(fonts::text(), tokens.faint));
        }
        job.wrap = TextWrapping::truncate_at_width(width);
        job.break_on_newline = false;
        job
    }
}

/// Texts of a row of several objects.
pub(super) fn words(levels: &Levels, context: &mut ViewContext<'_>, fold: &Fold) -> Words {
    let heap = &context.dump.heap;
    let shared = levels.shared().map(|shared| &**shared);
    let label = |loader| context.labels.of(loader).map(str::to_owned);
    let name = GroupName::new(heap, (&fold.kind, fold.objects), shared, label);
    let count = Count(fold.objects);
    let objects = count.of("object", "objects");
    let of = &name.name;
    let (mut each, mut owners, mut shared_by) = (None, None, None);
    let (spoken, about) = match &fold.kind {
        FoldKind::Chain { .. } => {
            each = each_of(fold);
            let spoken = format!("Chain {of} {count} objects {}", name.after).trim_end().to_owned();
            let about = format!(
                "Chain: each of the {count} objects dominates the next\nExpand to see its objects and their side branches"
            );
            (spoken, about)
        }
        FoldKind::Members(_) => {
            let about = "Shallow size of the chain's own objects; side branches are listed in the other rows";
            (format!("Objects of the chain {of} {count} objects"), about.to_owned())
        }
        FoldKind::Group(..) => {
            let about = format!("{objects} with the same immediate dominator, largest first");
            (format!("Group {of} {objects}"), about)
        }
        FoldKind::Shared(set) => {
            let set = shared.and_then(|shared| shared.sets.get(*set as usize));
            owners = set.and_then(|set| set.owners.as_ref()).map(|_| of.clone());
            let (first, others) = set.map(SharedSet::first_owner).unwrap_or_default();
            shared_by = Some((first, others, fold.objects));
            let about = format!(
                "{objects} reachable from each of these owners: {} are freed only if all owners are collected",
                fold.retained
            );
            (format!("Shared by {of}, {objects}"), about)
        }
    };
    Words { name, each, owners, shared: shared_by, about, spoken }
}

/// Size of each object, if all have the same size.
fn each_of(fold: &Fold) -> Option<Bytes> {
    let each = fold.shallow.0.checked_div(fold.objects)?;
    (each * fold.objects == fold.shallow.0).then_some(Bytes(each))
}

/// Draws the choice of the grouping; true if it changed.
pub(super) fn form_ui(ui: &mut Ui, form: &mut LevelForm) -> bool {
    const FORMS: [(LevelForm, &str, &str); 5] = [
        (LevelForm::Plain, "Plain", "One row per object"),
        (
            LevelForm::Folded,
            "Grouped",
            "One row per chain, per group of siblings of one class and per set of shared objects",
        ),
        (LevelForm::By(PartitionBy::Class), "By class", "One row per class"),
        (LevelForm::By(PartitionBy::Package), "By package", "One row per package"),
        (LevelForm::By(PartitionBy::Loader), "By class loader", "One row per class loader"),
    ];
    let before = *form;
    let name = FORMS.iter().find(|(known, ..)| *known == before).map_or("", |&(_, name, _)| name);
    let combo = egui::ComboBox::from_id_salt("form of the dominator tree").selected_text(name).width(124.0);
    let shown = combo.show_ui(ui, |ui| {
        for (other, name, about) in FORMS {
            ui.selectable_value(form, other, name).on_hover_text(about);
        }
    });
    let name = format!("Tree {}", name.to_lowercase());
    shown.response.widget_info(|| egui::WidgetInfo::labeled(Role::ComboBox, true, &name));
    shown.response.on_hover_text("Grouping of the rows of the tree");
    ui.add_space(8.0);
    *form != before
}
