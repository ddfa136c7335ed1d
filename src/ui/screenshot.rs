//! Screenshots of the window without a display: the usual frames, drawn on the CPU.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use eframe::egui;
use egui::{Pos2, RawInput, Rect, Theme, Vec2, ViewportId};

use super::app::App;
use super::software_renderer::SoftwareRenderer;
use super::theme;
use crate::view::Page;
use crate::view::chart::Mode;
use crate::view::growth_table::GrowthTable;
use heaplens_assistant::Pictures;
use heaplens_base::{Named, Task};
use heaplens_dump::facts::Facts;
use heaplens_session::OpenOptions;
use heaplens_session::dump::State;
use heaplens_session::output_file::{OutputFile, OutputKind};

/// Message of a picture that was cancelled.
const CANCELLED: &str = "cancelled";

/// Content and appearance of a screenshot.
#[derive(Debug, Clone)]
pub struct Shot {
    /// Page to show; `None` for the first page of a dump.
    pub page: Option<Page>,
    /// Start of a path to `object`.
    pub from: Option<String>,
    /// Table of the growth view; `None` for the first.
    pub table: Option<GrowthTable>,
    /// Table or chart; `None` for the table.
    pub picture: Option<Mode>,
    /// Id or name of the object to select.
    pub object: Option<String>,
    /// References to cut, by name.
    pub cuts: Vec<String>,
    /// True for the heap after these cuts.
    pub is_after: bool,
    /// Text typed into the palette; `None` leaves it closed.
    pub palette: Option<String>,
    /// True for the dark theme.
    pub dark: bool,
    /// Width and height in points.
    pub size: [f32; 2],
    /// Pixels per point.
    pub scale: f32,
}

impl Default for Shot {
    fn default() -> Self {
        Self {
            page: None,
            table: None,
            from: None,
            picture: None,
            object: None,
            cuts: Vec::new(),
            is_after: false,
            palette: None,
            dark: true,
            size: [1440.0, 900.0],
            scale: 1.0,
        }
    }
}

/// Opens the dumps, waits until all jobs have finished, and writes a PNG.
///
/// # Errors
/// An error message if a dump cannot be opened, the object is not found, or the file cannot be written.
pub fn screenshot(paths: &[PathBuf], shot: &Shot, options: OpenOptions, out: &Path) -> Result<(), String> {
    let described = |error: std::io::Error| format!("{}: {error}", out.display());
    let inputs: Vec<PathBuf> = paths.iter().cloned().chain(options.files()).collect();
    let output = OutputFile::new(out, OutputKind::Picture, &inputs).with_values(!options.redact);
    output.check().map_err(described)?;
    let bytes = png(paths, shot, options, &Task::new())?;
    output.write(|out| out.write_all(&bytes)).map_err(described)
}

/// As [`screenshot`], but returns the bytes of the PNG file.
///
/// # Errors
/// As of [`screenshot`].
pub fn png(paths: &[PathBuf], shot: &Shot, options: OpenOptions, task: &Task) -> Result<Vec<u8>, String> {
    let mut bytes = std::io::Cursor::new(Vec::new());
    drawn(paths, shot, options, task)?.write_to(&mut bytes, image::ImageFormat::Png).map_err(|e| e.to_string())?;
    Ok(bytes.into_inner())
}

/// Draws views for assistants, of dumps opened with these options.
pub fn pictures(options: OpenOptions) -> Pictures {
    Arc::new(move |picture, task| {
        let page = |word: &String| {
            let views = || Page::NAMES.iter().map(|name| name.word).collect::<Vec<_>>().join(", ");
            Page::of_word(word).ok_or_else(|| format!("no view has this name; the views are {}", views()))
        };
        let page = picture.view.as_ref().map(page).transpose()?;
        let (object, cuts) = (picture.object.clone(), picture.cuts.clone());
        let is_after = !cuts.is_empty();
        let shot = Shot { page, object, cuts, is_after, dark: !picture.light, ..Shot::default() };
        let options = OpenOptions { redact: picture.redact, ..options.clone() };
        png(std::slice::from_ref(&picture.file), &shot, options, task)
    })
}

