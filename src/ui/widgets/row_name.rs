//! Name of an object in a row, after what the row leads with: its short name, or the field that holds it. If it does not
//! fit, the package, the id, the label and parts of the class give way, in this order, as long as no other row of the list
//! reads the same; then the label or the id takes the place of the class. Packages give way in all rows of a list at once.

use std::sync::Arc;

use eframe::egui;
use egui::text::{LayoutJob, TextFormat, TextWrapping};
use egui::{FontId, Galley, Ui};

use super::fitting::{self, Beside, reads_as_another};
use super::object_name::ObjectName;
use crate::ui::theme::{Tokens, fonts};
use heaplens_base::invisible::visible_line;
use heaplens_tables::export::printable::shortened;
use heaplens_tables::reports::elide::{self, Neighbours, UsualCut};

/// Number of characters from which both ends of a class name are shown; of a shorter one, the beginning says more.
const BOTH_ENDS: usize = 12;
/// Least number of characters of a class name.
const LEAST: usize = 6;
/// Least number of characters of a part that is shortened: fewer say nothing.
const LEGIBLE: usize = 5;
/// The same of a class or a label beside what a row leads with.
const LEGIBLE_BESIDE: usize = 8;
/// Maximum number of characters of a label.
const LABEL: usize = 200;
/// Share of the width that a long label may take from the class.
const LABEL_SHARE: f32 = 0.6;
/// Share of the width that what a row leads with may take from its object.
const LEAD_SHARE: f32 = 0.72;
/// Space between lead, class, label and id, in points.
const GAP: f32 = 8.0;

/// Name of an object after what its row leads with.
#[derive(Debug, Clone, Copy)]
pub struct RowName<'a> {
    /// What the row leads with: a short name, a field; empty if it has nothing of the kind.
    pub lead: &'a str,
    /// The object.
    pub name: ObjectName<'a>,
    /// True if another column tells the row from others, such as the name of the field whose value it is.
    pub is_value: bool,
}

/// The parts of a name as they are drawn.
#[derive(Debug, Clone, Default)]
struct Parts {
    lead: String,
    package: String,
    class: String,
    label: String,
    id: String,
}

impl RowName<'_> {
    /// Plain text for tooltips, screen readers and the clipboard.
    pub fn plain(&self) -> String {
        if self.lead.is_empty() { self.name.plain() } else { format!("{} {}", self.lead, self.name.plain()) }
    }

    /// Text layout in `width` points; the flag is true if anything was omitted.
    pub fn galley(&self, ui: &Ui, tokens: &Tokens, width: f32) -> (Arc<Galley>, bool) {
        let fit = Fit { ui, tokens, width, is_class: self.name.represented_class().is_some() };
        let (package, class) = self.name.parts();
        let complete = Parts {
            lead: self.lead.to_owned(),
            package: package.to_owned(),
            class: class.to_owned(),
            label: self.name.own_label().map(|label| shortened(label, LABEL)).unwrap_or_default(),
            id: self.name.id.to_owned(),
        };
        let total = fit.laid_out(&complete);
        let has_package = !package.is_empty() && !self.name.id.is_empty();
        let gives_way = has_package && fitting::packages_give_way(ui, total.elided);
        if !total.elided && !gives_way {
            return (total, false);
        }
        let simple = Parts { package: String::new(), ..complete.clone() };
        // Without an id, only the package tells a class from another.
        if !simple.id.is_empty() && fit.fits(&simple) {
            return (fit.laid_out(&simple), true);
        }
        if self.is_value {
            return (fit.laid_out(&fit.by_value(&simple)), true);
        }
        let options: [&dyn Fn() -> Option<Parts>; 2] = [&|| Some(fit.by_class(&simple)), &|| fit.by_label(&simple)];
        let own = self.name.plain();
        let of = if self.name.id.is_empty() { &own } else { self.name.id };
        for (level, option) in options.into_iter().enumerate() {
            if let Some(parts) = option()
                && !reads_as_another(ui, level, &parts.reading(), of)
            {
                return (fit.laid_out(&parts), true);
            }
        }
        (fit.laid_out(&fit.by_id(&complete)), true)
    }
}

impl Parts {
    /// What a reader sees.
    fn reading(&self) -> String {
        [&*self.lead, &self.class, &self.label, &self.id].join("\n")
    }
}

/// The space for a name.
struct Fit<'a> {
    ui: &'a Ui,
    tokens: &'a Tokens,
    width: f32,
    /// True for a class object.
    is_class: bool,
}

