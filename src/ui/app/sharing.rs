//! *Share with assistant*: programs may ask about the dumps that are open, without their values.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use eframe::egui::Context;

use super::App;
use crate::ui::screenshot::pictures;
use heaplens_assistant::{Assistant, AssistantOptions, SharedTab, serve_stream};
use heaplens_session::instance::{AssistantEndpoint, Stream};
use heaplens_session::leaks::read_references;
use heaplens_session::{LeakRules, OpenDump, OpenOptions};

/// What the window shares; nothing by default.
#[derive(Default)]
pub(super) struct Sharing {
    /// Cache folder, below which assistants find the window; `None` in a window without a display.
    cache: Option<PathBuf>,
    shared: Option<Shared>,
}

struct Shared {
    assistant: Arc<Assistant>,
    /// The tabs that are offered: file, and place of the heap in memory.
    offered: Vec<(PathBuf, usize)>,
    _endpoint: AssistantEndpoint,
}

impl Sharing {
    /// True while assistants may ask.
    pub(super) fn is_on(&self) -> bool {
        self.shared.is_some()
    }

    /// The state in the status bar; empty unless assistants may ask.
    pub(super) fn status(&self) -> &'static str {
        if self.is_on() { "shared with assistant" } else { "" }
    }
}

impl Shared {
    fn begin(cache: &Path, options: AssistantOptions) -> Result<Self, String> {
        let assistant = Arc::new(Assistant::new(options)?);
        let served = Arc::clone(&assistant);
        let serve = move |stream: Stream| {
            // An assistant that goes away, or that is none, concerns nobody else.
            let _ended = stream.try_clone().and_then(|from| serve_stream(Arc::clone(&served), from, stream));
        };
        let endpoint = AssistantEndpoint::open(cache, serve)?;
        Ok(Self { assistant, offered: Vec::new(), _endpoint: endpoint })
    }
}

impl App {
    /// Lets assistants find this window below the cache folder, once its dumps are shared.
    pub fn share_below(&mut self, cache: PathBuf) {
        self.sharing.cache = Some(cache);
    }

    /// Begins or ends to share the open dumps.
    pub(super) fn turn_sharing(&mut self, ctx: &Context) {
        if self.sharing.shared.take().is_some() {
            self.toasts.done(ctx, "The open dumps are no longer shared".to_owned());
            return;
        }
        let cache = self.sharing.cache.clone().ok_or_else(|| "no cache folder was found".to_owned());
        let references = read_references(self.options.references_file.as_deref(), &[]);
        let begun = cache.and_then(|cache| {
            let matchers = references?;
            let open = OpenOptions { redact: true, ..self.options.clone() };
            let pictures = Some(pictures(open.clone()));
            let rules = LeakRules::clone(&self.verdicts.rules);
            Shared::begin(&cache, AssistantOptions { places: Vec::new(), open, rules, matchers, pictures })
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
    pub(super) fn share_tabs(&mut self) {
        let Some(shared) = &mut self.sharing.shared else { return };
        let open = self.tabs.iter().filter_map(|tab| Some((tab.dump.path(), tab.open_dump()?)));
        let open: Vec<_> = open.collect();
        let same = |(path, dump): &(&Path, &OpenDump), (file, heap): &(PathBuf, usize)| {
            path == file && Arc::as_ptr(&dump.heap).addr() == *heap
        };
        let is_unchanged =
            open.len() == shared.offered.len() && open.iter().zip(&shared.offered).all(|(a, b)| same(a, b));
        if is_unchanged {
            return;
        }
        shared.offered = open.iter().map(|(path, dump)| (path.to_path_buf(), Arc::as_ptr(&dump.heap).addr())).collect();
        let tab = |(path, dump): (&Path, &OpenDump)| SharedTab { file: path.to_owned(), dump: dump.clone() };
        shared.assistant.share(&open.into_iter().map(tab).collect::<Vec<_>>());
    }
}
