//! temporary
fn main() {
    let paths: Vec<std::path::PathBuf> = std::env::args().skip(1).map(Into::into).collect();
    if let Err(e) = heaplens::ui::display::run(paths, Default::default()) { println!("no window: {e}"); }
}
