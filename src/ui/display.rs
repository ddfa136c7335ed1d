//! The window on a display. Checks for a display before the event loop begins: the loop can start only once in a
//! process, and panics on some errors.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, mpsc};

use eframe::egui;

use super::app::App;
use super::clipboard::Desktop;
use super::command::Command;
use super::screenshot::pictures;
use heaplens_base::storage::Folder;
use heaplens_base::storage::folder::settings_folder;
use heaplens_platform::appearance::{self, Appearance};
use heaplens_platform::desktop::find_display;
use heaplens_platform::documents::{self, DocumentRequest};
use heaplens_session::instance::{Listener, SingleInstance};
use heaplens_session::{OpenOptions, SavedSession};

/// Shows the window with these files and links until it is closed. If `hands_over`, a window that is already open takes
/// them instead.
///
/// # Errors
/// An error message if no window can be opened or the window closed unexpectedly.
pub fn run(paths: Vec<PathBuf>, links: Vec<String>, options: OpenOptions, hands_over: bool) -> Result<(), String> {
    find_display()?;
    let (sender, requests) = mpsc::channel();
    let instance = SingleInstance::of_session(Folder::of_platform().map(|folder| folder.path).as_deref());
    // Before the window is built: for several files, Explorer starts the program several times at once.
    let listener = instance.as_ref().and_then(|instance| listen(instance, sender.clone()));
    if hands_over && listener.is_none() && instance.is_some_and(|instance| instance.hand_over(&paths, &links)) {
        return Ok(());
    }
    documents::expect(sender);
    let viewport = egui::ViewportBuilder::default()
        .with_title("heaplens")
        .with_app_id("heaplens")
        .with_inner_size([1440.0, 900.0])
        .with_min_inner_size([720.0, 480.0]);
    let native = eframe::NativeOptions { viewport, ..eframe::NativeOptions::default() };
    let shown = Arc::new(AtomicBool::new(false));
    let showing = shown.clone();
    let ran = catch_unwind(AssertUnwindSafe(|| {
        eframe::run_native(
            "heaplens",
            native,
            Box::new(move |cc| {
                showing.store(true, Ordering::Relaxed);
                let mut app = match settings_folder() {
                    Some(folder) => App::with_kept(&cc.egui_ctx, SavedSession::begin(&folder), &paths, options),
                    None => App::new(&cc.egui_ctx, &paths, options),
                };
                app.use_clipboard_of(Desktop::of_process());
                links.into_iter().for_each(|link| app.apply(&cc.egui_ctx, Command::OpenLink(link)));
                app.use_system_menu(&cc.egui_ctx);
                app.take_documents(&cc.egui_ctx, requests);
                follow_desktop(&cc.egui_ctx);
                if let Some(folder) = Folder::of_platform() {
                    app.share_below(folder.path, pictures);
                }
                Ok(Box::new(app))
            }),
        )
    }));
    match ran {
        Ok(Ok(())) => Ok(()),
        Ok(Err(error)) => Err(format!("cannot open a window: {error}")),
        Err(_) if shown.load(Ordering::Relaxed) => Err("internal error: the window closed unexpectedly".to_owned()),
        Err(_) => Err("cannot open a window: a library of the windowing system is missing".to_owned()),
    }
}

/// Passes on what other starts of the program ask for, until the result is dropped; `None` if another window does.
pub fn listen(instance: &SingleInstance, requests: mpsc::Sender<DocumentRequest>) -> Option<Listener> {
    instance.listen(move |paths, links| {
        // The window may be closing; then the receiver is gone.
        let _unwanted = requests.send(DocumentRequest { paths, links });
    })
}

/// Follows the theme of the desktop, where the windowing library does not detect it.
fn follow_desktop(ctx: &egui::Context) {
    let ctx = ctx.clone();
    appearance::watch(move |appearance| {
        let theme = match appearance {
            Appearance::Dark => egui::Theme::Dark,
            Appearance::Light => egui::Theme::Light,
        };
        ctx.options_mut(|options| options.fallback_theme = theme);
        ctx.request_repaint();
    });
}
