//! Stack frames without the folders of their source files.

use super::names::name;
use super::paths::file_name;

/// Frame without folders: `load (/srv/shop.js:12:5)` becomes `load (shop.js:12:5)`; `shop.Cart.add(Cart.java:17)` is
/// unchanged.
pub fn frame(frame: &str) -> String {
    let behind_blank = frame.find(" (").map(|at| at + 1);
    // The name of a script follows a function name.
    let opens = behind_blank.or_else(|| frame.find('(').filter(|&at| at > 0));
    let Some((method, script)) = opens.and_then(|opens| frame.split_at_checked(opens + 1)) else {
        return name(frame).into_owned();
    };
    let script = script.strip_suffix(')').unwrap_or(script);
    // Only line and column are removed: digits before them belong to the query.
    let path = without_number(script).map_or(script, |path| without_number(path).unwrap_or(path));
    format!("{}{}{})", name(method), file_name(path), script.get(path.len()..).unwrap_or_default())
}

/// Text before a colon and digits at the end.
fn without_number(text: &str) -> Option<&str> {
    let (before, number) = text.rsplit_once(':')?;
    (!number.is_empty() && number.bytes().all(|digit| digit.is_ascii_digit())).then_some(before)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_redacted_frame_has_no_paths() {
        for (original, shown) in [
            ("load (/srv/demo/shop.js:12:5)", "load (shop.js:12:5)"),
            ("load (C:\\Users\\ann\\shop.js:12:5)", "load (shop.js:12:5)"),
            ("(anonymous) (/home/Ann (work)/a.js)", "(anonymous) (a.js)"),
            ("load (https://shop.test/a.js?token=secret:1:2)", "load (a.js:1:2)"),
            ("load (data:text/javascript,secret()//:1:2)", "load (data:1:2)"),
            ("load (https://shop.test/a.js?token=123456:1:2)", "load (a.js:1:2)"),
            ("load (https://shop.test/a.js?v=1699999999)", "load (a.js)"),
            ("load (data:text/javascript,pin=1234:1:2)", "load (data:1:2)"),
            ("java.util.ArrayList.grow(ArrayList.java:9)", "java.util.ArrayList.grow(ArrayList.java:9)"),
            ("java.lang.Object.wait(native method)", "java.lang.Object.wait(native method)"),
            ("shop.Cart.add(/home/ann/shop/Cart.kt:17)", "shop.Cart.add(Cart.kt:17)"),
            ("shop.Cart.add", "shop.Cart.add"),
            ("(anonymous)", "(anonymous)"),
        ] {
            assert_eq!(frame(original), shown);
        }
    }
}
