//! Preview of a bitmap in the inspector.

use eframe::egui::{self, Sense, Ui, WidgetInfo, vec2};

use super::bitmaps::caption;
use super::bitmaps::tile::{picture_ui, size_words};
use crate::ui::ViewContext;
use crate::ui::pictures::Pictures;
use heaplens_analysis::android::bitmaps::{Bitmap, one};
use heaplens_base::Task;
use heaplens_heap::ObjectId;
use heaplens_session::Slot;

/// Maximum height of the preview, in points.
const MAX_HEIGHT: f32 = 132.0;
/// Minimum height of the preview, and the height reserved below it.
const MIN_HEIGHT: f32 = 56.0;
const INSIDE: f32 = 200.0;

/// Preview of the object shown, if it is a bitmap.
#[derive(Default)]
pub(super) struct BitmapPicture {
    slot: Slot<(ObjectId, Option<Bitmap>)>,
    requested: Option<ObjectId>,
    pictures: Pictures,
}

impl BitmapPicture {
    /// Draws the preview, if the object is a bitmap.
    pub(super) fn ui(&mut self, ui: &mut Ui, context: &ViewContext<'_>, object: ObjectId) {
        if context.dump.bitmaps == 0 {
            return;
        }
        if self.requested.replace(object) != Some(object) {
            let dump = context.dump.clone();
            let work = move |_: &Task| Ok((object, one(dump.data(), object)));
            self.slot.ask(context.jobs, "bitmap preview", work);
        }
        let now = ui.ctx().cumulative_pass_nr();
        if let Some((_, Some(bitmap))) = self.slot.get().filter(|(of, _)| *of == object) {
            let is_there = bitmap.pixels.is_some();
            // Keep space for the contents of the object.
            let height = (ui.available_height() - INSIDE).clamp(MIN_HEIGHT, MAX_HEIGHT);
            let high = if is_there { height } else { MIN_HEIGHT };
            ui.add_space(4.0);
            let shape = bitmap.size.map_or(2.0, |(width, height)| width as f32 / height.max(1) as f32);
            let wide = (high * shape).clamp(if is_there { 8.0 } else { 112.0 }, ui.available_width().max(112.0));
            let (rect, response) = ui.allocate_exact_size(vec2(wide, high), Sense::HOVER);
            picture_ui(ui, rect.shrink(1.0), bitmap, self.pictures.of(bitmap, now));
            let label = format!("Bitmap preview, {}", size_words(bitmap));
            response.widget_info(|| WidgetInfo::labeled(egui::Role::Image, true, &label));
            let config = bitmap.config().map(|config| format!(" · {config}")).unwrap_or_default();
            caption(ui, &format!("{}{config}", size_words(bitmap)));
        }
        self.pictures.tick(ui.ctx(), context.dump, context.jobs);
    }

    pub(super) fn poll(&mut self) {
        self.slot.poll();
    }

    pub(super) fn is_running(&self) -> bool {
        self.slot.is_at_work() || self.pictures.is_running()
    }
}