impl Fit<'_> {
    fn job(&self, parts: &Parts) -> LayoutJob {
        let t = self.tokens;
        let mut job = LayoutJob::default();
        let format = |font, color| TextFormat { valign: egui::Align::Center, ..TextFormat::simple(font, color) };
        let mut gap = 0.0;
        if !parts.lead.is_empty() {
            job.append(&visible_line(&parts.lead), 0.0, format(fonts::medium(), t.field));
            gap = GAP;
        }
        if self.is_class && !parts.class.is_empty() {
            job.append("class ", std::mem::take(&mut gap), format(fonts::text(), t.label));
        }
        if !parts.package.is_empty() {
            job.append(&visible_line(&parts.package), std::mem::take(&mut gap), format(fonts::text(), t.muted));
        }
        let class_gap = gap;
        let rest = [
            (&parts.class, class_gap, fonts::medium(), t.text),
            (&parts.label, GAP, fonts::text(), t.label),
            (&parts.id, GAP, fonts::mono(), t.faint),
        ];
        for (text, gap, font, color) in rest {
            if !text.is_empty() {
                let gap = if job.is_empty() { 0.0 } else { gap };
                job.append(&visible_line(text), gap, format(font, color));
            }
        }
        job.wrap = TextWrapping::truncate_at_width(self.width);
        job.break_on_newline = false;
        job
    }

    fn laid_out(&self, parts: &Parts) -> Arc<Galley> {
        self.ui.painter().layout_job(self.job(parts))
    }

    fn fits(&self, parts: &Parts) -> bool {
        !self.laid_out(parts).elided
    }

    fn width_of(&self, text: &str, font: FontId) -> f32 {
        self.ui.painter().layout_no_wrap(text.to_owned(), font, self.tokens.text).size().x
    }

    /// What a row leads with in so many points.
    fn lead(&self, lead: &str, width: f32) -> String {
        let fits = |lead: &str| self.width_of(lead, fonts::medium()) <= width;
        if fits(lead) {
            return lead.to_owned();
        }
        Beside::with(self.ui, "leads", lead).shorten(lead, UsualCut::Middle, &fits)
    }

    /// The name of a value, which another column tells from others: its class, and as much of the beginning of its label as
    /// can be read.
    fn by_value(&self, name: &Parts) -> Parts {
        let class = Parts { id: String::new(), label: String::new(), ..name.clone() };
        let with = |label: &str| Parts { label: label.to_owned(), ..class.clone() };
        let fits = |label: &str| self.fits(&with(label));
        let label = elide::among(&name.label, UsualCut::End, Neighbours::default(), &fits);
        if fits(&label) && (label.chars().count() > LEGIBLE || *label == *name.label) {
            return with(&label);
        }
        let fits = |short: &str| self.fits(&Parts { class: short.to_owned(), ..class.clone() });
        if fits(&name.class) { class } else { Parts { class: self.shortest_class(&name.class, &fits), ..class } }
    }

    /// The name with its class. An object that its row leads with says more by its class than by its label; of others,
    /// the class gives way to the label, which tells objects of one class apart.
    fn by_class(&self, name: &Parts) -> Parts {
        let bare = Parts { id: String::new(), ..name.clone() };
        if self.fits(&bare) {
            return bare;
        }
        if name.lead.is_empty() {
            return self.without_lead(bare);
        }
        let unlabelled = Parts { label: String::new(), ..bare.clone() };
        if self.fits(&unlabelled) {
            return self.with_label(&unlabelled, &name.label).unwrap_or(unlabelled);
        }
        let fits = |class: &str| self.fits(&Parts { class: class.to_owned(), ..unlabelled.clone() });
        if let Some(class) = self.fitting_class(&name.class, fits) {
            return Parts { class, ..unlabelled };
        }
        // Less than a few characters of a class say nothing: the lead takes the space.
        Parts { lead: self.lead(&name.lead, self.width), ..Parts::default() }
    }

    fn without_lead(&self, name: Parts) -> Parts {
        if name.label.is_empty() {
            let fits = |class: &str| self.fits(&Parts { class: class.to_owned(), ..name.clone() });
            return Parts { class: self.shortest_class(&name.class, &fits), ..name };
        }
        let of_label = self.width_of(&name.label, fonts::text()).min(self.width * LABEL_SHARE) + GAP;
        let fits = |class: &str| self.width_of(class, fonts::medium()) <= self.width - of_label;
        let class = if fits(&name.class) { name.class.clone() } else { self.shortest_class(&name.class, &fits) };
        let fits = |label: &str| self.fits(&Parts { class: class.clone(), label: label.to_owned(), ..name.clone() });
        let label = Beside::with(self.ui, "labels", &name.label).shorten(&name.label, UsualCut::End, &fits);
        if label.chars().count() > LEGIBLE || label == name.label {
            return Parts { class, label, ..name };
        }
        // Two names of a few characters say less than one.
        let unlabelled = Parts { label: String::new(), ..name.clone() };
        let fits = |class: &str| self.fits(&Parts { class: class.to_owned(), ..unlabelled.clone() });
        let class = if fits(&name.class) { name.class.clone() } else { self.shortest_class(&name.class, &fits) };
        Parts { class, ..unlabelled }
    }

    /// The name with as much of a label as fits; `None` if that is too little to be read.
    fn with_label(&self, name: &Parts, label: &str) -> Option<Parts> {
        if label.is_empty() {
            return None;
        }
        let with = |label: &str| Parts { label: label.to_owned(), ..name.clone() };
        let fits = |label: &str| self.fits(&with(label));
        let label = Beside::with(self.ui, "labels", label).shorten(label, UsualCut::End, &fits);
        (label.chars().count() > LEGIBLE_BESIDE && fits(&label)).then(|| with(&label))
    }

    /// The name with its label in place of the class.
    fn by_label(&self, name: &Parts) -> Option<Parts> {
        if name.lead.is_empty() || self.is_class {
            return None;
        }
        let lead = self.lead(&name.lead, self.width * LEAD_SHARE);
        self.with_label(&Parts { lead, ..Parts::default() }, &name.label)
    }

    /// The name with its id; of a class, with its package.
    fn by_id(&self, name: &Parts) -> Parts {
        if name.id.is_empty() {
            let class = format!("{}{}", name.package, name.class);
            let with = |class: &str| Parts { class: class.to_owned(), lead: name.lead.clone(), ..Parts::default() };
            let fits = |class: &str| self.fits(&with(class));
            return with(&Beside::with(self.ui, "qualified", &class).shorten(&class, UsualCut::Middle, &fits));
        }
        let fits = |id: &str| self.width_of(id, fonts::mono()) <= self.width;
        let id = Beside::with(self.ui, "ids", &name.id).shorten(&name.id, UsualCut::Middle, &fits);
        let left = self.width - self.width_of(&id, fonts::mono()) - GAP;
        let lead = if name.lead.is_empty() { String::new() } else { self.lead(&name.lead, left.max(0.0)) };
        // A lead that is cut to nothing is none.
        let lead = if lead.chars().count() < LEGIBLE && lead != name.lead { String::new() } else { lead };
        let alone = Parts { lead, id, ..Parts::default() };
        let fits = |class: &str| self.fits(&Parts { class: class.to_owned(), ..alone.clone() });
        match self.fitting_class(&name.class, fits) {
            Some(class) => Parts { class, ..alone },
            None => alone,
        }
    }

    /// A class name without its package as far as it fits; `None` if that is too little to be read.
    fn fitting_class(&self, name: &str, fits: impl Fn(&str) -> bool) -> Option<String> {
        if fits(name) {
            return Some(name.to_owned());
        }
        let class = self.shortest_class(name, &fits);
        let is_legible = class.chars().count() >= LEGIBLE_BESIDE || is_inner(&class);
        Some(class).filter(|class| is_legible && fits(class))
    }

    /// A class name without its package, shortened to its innermost class, in its middle, or to its beginning if only a
    /// few characters fit.
    fn shortest_class(&self, name: &str, fits: &dyn Fn(&str) -> bool) -> String {
        let beside = Beside::with(self.ui, "classes", name);
        let both_ends = beside.shorten(name, UsualCut::Middle, fits);
        if both_ends.chars().count() >= BOTH_ENDS {
            return both_ends;
        }
        let inner = name.rsplit_once('$').map(|(_, inner)| inner).filter(|inner| !is_generated(inner));
        if let Some(inner) = inner.map(|inner| format!("…{inner}")).filter(|inner| fits(inner)) {
            return inner;
        }
        let begin = beside.shorten(name, UsualCut::End, fits);
        // Less would say nothing: the rest is cut at the edge.
        if begin.chars().count() > LEAST {
            begin
        } else {
            elide::middle(name, &|text| text.chars().count() <= LEAST).into_owned()
        }
    }
}

/// True for the whole name of an inner class.
fn is_inner(class: &str) -> bool {
    class.strip_prefix('…').is_some_and(|inner| !inner.contains('…'))
}

/// True for the name of an inner class that a compiler or a library made: it says nothing without what is before it.
fn is_generated(inner: &str) -> bool {
    !inner.starts_with(char::is_uppercase) || inner.chars().any(|c| c.is_ascii_digit() || c == '/')
}
