//! *Share with assistant*: programs may ask about the dumps that are open, without their values.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::ui::tab::Tab;
use heaplens_assistant::{Assistant, AssistantOptions, Pictures, serve_stream};
use heaplens_session::instance::{AssistantEndpoint, Stream};
use heaplens_session::leaks::read_references;
use heaplens_session::{LeakRules, OpenOptions};

/// What the window shares; nothing by default.
#[derive(Default)]
pub(crate) struct Sharing {
    /// Where and how; `None` in a window without a display.
    pub(crate) endpoint: Option<SharingEndpoint>,
    shared: Option<Shared>,
}

/// Where assistants find the window, and how pictures are drawn for them.
pub(crate) struct SharingEndpoint {
    /// Cache folder, below which the endpoint is.
    pub(crate) cache: PathBuf,
    pub(crate) draw: fn(OpenOptions) -> Pictures,
}

/// Open dumps that are offered.
struct Shared {
    assistant: Arc<Assistant>,
    _endpoint: AssistantEndpoint,
}

impl Sharing {
    /// True while assistants may ask.
    pub(crate) fn is_on(&self) -> bool {
        self.shared.is_some()
    }

    /// The state in the status bar; empty unless assistants may ask.
    pub(crate) fn status(&self) -> &'static str {
        if self.is_on() { "shared with assistant" } else { "" }
    }

    /// Begins or ends to share the open dumps. Returns a message.
    ///
    /// # Errors
    /// A message if they cannot be shared.
    pub(crate) fn toggle(&mut self, options: &OpenOptions, rules: &LeakRules) -> Result<&'static str, String> {
        if self.shared.take().is_some() {
            return Ok("The open dumps are no longer shared");
        }
        let SharingEndpoint { cache, draw } = self.endpoint.as_ref().ok_or("no cache folder was found")?;
        let matchers = read_references(options.references_file.as_deref(), &[])?;
        let open = OpenOptions { redact: true, ..options.clone() };
        let pictures = Some(draw(open.clone()));
        let options = AssistantOptions { allowed_paths: Vec::new(), open, rules: rules.clone(), matchers, pictures };
        self.shared = Some(Shared::begin(cache, options)?);
        Ok("Assistants can ask about the open dumps, without values: heaplens mcp --window")
    }

    /// Tells assistants which dumps are open now.
    pub(crate) fn share(&self, tabs: &[Tab]) {
        let Some(shared) = &self.shared else { return };
        let open = tabs.iter().filter_map(|tab| Some((tab.dump.path(), tab.open_dump()?)));
        shared.assistant.share(&open.collect::<Vec<_>>());
    }
}

impl Shared {
    /// Begins to serve assistants.
    ///
    /// # Errors
    /// A message if another window does, or the folder cannot be used.
    fn begin(cache: &Path, options: AssistantOptions) -> Result<Self, String> {
        let assistant = Arc::new(Assistant::new(options)?);
        let served = Arc::clone(&assistant);
        let serve = move |stream: Stream| {
            // An assistant that goes away, or that is none, concerns nobody else.
            let _ended = stream.try_clone().and_then(|from| serve_stream(Arc::clone(&served), from, stream));
        };
        let endpoint = AssistantEndpoint::open(cache, serve)?;
        Ok(Self { assistant, _endpoint: endpoint })
    }
}
