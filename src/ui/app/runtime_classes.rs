//! The user's list of runtime classes: opened in the system's text editor, and read again on request.

use std::path::PathBuf;
use std::sync::Arc;

use eframe::egui::Context;

use super::App;
use heaplens_platform::desktop;
use heaplens_session::{JobError, runtime_classes};

impl App {
    fn list_file(&self) -> Result<PathBuf, JobError> {
        let given = self.options.runtime_classes_file.clone();
        given.or_else(runtime_classes::user_file).ok_or_else(|| JobError::Failed("no home folder found".to_owned()))
    }

    /// Opens the list in an editor; creates a template if it does not exist.
    pub(super) fn edit_runtime_classes(&mut self) {
        let file = self.list_file();
        self.listing.ask(&self.jobs, "open the runtime classes", move |_| {
            let file = file?;
            runtime_classes::create(&file).map_err(JobError::Failed)?;
            let said = if desktop::open(&file) { "edit the list" } else { "open the list in an editor" };
            Ok((format!("{}: {said}, then run Reload runtime classes", file.display()), None))
        });
    }

    /// Reads the list again.
    pub(super) fn reload_runtime_classes(&mut self) {
        let file = self.list_file();
        self.listing.ask(&self.jobs, "read the runtime classes", move |_| {
            let file = file?;
            if !file.exists() {
                let rules = runtime_classes::RuntimeClasses::default();
                return Ok((
                    format!("{} not found: using the built-in list of runtime classes", file.display()),
                    Some(Arc::new(rules)),
                ));
            }
            let rules = runtime_classes::read(&file).map_err(JobError::Failed)?;
            Ok((format!("Owners and labels now follow {}", file.display()), Some(Arc::new(rules))))
        });
    }

    /// Reports the result; a new list applies to all open dumps.
    pub(super) fn take_runtime_classes(&mut self, ctx: &Context) {
        match self.listing.take_ended() {
            Some(Ok((said, rules))) => {
                if let Some(rules) = rules {
                    self.tabs.iter_mut().for_each(|tab| tab.set_runtime_classes(&rules));
                    self.options.runtime_classes = rules;
                }
                self.toasts.done(ctx, said);
            }
            Some(Err(error)) => {
                self.toasts.warn(ctx, format!("Cannot use the list of runtime classes: {error}"));
            }
            None => {}
        }
    }
}
