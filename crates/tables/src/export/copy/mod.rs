//! Copied content as plain data, and the forms it is written in: deterministic, headed by the identity of the dump.

mod clip;
mod json;
mod markdown;
mod text;
mod trace;
pub mod traces;
mod tree;

pub use self::clip::{Clip, ClipBody, CopyFormat, Excerpt, Row, Rows};
use self::text::text;

use super::markdown::escaped;
use super::printable::{one_line, printable};
use heaplens_base::invisible::visible_json;

impl Clip {
    /// Writes the content in a form. Equal clips give equal bytes.
    pub fn render(&self, form: CopyFormat) -> String {
        let text = match (self.in_form(form), form) {
            (text, CopyFormat::Json) => visible_json(&text, &[]),
            (text, _) => printable(&text).into_owned(),
        };
        match (self.missing(), form) {
            (Some(missing), CopyFormat::Text | CopyFormat::Trace) => format!("{text}\n{missing}\n"),
            (Some(missing), CopyFormat::Markdown) => format!("{text}\n_{}_\n", escaped(&missing)),
            (Some(missing), CopyFormat::Cells) => format!("{text}{missing}\n"),
            // JSON has a key for it, and a command line prints the same rows.
            _ => text,
        }
    }

    fn in_form(&self, form: CopyFormat) -> String {
        match form {
            CopyFormat::Command => format!("{}\n", self.command),
            CopyFormat::Json => json::json(self),
            CopyFormat::Markdown => markdown::markdown(self),
            CopyFormat::Cells => match &self.body {
                ClipBody::Rows(rows)
                | ClipBody::Object(_, rows, _)
                | ClipBody::Traces(_, rows)
                | ClipBody::Findings(_, rows) => tree::cells(rows),
                ClipBody::Path(path) => text::path_text(path),
            },
            // A LeakCanary trace is copied without a heading.
            CopyFormat::Text | CopyFormat::Trace if let ClipBody::Traces(text, _) = &self.body => text.clone(),
            CopyFormat::Text | CopyFormat::Trace => {
                let body = match &self.body {
                    ClipBody::Path(path) if form == CopyFormat::Trace => trace::trace(path),
                    body => text(body),
                };
                format!("{}\n{}\n\n{body}", self.identity.line(), one_line(&self.title))
            }
        }
    }
}
