//! The selected object in the baseline: its match, the criterion of the match, and the values of its fields.

use eframe::egui::{self, Ui};

use crate::ui::ViewContext;
use crate::ui::theme::{fonts, tokens};
use crate::ui::widgets::elided;
use heaplens_analysis::diff::entries::entries;
use heaplens_analysis::diff::{Entries, MatchStatus, Matches};
use heaplens_analysis::object::{FieldRow, describe};
use heaplens_base::{ByteDelta, Bytes, Count, CountDelta, Task};
use heaplens_heap::{ObjectId, Value};
use heaplens_session::{JobError, OpenDump, Slot};

/// Maximum number of characters of a string that are read.
const CHARACTERS: usize = 200;
/// Maximum number of added, and of removed, entries listed.
const LISTED: usize = 1_000;

/// Value of a field in the baseline.
#[derive(Debug, Clone)]
pub struct BaselineField {
    /// The field in the baseline.
    pub row: FieldRow,
    /// Id of the object it referred to.
    pub id: Option<String>,
    /// True if the value differs in the target.
    pub changed: bool,
    /// False if nothing tells whether it differs.
    pub is_compared: bool,
    /// Change inside the object that the field refers to in both dumps.
    pub inside: InsideChange,
}

/// Change of an object that is the same in both dumps.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct InsideChange {
    /// Elements of a collection or an array before and after, if they differ.
    pub elements: Option<(u64, u64)>,
    /// Retained size after minus before.
    pub retained: ByteDelta,
}

impl InsideChange {
    /// Change of a matched object.
    fn of(before: &OpenDump, old: ObjectId, after: &OpenDump, new: ObjectId) -> Self {
        let count = |dump: &OpenDump, object: ObjectId| {
            let (heap, contents) = (&dump.heap, &dump.contents);
            let collection = contents.logical(heap, object, 0..0).map(|collection| collection.size);
            collection.or_else(|| contents.array_length(heap, object))
        };
        let elements = count(before, old).zip(count(after, new)).filter(|(before, after)| before != after);
        let retained = ByteDelta::between(before.analysis.retained(old), after.analysis.retained(new));
        Self { elements, retained }
    }

    /// Short text for a cell: `5,771 → 13,221`, `+7,450` if that does not fit, `same, +1.2 MB`; `None` without a change.
    pub fn short(self, fits: impl Fn(&str) -> bool) -> Option<String> {
        match self.elements {
            Some((before, after)) => {
                let both = format!("{} → {}", Count(before), Count(after));
                Some(if fits(&both) { both } else { CountDelta::between(before, after).to_string() })
            }
            None => (self.retained.0 != 0).then(|| format!("same, {}", self.retained)),
        }
    }

    /// The same in words; empty without a change.
    pub fn long(self) -> String {
        let retained = if self.retained.0 == 0 { String::new() } else { format!(", retained size {}", self.retained) };
        match self.elements {
            Some((before, after)) => {
                format!("same object, {} → {}{retained}", Count(before), Count(after).of("element", "elements"))
            }
            None if retained.is_empty() => String::new(),
            None => format!("same object{retained}"),
        }
    }
}

/// An object of both dumps.
pub struct MatchedObject {
    /// Its id in the target.
    pub object: ObjectId,
    /// Baseline value by field of the target object; `None` if the field did not exist.
    pub fields: Vec<Option<BaselineField>>,
    /// Entries added and removed, if it is a collection.
    pub entries: Option<Entries>,
}

/// Search for the selected object in the baseline.
#[derive(Default)]
pub struct BaselineObject {
    requested: Option<(ObjectId, bool)>,
    slot: Slot<Option<MatchedObject>>,
}

impl BaselineObject {
    /// Takes over the result.
    pub fn poll(&mut self) {
        self.slot.poll();
    }

    /// Requests an object, once there is a comparison.
    pub fn ask(&mut self, context: &ViewContext<'_>, object: ObjectId) {
        let question = Some((object, context.dump.baseline.is_some()));
        if context.comparing.is_none() || std::mem::replace(&mut self.requested, question) == question {
            return;
        }
        let dump = context.dump.clone();
        self.slot.ask(context.jobs, "object in the baseline", move |task| both(&dump, object, task));
    }

    /// Details of `object` in both dumps.
    pub fn of(&self, object: ObjectId) -> Option<&MatchedObject> {
        self.slot.get()?.as_ref().filter(|both| both.object == object)
    }

    /// True while it is being read.
    pub fn is_running(&self) -> bool {
        self.slot.is_at_work()
    }
}

