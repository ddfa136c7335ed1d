//! `gtk-4.0/settings.ini`, used by programs on desktops without a portal.

use super::scheme::Appearance;

/// Colour scheme in the text of a settings file.
pub fn of_settings(text: &str) -> Option<Appearance> {
    let mut inside = false;
    let mut scheme = None;
    for line in text.lines().map(str::trim) {
        if line.starts_with('[') {
            inside = line == "[Settings]";
        } else if let Some((key, value)) = line.split_once('=').filter(|_| inside)
            && key.trim() == "gtk-application-prefer-dark-theme"
        {
            // The last entry counts, as in GTK.
            scheme = match value.trim() {
                "1" | "true" | "TRUE" | "True" | "yes" => Some(Appearance::Dark),
                "0" | "false" | "FALSE" | "False" | "no" => Some(Appearance::Light),
                _ => scheme,
            };
        }
    }
    scheme
}

/// Colour scheme in the user's file, if there is one.
#[cfg(all(feature = "desktop", target_os = "linux"))]
pub(super) fn read() -> Option<Appearance> {
    let folder = crate::folders::settings()?;
    let versions = ["gtk-4.0", "gtk-3.0"];
    let text = |version| std::fs::read_to_string(folder.join(version).join("settings.ini")).ok();
    versions.into_iter().find_map(|version| of_settings(&text(version)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_one_line_of_its_section_counts() {
        for (text, says) in [
            ("[Settings]\ngtk-application-prefer-dark-theme=1\n", Some(Appearance::Dark)),
            ("# x\n [Settings]\r\n gtk-application-prefer-dark-theme = false\r\n", Some(Appearance::Light)),
            (
                "[Settings]\ngtk-application-prefer-dark-theme=true\ngtk-application-prefer-dark-theme=0",
                Some(Appearance::Light),
            ),
            ("[Other]\ngtk-application-prefer-dark-theme=1", None),
            ("gtk-application-prefer-dark-theme=1", None),
            ("[Settings]\n#gtk-application-prefer-dark-theme=1\ngtk-theme-name=Dark", None),
            ("[Settings]\ngtk-application-prefer-dark-theme=perhaps", None),
            ("", None),
        ] {
            assert_eq!(of_settings(text), says, "{text:?}");
        }
    }
}
