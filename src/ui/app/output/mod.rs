//! What leaves the window: copies, links, exported files.

pub(crate) mod copy;
pub(crate) mod links;

use eframe::egui::Context;

use self::copy::{CopyAs, Copying};
use self::links::Links;
use super::event::{Event, Owner};
use crate::ui::clipboard::{Clipboard, Content, Copied};
use crate::ui::exporting::Exporting;
use crate::ui::shell::toasts::Toasts;
use heaplens_base::Count;
use heaplens_session::Jobs;
use heaplens_session::link::{LONGEST, LinkError};
use heaplens_tables::export::copy::{Clip, ClipBody, CopyFormat};
use heaplens_tables::export::printable::printable;

/// Copies, links and exports.
#[derive(Default)]
pub(super) struct Output {
    pub(super) copying: Copying,
    pub(super) links: Links,
    pub(super) clipboard: Clipboard,
    pub(super) exporting: Exporting,
}

impl Output {
    /// Copies content to the clipboard; `name` describes it in messages.
    pub(super) fn put_on_clipboard(&mut self, ctx: &Context, toasts: &mut Toasts, content: Content, name: String) {
        let content = match content {
            Content::Text(text) => Content::Text(printable(&text).into_owned()),
            picture @ Content::Picture(_) => picture,
        };
        let copied = self.clipboard.copy(ctx, content, name);
        copied.into_iter().for_each(|copied| report_copy(ctx, toasts, copied));
    }

    /// Copies a clip in the format that was asked for; `last` is the one used last. The open *Copy as* dialog shows it
    /// instead. `cuts` is the command line of the cuts, empty without cuts.
    pub(super) fn copy(&mut self, ctx: &Context, toasts: &mut Toasts, clip: Clip, last: CopyFormat, cuts: &str) {
        match self.copying.format {
            CopyAs::LastForm => self.put(ctx, toasts, &clip, last, cuts),
            CopyAs::As(format) => self.put(ctx, toasts, &clip, format, cuts),
            CopyAs::Chosen => {
                if let Some(chooser) = &mut self.copying.chooser {
                    chooser.show(clip);
                }
            }
        }
    }

    /// Copies a clip in a format.
    pub(super) fn put(&mut self, ctx: &Context, toasts: &mut Toasts, clip: &Clip, format: CopyFormat, cuts: &str) {
        let is_command = format == CopyFormat::Command;
        let mut text = clip.render(format);
        if is_command {
            text.push_str(cuts);
        }
        let name = match &clip.body {
            _ if is_command => "the command line".to_owned(),
            ClipBody::Path(_) => "the path".to_owned(),
            ClipBody::Object(..) if clip.excerpt.is_some() => format!("the object with {}", clip.counted()),
            ClipBody::Object(..) => "the object".to_owned(),
            ClipBody::Traces(_, rows) if rows.rows.len() == 1 => "the leak".to_owned(),
            ClipBody::Traces(_, rows) => format!("{} leaks", Count(rows.rows.len() as u64)),
            ClipBody::Findings(findings, _) if findings.len() == 1 => "the finding".to_owned(),
            ClipBody::Findings(findings, _) => format!("{} findings", Count(findings.len() as u64)),
            ClipBody::Rows(_) => clip.counted(),
        };
        let hint = clip.excerpt.as_ref().map(|excerpt| &excerpt.hint).filter(|hint| !hint.is_empty());
        let hint = hint.map(|hint| format!("; {hint}")).unwrap_or_default();
        let form = if is_command { String::new() } else { format!(" as {}", format.name_in_sentence()) };
        self.put_on_clipboard(ctx, toasts, Content::Text(text), format!("{name}{form}{hint}"));
    }
}

impl Owner for Output {
    fn poll(&mut self, ctx: &Context, jobs: &Jobs, toasts: &mut Toasts) -> Vec<Event> {
        let copied = self.clipboard.poll(ctx);
        copied.into_iter().for_each(|copied| report_copy(ctx, toasts, copied));
        self.exporting.tick(ctx, jobs, toasts);
        match self.links.copying.take_ended() {
            Some(Ok(text)) if text.len() > LONGEST => {
                toasts.warn(ctx, format!("Cannot copy the link: {}. Remove fewer references", LinkError::TooLong));
            }
            Some(Ok(text)) => self.put_on_clipboard(ctx, toasts, Content::Text(text), "the link".to_owned()),
            Some(Err(why)) => toasts.warn(ctx, format!("Cannot copy the link: {why}")),
            None => {}
        }
        Vec::new()
    }
}

fn report_copy(ctx: &Context, toasts: &mut Toasts, (name, result): Copied) {
    match result {
        Ok(()) => toasts.done(ctx, format!("Copied {name}")),
        Err(error) => toasts.warn(ctx, format!("Cannot copy {name}: {error}")),
    }
}