fn both(dump: &OpenDump, object: ObjectId, task: &Task) -> Result<Option<MatchedObject>, JobError> {
    let (Some((before, comparison)), Some(pair)) = (dump.compared(), dump.pair()) else { return Ok(None) };
    let MatchStatus::Matched(old, _) = comparison.matches.match_status_of_after(object) else { return Ok(None) };
    let now = describe(dump.data(), object, CHARACTERS);
    let then = describe(before.data(), old, CHARACTERS);
    task.checkpoint()?;
    let was = |row: &FieldRow| {
        let is_it =
            |then: &&FieldRow| then.field.name == row.field.name && then.field.declared_by == row.field.declared_by;
        let then = then.fields.iter().find(is_it)?.clone();
        let changed = has_changed(&comparison.matches, &then, row);
        let (changed, is_compared) = (changed == Some(true), changed.is_some());
        let id = then.field.value.object().map(|object| before.heap.id_text(object));
        let inside = match (then.field.value, row.field.value) {
            (Value::Object(old), Value::Object(new)) if comparison.matches.before(new) == Some(old) => {
                InsideChange::of(before, old, dump, new)
            }
            _ => InsideChange::default(),
        };
        Some(BaselineField { row: then, id, changed, is_compared, inside })
    };
    let fields = now.fields.iter().map(was).collect();
    let entries = match now.collection {
        Some(_) => entries(pair, &comparison.matches, old, object, LISTED, task)?,
        None => None,
    };
    Ok(Some(MatchedObject { object, fields, entries }))
}

/// True if the value of a field differs from the baseline; `None` if nothing tells. Objects that cannot be matched differ if
/// their displayed text does.
fn has_changed(matches: &Matches, then: &FieldRow, now: &FieldRow) -> Option<bool> {
    match (then.field.value, now.field.value) {
        (Value::Object(before), Value::Object(after)) => match matches.match_status_of_after(after) {
            MatchStatus::Matched(same, _) => Some(same != before),
            MatchStatus::Alone => Some(true),
            MatchStatus::Unknown => {
                let differs = matches.after(before).is_some() || (&then.class, &then.label) != (&now.class, &now.label);
                differs.then_some(true)
            }
        },
        (Value::Unavailable, _) | (_, Value::Unavailable) | (Value::Dangling(_), Value::Dangling(_)) => None,
        (before, after) => Some(!before.is_same(after)),
    }
}

/// Match of an object in the baseline: status, line and tooltip.
pub fn label(context: &ViewContext<'_>, object: ObjectId) -> Option<(MatchStatus, String, String)> {
    let (before, comparison) = context.dump.compared()?;
    let match_status = comparison.matches.match_status_of_after(object);
    // In the heap after removals, every object is itself.
    if context.is_after {
        let is_freed = context.dump.heap.is_freed(object);
        let about = "The object is in the heap before the removals only".to_owned();
        return is_freed.then(|| (MatchStatus::Unknown, "Freed by the removals".to_owned(), about));
    }
    let (line, about) = match match_status {
        MatchStatus::Matched(old, method) => {
            let (id, confidence) = (before.heap.id_text(old), method.confidence().name());
            let words = method.words();
            (
                format!("Baseline: {id} (matched by {}, {confidence})", method.name()),
                format!("Same object as {id} in the baseline: matched by {words} · {confidence}"),
            )
        }
        MatchStatus::Alone => {
            ("New since the baseline".to_owned(), "Added: no object of the baseline matches this one".to_owned())
        }
        MatchStatus::Unknown => (
            "No match in the baseline".to_owned(),
            "No match in the baseline: object could not be identified".to_owned(),
        ),
    };
    Some((match_status, line, about))
}

/// Draws the line about the match of an object in the baseline.
pub fn line_ui(ui: &mut Ui, context: &ViewContext<'_>, object: ObjectId) {
    let Some((match_status, line, about)) = label(context, object) else { return };
    let t = tokens(ui);
    let color = match match_status {
        MatchStatus::Matched(..) => t.muted,
        MatchStatus::Alone => t.grew,
        MatchStatus::Unknown => t.warn,
    };
    let galley = elided(ui, line, fonts::small(), color, ui.available_width());
    let response = ui.add(egui::Label::new(galley).selectable(false));
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Label, true, &about));
    response.on_hover_text(about);
}

/// Retained size in the baseline, and its change.
pub fn retained(context: &ViewContext<'_>, object: ObjectId) -> Option<(Bytes, ByteDelta)> {
    let (before, comparison) = context.dump.compared()?;
    let old = comparison.matches.before(object)?;
    let (then, now) = (before.analysis.retained(old), context.dump.analysis.retained(object));
    Some((then, ByteDelta::between(then, now)))
}
