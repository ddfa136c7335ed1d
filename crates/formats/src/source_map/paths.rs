//! Files of the source, as a map names them: relative to the script, or as addresses.

/// Path of a file of the source, beside a script: `/srv/app/dist/server.js` and `../src/cart.ts` are `/srv/app/src/cart.ts`.
pub(super) fn resolved(script: &str, root: &str, source: &str) -> String {
    let joined = match root {
        _ if is_absolute(source) => source.to_owned(),
        "" => source.to_owned(),
        root if root.ends_with('/') => format!("{root}{source}"),
        root => format!("{root}/{source}"),
    };
    if is_absolute(&joined) {
        return joined;
    }
    let script = script.strip_prefix("file://").unwrap_or(script);
    let (start, folder) = folder(script);
    let mut parts: Vec<&str> = folder.split(['/', '\\']).filter(|part| !part.is_empty()).collect();
    for part in joined.split('/') {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()),
            part => parts.push(part),
        }
    }
    let slash = if start.is_empty() || start.ends_with('/') { "" } else { "/" };
    format!("{start}{slash}{}", parts.join("/"))
}

/// True of paths from the root, of paths of a drive and of addresses: `/a`, `C:\a`, `webpack://shop/./a.js`.
fn is_absolute(path: &str) -> bool {
    let colon = path.find(':').filter(|&at| at > 0);
    let is_scheme = |at| path.get(..at).is_some_and(|name: &str| name.bytes().all(|byte| byte.is_ascii_alphanumeric()));
    path.starts_with(['/', '\\']) || colon.is_some_and(is_scheme)
}

/// The part of a path that `..` does not leave, such as the host of an address, and the folder in it.
fn folder(script: &str) -> (&str, &str) {
    let start = match script.split_once("://") {
        Some((scheme, rest)) => scheme.len() + 3 + rest.find('/').map_or(rest.len(), |at| at + 1),
        None if script.starts_with('/') => 1,
        None => 0,
    };
    let (start, path) = script.split_at_checked(start).unwrap_or(("", script));
    (start, path.rfind(['/', '\\']).and_then(|at| path.get(..at)).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::resolved;

    #[test]
    fn files_are_relative_to_the_script() {
        for (script, root, source, path) in [
            ("/srv/app/dist/server.js", "", "../src/cart.ts", "/srv/app/src/cart.ts"),
            ("/srv/app/dist/server.js", "../src", "cart.ts", "/srv/app/src/cart.ts"),
            ("file:///srv/app/dist/server.mjs", "", "../src/cart.ts", "/srv/app/src/cart.ts"),
            (
                "http://localhost:8080/assets/index.js",
                "",
                "../../../src/main.tsx",
                "http://localhost:8080/src/main.tsx",
            ),
            ("http://localhost", "", "a.js", "http://localhost/a.js"),
            ("C:\\app\\dist\\server.js", "", "../src/cart.ts", "C:/app/src/cart.ts"),
            ("server.js", "", "../../cart.ts", "cart.ts"),
            ("server.js", "/", "cart.ts", "/cart.ts"),
            ("/srv/a.js", "x", "webpack://shop/./cart.js", "webpack://shop/./cart.js"),
            ("/a.js", "", "", "/"),
        ] {
            assert_eq!(resolved(script, root, source), path, "{script} {root} {source}");
        }
    }
}
