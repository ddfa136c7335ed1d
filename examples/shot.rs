//! temporary
use heaplens::ui::screenshot::*;
fn main() {
    let a: Vec<String> = std::env::args().collect();
    // out page theme size object files...
    let (w, h) = a[4].split_once('x').unwrap();
    let (h, scale) = h.split_once('@').unwrap_or((h, "1"));
    let shot = Shot {
        page: Page::named(&a[2]),
        object: (a[5] != "-").then(|| a[5].clone()),
        dark: a[3] == "dark",
        size: [w.parse().unwrap(), h.parse().unwrap()],
        scale: scale.parse().unwrap(),
    };
    let paths: Vec<std::path::PathBuf> = a[6..].iter().map(Into::into).collect();
    let t = std::time::Instant::now();
    screenshot(&paths, &shot, Default::default(), std::path::Path::new(&a[1])).unwrap();
    eprintln!("{:?}", t.elapsed());
}
