//! A message of the system, where the window itself cannot open.

/// Shows an error and waits until it is closed.
pub fn show(error: &str) {
    // The result says which button was pressed: there is one.
    let _pressed = rfd::MessageDialog::new()
        .set_level(rfd::MessageLevel::Error)
        .set_title("heaplens")
        .set_description(error)
        .show();
}