fn drawn(paths: &[PathBuf], shot: &Shot, options: OpenOptions, task: &Task) -> Result<image::RgbaImage, String> {
    let paths = if shot.page == Some(Page::Welcome) { &[] } else { paths };
    let mut stage = Stage::new(paths, shot, options, task.clone());
    if shot.page == Some(Page::Opening) {
        stage.app.stay_on_opening_page();
        stage.until(|app| app.tabs().first().is_none_or(|t| t.dump.facts().is_some() || !t.is_opening()));
    } else {
        stage.settle();
    }
    for tab in stage.app.tabs() {
        if let State::Failed(why) = tab.dump.state() {
            return Err(format!("{}: {why}", tab.dump.path().display()));
        }
    }
    if let Some(Page::View(view)) = shot.page {
        stage.app.show(view);
        stage.settle();
    }
    if let Some(by) = shot.table {
        stage.app.show_table(by);
        stage.settle();
    }
    if let Some(mode) = shot.picture {
        stage.app.show_as(mode);
        stage.settle();
    }
    if let (Some(from), Some(to)) = (&shot.from, &shot.object) {
        stage.app.show_route(from, to)?;
        stage.settle();
    } else if let Some(object) = &shot.object {
        stage.app.go_to_object(object)?;
        stage.settle();
    }
    for cut in &shot.cuts {
        stage.app.cut_named(cut)?;
        stage.settle();
    }
    if shot.is_after {
        stage.app.show_heap_after();
        stage.settle();
    }
    if let Some(text) = &shot.palette {
        stage.app.open_palette(text);
        stage.settle();
    }
    for tab in stage.app.tabs() {
        if let Some(why) = tab.dump.facts().and_then(Facts::changed) {
            return Err(format!("cannot read {}: {why}", tab.dump.path().display()));
        }
    }
    if task.is_cancelled() { Err(CANCELLED.to_owned()) } else { Ok(stage.picture()) }
}

/// A window without a display.
struct Stage {
    ctx: egui::Context,
    app: App,
    soft: SoftwareRenderer,
    size: Vec2,
    scale: f32,
    began: Instant,
    last: Option<egui::FullOutput>,
    /// Ends the picture when it is cancelled.
    task: Task,
}

impl Stage {
    fn new(paths: &[PathBuf], shot: &Shot, options: OpenOptions, task: Task) -> Self {
        let ctx = egui::Context::default();
        let app = App::new(&ctx, paths, options);
        ctx.set_theme(if shot.dark { Theme::Dark } else { Theme::Light });
        let size = Vec2::from(shot.size);
        Self {
            ctx,
            app,
            soft: SoftwareRenderer::default(),
            size,
            scale: shot.scale,
            began: Instant::now(),
            last: None,
            task,
        }
    }

    fn frame(&mut self) {
        let mut input = RawInput {
            screen_rect: Some(Rect::from_min_size(Pos2::ZERO, self.size)),
            time: Some(self.began.elapsed().as_secs_f64()),
            ..RawInput::default()
        };
        if let Some(viewport) = input.viewports.get_mut(&ViewportId::ROOT) {
            viewport.native_pixels_per_point = Some(self.scale);
        }
        let app = &mut self.app;
        let mut output = self.ctx.run_ui(input, |ui| app.frame(ui));
        self.soft.apply(&mut output.textures_delta);
        self.last = Some(output);
    }

    /// Draws frames until `is_done` is true, and three more.
    fn until(&mut self, is_done: impl Fn(&App) -> bool) {
        while !is_done(&self.app) && !self.task.is_cancelled() {
            self.frame();
            std::thread::sleep(Duration::from_millis(5));
        }
        for _ in 0..3 {
            self.frame();
        }
    }

    /// Draws frames until no job is running any more.
    fn settle(&mut self) {
        let mut quiet = 0;
        while quiet < 6 && !self.task.is_cancelled() {
            self.frame();
            quiet = if self.app.is_busy() { 0 } else { quiet + 1 };
            std::thread::sleep(Duration::from_millis(if quiet == 0 { 10 } else { 2 }));
        }
    }

    fn picture(&self) -> image::RgbaImage {
        let pixels = self.size * self.scale;
        let size = [pixels.x.round() as usize, pixels.y.round() as usize];
        let shapes = self.last.as_ref().map(|o| o.shapes.clone()).unwrap_or_default();
        let scale = self.ctx.pixels_per_point();
        let shapes = self.ctx.tessellate(shapes, scale);
        let background = theme::tokens::of(self.ctx.theme() == Theme::Dark).surface;
        self.soft.render(&shapes, size, scale, background)
    }
}
