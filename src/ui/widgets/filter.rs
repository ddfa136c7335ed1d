//! Filter field of a table: words, or a regular expression between slashes.

use eframe::egui;
use egui::{Id, Rect, Sense, TextEdit, Ui, vec2};

use crate::ui::theme::icons::{self, Icon};
use crate::ui::theme::{fonts, tokens};
use crate::ui::widgets::controls;
use heaplens_analysis::filter::{TextFilter, heap_and_rest, in_heap};

/// Typed text and its pattern.
#[derive(Debug, Clone, Default)]
pub struct Filter {
    text: String,
    /// Text of the current pattern; differs from the typed text while that is invalid.
    understood: String,
    pattern: TextFilter,
    error: Option<String>,
}

impl Filter {
    /// Typed text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Text of the current pattern, as the command line accepts it.
    pub fn understood(&self) -> &str {
        &self.understood
    }

    /// True if all rows match.
    pub fn is_empty(&self) -> bool {
        self.pattern.is_empty()
    }

    /// True if `text` matches.
    pub fn passes(&self, text: &str) -> bool {
        self.pattern.matches(text)
    }

    /// Android heap that the filter names.
    pub fn heap(&self) -> Option<&str> {
        self.pattern.heap().map(|(name, _)| name)
    }

    /// Sets the Android heap of the filter, or removes it; the other words stay.
    pub fn choose_heap(&mut self, name: Option<&str>) {
        let rest = heap_and_rest(&self.text).map_or(&*self.text, |(_, rest)| rest);
        let text = in_heap(name, rest);
        self.set(&text);
    }

    /// Current pattern.
    pub fn pattern(&self) -> &TextFilter {
        &self.pattern
    }

    /// Replaces the typed text.
    pub fn set(&mut self, text: &str) {
        text.clone_into(&mut self.text);
        self.read();
    }

    fn read(&mut self) {
        let text = match heap_and_rest(&self.text) {
            Some((name, rest)) => in_heap(Some(name), &closed(rest)),
            None => closed(&self.text),
        };
        match TextFilter::parse(&text) {
            Ok(pattern) => (self.pattern, self.understood, self.error) = (pattern, text, None),
            // The last valid pattern stays.
            Err(error) => self.error = Some(error),
        }
    }

    /// Draws the field; true if the pattern may have changed.
    pub fn ui(&mut self, ui: &mut Ui, id: Id, name: &str, width: f32, focus: bool) -> bool {
        let tokens = tokens(ui);
        let (rect, _) = ui.allocate_exact_size(vec2(width, 28.0), Sense::HOVER);
        let focused = ui.memory(|m| m.has_focus(id));
        let line = match (&self.error, focused) {
            (Some(_), _) => tokens.error,
            (None, true) => tokens.accent,
            (None, false) => tokens.edge,
        };
        ui.painter().rect(rect, 6.0, tokens.surface, (1.0, line), egui::StrokeKind::Inside);
        let icon = Rect::from_min_size(rect.min, vec2(28.0, 28.0));
        icons::paint(ui.painter(), Icon::Search, icon, 11.0, tokens.faint);
        let line_height = ui.fonts_mut(|f| f.row_height(&fonts::text()));
        let mut inner = rect.shrink2(vec2(4.0, ((rect.height() - line_height) / 2.0).max(0.0)));
        inner.min.x += 22.0;
        if !self.text.is_empty() {
            inner.max.x -= 24.0;
        }
        let edit = TextEdit::singleline(&mut self.text)
            .id(id)
            .frame(egui::Frame::NONE)
            .hint_text(egui::RichText::new(name).color(tokens.faint))
            .font(fonts::text())
            .margin(egui::Margin::symmetric(4, 0))
            .desired_width(inner.width());
        let response = ui.put(inner, edit);
        // Widgets beside the field must not move when the cross appears.
        ui.advance_cursor_after_rect(rect);
        if focus {
            response.request_focus();
        }
        ui.ctx().accesskit_node_builder(id, |node| node.set_label(name));
        let mut changed = response.changed();
        if !self.text.is_empty() {
            let cross = Rect::from_min_size(rect.right_top() - vec2(26.0, 0.0), vec2(26.0, 28.0));
            let clear = ui.interact(cross, id.with("clear"), Sense::click());
            clear.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Button, true, "Clear the filter"));
            let color = if clear.hovered() { tokens.text } else { tokens.faint };
            controls::focus_ring(ui, &clear, cross.shrink(3.0));
            icons::paint(ui.painter(), Icon::Cross, cross, 8.0, color);
            if clear.clicked() {
                self.text.clear();
                changed = true;
            }
        }
        if changed {
            self.read();
        }
        match &self.error {
            Some(error) => response.on_hover_text(error),
            None => response.on_hover_text("Words (case-insensitive) or a /regular expression/"),
        };
        changed
    }
}

/// Adds the closing slash of a regular expression, which is missing while it is typed.
fn closed(text: &str) -> String {
    let mut text = text.trim().to_owned();
    if text.starts_with('/') && !(text.len() > 1 && text.ends_with('/')) {
        text.push('/');
    }
    if text == "//" {
        text.clear();
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_and_expressions() {
        let mut filter = Filter::default();
        assert!(filter.is_empty() && filter.passes("anything"));
        filter.set("hash.map[");
        assert!(filter.passes("x.Hash.Map[]") && !filter.passes("java.util.HashMap"));
        filter.set("/^java.*Map$/");
        assert!(filter.passes("java.util.HashMap") && !filter.passes("my.java.util.Map"));
        filter.set("/^java.*S");
        assert!(filter.passes("java.util.Set"), "an expression that is not closed yet");
        filter.set("/^java.*Map$/");
        filter.set("/(/");
        assert!(filter.passes("java.util.HashMap"), "what was understood last stays");
        filter.set("");
        assert!(filter.is_empty());
    }

    #[test]
    fn a_heap_filter_combines_with_the_typed_filter() {
        let mut filter = Filter::default();
        filter.set("/^a");
        filter.choose_heap(Some("app"));
        assert_eq!((filter.text(), filter.understood(), filter.heap()), ("heap:app /^a", "heap:app /^a/", Some("app")));
        filter.choose_heap(Some("my heap"));
        assert_eq!((filter.text(), filter.heap()), ("heap:\"my heap\" /^a", Some("my heap")));
        filter.choose_heap(None);
        assert_eq!((filter.text(), filter.heap()), ("/^a", None));
    }
}
