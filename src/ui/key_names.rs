//! Names of keyboard shortcuts, as each system writes them: `Ctrl+K`, on macOS `⌘K`.

use std::borrow::Cow;

use eframe::egui;
use egui::{Context, Key, KeyboardShortcut, Modifiers};

/// Sign printed on a key that has a name in egui.
pub fn sign(key: Key) -> Option<&'static str> {
    Some(match key {
        Key::Period => ".",
        Key::Slash => "/",
        Key::Plus => "+",
        Key::Minus => "-",
        Key::Equals => "=",
        Key::Quote => "'",
        Key::Questionmark => "?",
        Key::OpenBracket => "[",
        Key::CloseBracket => "]",
        Key::Escape => "Esc",
        _ => return None,
    })
}

/// Label of a shortcut with the sign printed on the key: `Ctrl+-`, not `Ctrl+Minus`.
pub fn written(ctx: &Context, keys: &KeyboardShortcut) -> String {
    let text = ctx.format_shortcut(keys);
    let arrow = match keys.logical_key {
        // egui has other signs for macOS, which few fonts have.
        Key::ArrowLeft if ctx.os().is_mac() => Some("←"),
        Key::ArrowRight if ctx.os().is_mac() => Some("→"),
        key => sign(key),
    };
    let Some(sign) = arrow else { return text };
    // The key comes last, after its modifiers.
    let names = [keys.logical_key.name(), keys.logical_key.symbol_or_name()];
    let held = names.into_iter().find_map(|name| text.strip_suffix(name));
    held.map_or_else(|| text.clone(), |held| format!("{held}{sign}"))
}

/// A text that names keys as on Linux and Windows, with the names that they have on this system.
pub fn in_text<'a>(ctx: &Context, text: &'a str) -> Cow<'a, str> {
    if !ctx.os().is_mac() || !(text.contains("Ctrl+") || text.contains("Alt+")) {
        return Cow::Borrowed(text);
    }
    let held = |modifiers| {
        let keys = written(ctx, &KeyboardShortcut::new(modifiers, Key::K));
        keys.strip_suffix('K').unwrap_or_default().to_owned()
    };
    let command = held(Modifiers::COMMAND);
    let text = text.replace("Ctrl+", &command).replace("Alt+", &held(Modifiers::ALT));
    // The system itself has Command+Tab.
    Cow::Owned(text.replace(&format!("{command}Tab"), &format!("{}Tab", held(Modifiers::CTRL))))
}

#[cfg(test)]
mod tests {
    use egui::os::OperatingSystem;

    use super::*;

    /// Texts in a context of this system, which has fonts after its first frame.
    fn texts(system: OperatingSystem) -> Vec<String> {
        let ctx = Context::default();
        ctx.set_os(system);
        // egui refuses to lose textures without being told so.
        ctx.run_ui(egui::RawInput::default(), |_| {}).textures_delta.clear();
        let keys = [
            (Modifiers::COMMAND, Key::K),
            (Modifiers::COMMAND, Key::Minus),
            (Modifiers::ALT, Key::ArrowLeft),
            (Modifiers::CTRL, Key::Tab),
            (Modifiers::NONE, Key::Slash),
        ];
        let written = keys.map(|(held, key)| written(&ctx, &KeyboardShortcut::new(held, key)));
        let manual = in_text(&ctx, "Ctrl+K, Shift+R, Ctrl+Tab, Alt+←");
        written.into_iter().chain([manual.into_owned()]).collect()
    }

    #[test]
    fn shortcuts_are_written_as_the_system_does() {
        let linux = ["Ctrl+K", "Ctrl+-", "Alt+Left", "Ctrl+Tab", "/", "Ctrl+K, Shift+R, Ctrl+Tab, Alt+←"];
        assert_eq!(texts(OperatingSystem::Nix), linux);
        assert_eq!(texts(OperatingSystem::Windows), linux);
        let (signs, names) = (
            ["⌘K", "⌘-", "⌥←", "⌃Tab", "/", "⌘K, Shift+R, ⌃Tab, ⌥←"],
            ["Cmd+K", "Cmd+-", "Option+←", "Ctrl+Tab", "/", "Cmd+K, Shift+R, Ctrl+Tab, Option+←"],
        );
        // Which of both depends on the fonts.
        let mac = texts(OperatingSystem::Mac);
        assert!(mac == signs || mac == names, "{mac:?}");
    }
}
