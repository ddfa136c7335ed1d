//! State of *Share with assistant*: where assistants find the window, and what they are offered.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use heaplens_assistant::{Assistant, AssistantOptions, Pictures, serve_stream};
use heaplens_session::OpenOptions;
use heaplens_session::instance::{AssistantEndpoint, Stream};

/// What the window shares; nothing by default.
#[derive(Default)]
pub(super) struct Sharing {
    /// Where and how; `None` in a window without a display.
    pub(super) endpoint: Option<SharingEndpoint>,
    pub(super) shared: Option<Shared>,
}

/// Where assistants find the window, and how pictures are drawn for them.
pub(super) struct SharingEndpoint {
    /// Cache folder, below which the endpoint is.
    pub(super) cache: PathBuf,
    pub(super) draw: fn(OpenOptions) -> Pictures,
}

/// Open dumps that are offered.
pub(super) struct Shared {
    pub(super) assistant: Arc<Assistant>,
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
    /// Begins to serve assistants.
    ///
    /// # Errors
    /// A message if another window does, or the folder cannot be used.
    pub(super) fn begin(cache: &Path, options: AssistantOptions) -> Result<Self, String> {
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
