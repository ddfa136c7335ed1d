//! The user's list of runtime classes: opened in the system's text editor, and read again on request.

use std::path::PathBuf;
use std::sync::Arc;

use eframe::egui::Context;

use crate::ui::shell::toasts::Toasts;
use heaplens_analysis::RuntimeClasses;
use heaplens_platform::desktop;
use heaplens_session::{JobError, Jobs, OpenOptions, Slot, runtime_classes};

/// Work on the list: its message, and the new list if it was read.
#[derive(Default)]
pub(crate) struct ListWork(Slot<(String, Option<Arc<RuntimeClasses>>)>);

impl ListWork {
    /// True while it is running.
    pub(crate) fn is_running(&self) -> bool {
        self.0.is_running()
    }

    /// Opens the list in an editor; creates a template if it does not exist.
    pub(crate) fn edit(&mut self, options: &OpenOptions, jobs: &Jobs) {
        let file = list_file(options);
        self.0.ask(jobs, "open the runtime classes", move |_| {
            let file = file?;
            runtime_classes::create(&file).map_err(JobError::Failed)?;
            let what = if desktop::open(&file) { "edit the list" } else { "open the list in an editor" };
            Ok((format!("{}: {what}, then run Reload runtime classes", file.display()), None))
        });
    }

    /// Reads the list again.
    pub(crate) fn reload(&mut self, options: &OpenOptions, jobs: &Jobs) {
        let file = list_file(options);
        self.0.ask(jobs, "read the runtime classes", move |_| {
            let file = file?;
            if !file.exists() {
                let message = format!("{} not found: using the built-in list of runtime classes", file.display());
                return Ok((message, Some(Arc::new(RuntimeClasses::default()))));
            }
            let list = runtime_classes::read(&file).map_err(JobError::Failed)?;
            Ok((format!("Owners and labels now follow {}", file.display()), Some(Arc::new(list))))
        });
    }

    /// Reports the result and returns the new list.
    pub(super) fn poll(&mut self, ctx: &Context, toasts: &mut Toasts) -> Option<Arc<RuntimeClasses>> {
        match self.0.take_ended()? {
            Ok((message, list)) => {
                toasts.done(ctx, message);
                list
            }
            Err(error) => {
                toasts.warn(ctx, format!("Cannot use the list of runtime classes: {error}"));
                None
            }
        }
    }
}

fn list_file(options: &OpenOptions) -> Result<PathBuf, JobError> {
    let given = options.runtime_classes_file.clone();
    given.or_else(runtime_classes::user_file).ok_or_else(|| JobError::Failed("no home folder found".to_owned()))
}
