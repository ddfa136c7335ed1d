//! Names that are too long for their space: the one place where the window shortens them. Names beside each other are cut
//! in the part that they have in common ([`elide::among`]), so that two rows never read the same unless they are.

use std::borrow::Cow;
use std::fmt::Debug;
use std::hash::Hash;
use std::sync::Arc;

use eframe::egui::text::{LayoutJob, TextWrapping};
use eframe::egui::{Color32, FontId, Galley, Rect, Ui, pos2};

use heaplens_base::invisible::visible_line;
use heaplens_tables::reports::elide::{self, Neighbours, UsualCut};

/// Names of one list that did not fit.
#[derive(Clone)]
struct NamesOnScreen<T> {
    /// Number of the pass in which `now` was drawn.
    pass: u64,
    now: Vec<T>,
    /// Names of the pass before.
    last: Arc<Vec<T>>,
}

impl<T> Default for NamesOnScreen<T> {
    fn default() -> Self {
        Self { pass: 0, now: Vec::new(), last: Arc::default() }
    }
}

/// Remembers a name of the list `kind` of a table or pane, and returns those of the pass before.
fn remember<T: Clone + PartialEq + Send + Sync + 'static>(ui: &Ui, kind: impl Hash + Debug, name: T) -> Arc<Vec<T>> {
    let id = ui.scope_id().with(("names beside", kind));
    let pass = ui.ctx().cumulative_pass_nr();
    let (last, has_changed) = ui.ctx().data_mut(|data| {
        let names = data.get_temp_mut_or_default::<NamesOnScreen<T>>(id);
        let mut has_changed = false;
        if names.pass != pass {
            let now = std::mem::take(&mut names.now);
            has_changed = now != *names.last;
            (names.last, names.pass) = (Arc::new(now), pass);
        }
        let is_known = names.last.contains(&name);
        names.now.push(name);
        (Arc::clone(&names.last), has_changed || !is_known)
    });
    // The names of this pass are known in the next one.
    if has_changed {
        ui.ctx().request_repaint();
    }
    last
}

/// True if another row of the list `kind` reads the same; `of` tells rows apart. Only shortened names are asked for: a
/// whole one has an address.
pub fn reads_as_another(ui: &Ui, kind: impl Hash + Debug, reading: &str, of: &str) -> bool {
    let readings = remember(ui, ("readings", kind), (reading.to_owned(), of.to_owned()));
    readings.iter().any(|(other, other_of)| other == reading && other_of != of)
}

/// True if the rows of a list are drawn without their packages: since one of them did not fit with it at the width that the
/// list has now. Names with and without a package in turn are hard to scan.
pub fn packages_give_way(ui: &Ui, does_not_fit: bool) -> bool {
    let (id, width) = (ui.scope_id().with("packages"), ui.max_rect().width());
    let gave_way = ui.ctx().data_mut(|data| {
        let (at, gives_way) = data.get_temp_mut_or_insert_with(id, || (width, false));
        if (*at - width).abs() > 0.5 {
            (*at, *gives_way) = (width, false);
        }
        std::mem::replace(gives_way, *gives_way || does_not_fit)
    });
    // Rows above were drawn before.
    if does_not_fit && !gave_way {
        ui.ctx().request_repaint();
    }
    gave_way || does_not_fit
}

/// The names of a list, as far as they do not fit: those drawn in the pass before.
pub struct Beside(Arc<Vec<String>>);

impl Beside {
    /// Remembers a name of the list `kind` of a table or pane, and returns those beside it.
    pub fn with(ui: &Ui, kind: impl Hash + Debug, name: &str) -> Self {
        Self(remember(ui, kind, name.to_owned()))
    }

    /// True if the list has the name twice.
    pub fn has_twin(&self, name: &str) -> bool {
        Neighbours::new(&self.0).has_twin(name)
    }

    /// Shortens a name.
    pub fn shorten(&self, name: &str, default: UsualCut, fits: &dyn Fn(&str) -> bool) -> String {
        elide::among(name, default, Neighbours::new(&self.0), fits).into_owned()
    }
}

/// One line of text of the list `kind`, at most `width` points wide; the flag is true if it is shortened.
pub fn fitted(
    ui: &Ui,
    kind: impl Hash + Debug,
    (text, default): (&str, UsualCut),
    (font, color): (FontId, Color32),
    width: f32,
) -> (Arc<Galley>, bool) {
    let laid_out = |text: &str| elided(ui, text.to_owned(), font.clone(), color, width);
    let total = laid_out(text);
    if !total.elided {
        return (total, false);
    }
    let short = Beside::with(ui, kind, text).shorten(text, default, &|text| !laid_out(text).elided);
    (laid_out(&short), true)
}

/// Draws such a line at the left of `area`, vertically centred; returns its layout, and true if it is shortened.
pub fn fitted_line_ui(
    ui: &Ui,
    kind: impl Hash + Debug,
    area: Rect,
    text: (&str, UsualCut),
    style: (FontId, Color32),
) -> (Arc<Galley>, bool) {
    let color = style.1;
    let (galley, cut) = fitted(ui, kind, text, style, area.width());
    let y = area.center().y - galley.size().y / 2.0;
    ui.painter().galley(pos2(area.left(), y), Arc::clone(&galley), color);
    (galley, cut)
}

/// One line of text, truncated with `…` to `width` points; invisible characters are escaped.
pub fn elided(ui: &Ui, text: String, font: FontId, color: Color32, width: f32) -> Arc<Galley> {
    let escaped = match visible_line(&text) {
        Cow::Owned(escaped) => Some(escaped),
        Cow::Borrowed(_) => None,
    };
    let mut job = LayoutJob::simple_singleline(escaped.unwrap_or(text), font, color);
    job.wrap = TextWrapping::truncate_at_width(width);
    ui.painter().layout_job(job)
}
