//! Search of the help: words in any order, and the message if no text has them.

use eframe::egui;
use egui::{RichText, Ui};

use crate::ui::theme::tokens;

/// True if each word of `search` is in `text`, ignoring case. An empty search matches everything.
pub(super) fn matches(search: &str, text: &str) -> bool {
    contains(search, &text.to_lowercase())
}

/// [`matches()`] for a text in lower case.
pub(super) fn contains(search: &str, text: &str) -> bool {
    search.split_whitespace().all(|word| text.contains(&word.to_lowercase()))
}

/// Draws the message for a search without results.
pub(super) fn nothing_ui(ui: &mut Ui, search: &str) {
    ui.add_space(24.0);
    ui.vertical_centered(|ui| {
        let text = format!("No match for “{}” on this page. The numbers above are the matches per page", search.trim());
        ui.label(RichText::new(text).color(tokens(ui).muted));
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_found_in_any_order_and_case() {
        assert!(matches("size RETAINED", "Retained size: bytes that"));
        assert!(!matches("size missing", "Retained size"));
        assert!(matches("  ", "anything"));
    }
}
