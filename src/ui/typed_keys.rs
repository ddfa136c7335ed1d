//! Tells keys by what they type. Where a key types a sign that egui does not know, egui reports the key at that place of a
//! US keyboard: `*` is reported as Shift+8, on German keyboards as Shift+], and `ä` as the quote.

use eframe::egui::{Context, Event, Key, Modifiers};

/// Removes the presses of keys that typed something else than the sign of the key: they are no shortcut of that key.
pub fn ignore_other_signs(ctx: &Context) {
    ctx.input_mut(|input| {
        // The text of a key is the event after it.
        let typed: Vec<bool> = (0..input.events.len())
            .map(|at| match (&input.events[at], input.events.get(at + 1)) {
                (Event::Key { key, pressed: true, modifiers, .. }, Some(Event::Text(text))) => {
                    is_other_sign(*key, *modifiers, text)
                }
                _ => false,
            })
            .collect();
        let mut typed = typed.into_iter();
        input.events.retain(|_| !typed.next().unwrap_or_default());
    });
}

fn is_other_sign(key: Key, modifiers: Modifiers, text: &str) -> bool {
    let mut letters = text.chars();
    let (Some(typed), None) = (letters.next(), letters.next()) else { return false };
    if Key::from_name(text) == Some(key) {
        return false;
    }
    let mut name = key.symbol_or_name().chars();
    let is_letter = matches!((name.next(), name.next()), (Some('A'..='Z'), None));
    let is_digit = (Key::Num0..=Key::Num9).contains(&key);
    // Letters and signs of other scripts stand for the key at their place: without them there would be no shortcuts.
    // So do the signs that French keyboards have at the places of digits.
    let is_latin = typed.is_alphabetic() && typed < '\u{250}';
    modifiers.alt || (modifiers.shift && !is_letter) || (is_latin && !is_letter && !is_digit)
}

/// Keys typed right after one that leads to a field: they are for the field, which has the focus in the next frame only.
#[derive(Default)]
pub struct TypedAhead(Vec<Event>);

impl TypedAhead {
    /// Returns the keys of the frame before to this one. Unless something `is_awaited` or has the focus, takes the keys
    /// after the first press that leads to a field, without the sign that it typed.
    pub fn hold(&mut self, ctx: &Context, is_awaited: bool, leads_to_field: impl Fn(Key, Modifiers) -> bool) {
        let is_typing = is_awaited || ctx.egui_wants_keyboard_input();
        ctx.input_mut(|input| {
            input.events.splice(0..0, std::mem::take(&mut self.0));
            let leads = |event: &Event| matches!(event, Event::Key { key, pressed: true, modifiers, .. } if leads_to_field(*key, *modifiers));
            let Some(at) = input.events.iter().position(leads).filter(|_| !is_typing) else { return };
            let mut later = input.events.split_off(at + 1);
            if matches!(later.first(), Some(Event::Text(_))) {
                later.remove(0);
            }
            let (keys, others) = later.into_iter().partition(|event| matches!(event, Event::Key { .. } | Event::Text(_)));
            self.0 = keys;
            input.events.extend::<Vec<Event>>(others);
        });
        if !self.0.is_empty() {
            ctx.request_repaint();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_told_by_what_it_types() {
        let (none, shift) = (Modifiers::NONE, Modifiers::SHIFT);
        for (key, modifiers, text, is_other) in [
            // US: `*`, `$` and `"` are the digits 8 and 4, and the quote, with Shift.
            (Key::Num8, shift, "*", true),
            (Key::Num4, shift, "$", true),
            (Key::Quote, shift, "\"", true),
            (Key::Minus, shift, "_", true),
            (Key::Questionmark, shift, "?", false),
            (Key::Plus, shift, "+", false),
            // German: `*` is beside Enter, `"` is the digit 2, `/` the digit 7.
            (Key::CloseBracket, shift, "*", true),
            (Key::Num2, shift, "\"", true),
            (Key::Slash, shift, "/", false),
            (Key::Quote, none, "ä", true),
            // French: digits are typed with Shift, but their keys act without it, too.
            (Key::Num1, shift, "1", false),
            (Key::Num1, none, "&", false),
            (Key::Num2, none, "é", false),
            // Russian: letters stand for the keys at their places.
            (Key::C, none, "с", false),
            (Key::C, shift, "С", false),
            (Key::OpenBracket, none, "х", false),
            // Option on macOS.
            (Key::Num1, Modifiers::ALT, "¡", true),
            (Key::C, Modifiers::ALT, "ç", true),
            (Key::C, shift, "C", false),
        ] {
            assert_eq!(is_other_sign(key, modifiers, text), is_other, "{key:?} {modifiers:?} {text}");
        }
    }
}
