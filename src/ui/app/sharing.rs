//! *Share with assistant*: programs may ask about the dumps that are open, without their values.

use std::path::PathBuf;

use eframe::egui::Context;

use super::App;
use super::sharing_state::{Shared, SharingEndpoint};
use heaplens_assistant::{AssistantOptions, Pictures};
use heaplens_session::leaks::read_references;
use heaplens_session::{LeakRules, OpenOptions};

impl App {
    /// Lets assistants find this window below the cache folder, once its dumps are shared; `draw` makes what draws
    /// pictures for them.
    pub fn share_below(&mut self, cache: PathBuf, draw: fn(OpenOptions) -> Pictures) {
        self.sharing.endpoint = Some(SharingEndpoint { cache, draw });
    }

    /// Begins or ends to share the open dumps.
    pub(super) fn turn_sharing(&mut self, ctx: &Context) {
        if self.sharing.shared.take().is_some() {
            self.toasts.done(ctx, "The open dumps are no longer shared".to_owned());
            return;
        }
        let endpoint = self.sharing.endpoint.as_ref().ok_or_else(|| "no cache folder was found".to_owned());
        let references = read_references(self.options.references_file.as_deref(), &[]);
        let begun = endpoint.and_then(|SharingEndpoint { cache, draw }| {
            let matchers = references?;
            let open = OpenOptions { redact: true, ..self.options.clone() };
            let pictures = Some(draw(open.clone()));
            let rules = LeakRules::clone(&self.verdicts.rules);
            Shared::begin(cache, AssistantOptions { places: Vec::new(), open, rules, matchers, pictures })
        });
        match begun {
            Ok(shared) => {
                self.sharing.shared = Some(shared);
                let how = "Assistants can ask about the open dumps, without values: heaplens mcp --window";
                self.toasts.done(ctx, how.to_owned());
            }
            Err(why) => self.toasts.warn(ctx, format!("The open dumps cannot be shared: {why}")),
        }
    }

    /// Tells assistants which dumps are open now.
    pub(super) fn share_tabs(&self) {
        let Some(shared) = &self.sharing.shared else { return };
        let open = self.tabs.iter().filter_map(|tab| Some((tab.dump.path(), tab.open_dump()?)));
        shared.assistant.share(&open.collect::<Vec<_>>());
    }
}
