//! Versions, and which of them an advisory is about: `>=0.9.0, <0.9.20 || <0.2.5`, or `*` for all.

/// A version by its numbers. A version before a release (`1.0.0-rc.1`) counts as that release.
fn numbers(version: &str) -> Option<[u64; 3]> {
    let release = version.split(['-', '+']).next()?;
    let mut parts = release.split('.').map(str::parse::<u64>);
    let numbers = [parts.next()?.ok()?, parts.next()?.ok()?, parts.next()?.ok()?];
    parts.next().is_none().then_some(numbers)
}

/// True if a version is in these ranges; `None` if either cannot be parsed.
pub(crate) fn is_affected(version: &str, ranges: &str) -> Option<bool> {
    let version = numbers(version)?;
    let mut affected = false;
    for range in ranges.split("||") {
        let mut within = true;
        for bound in range.split(',').map(str::trim) {
            let at = bound.find(|c: char| c.is_ascii_digit()).unwrap_or(bound.len());
            let than = || numbers(&bound[at..]);
            within &= match bound[..at].trim() {
                "*" => true,
                "<" => version < than()?,
                "<=" => version <= than()?,
                ">=" => version >= than()?,
                "=" => version == than()?,
                _ => return None,
            };
        }
        affected |= within;
    }
    Some(affected)
}

#[test]
fn ranges_are_read() {
    for (version, ranges, affected) in [
        ("0.9.11", "<0.9.11", false),
        ("0.9.10", "<0.9.11", true),
        ("0.10.0", "<0.9.11", false),
        ("1.2.3", "*", true),
        ("0.9.19", ">=0.9.0, <0.9.20", true),
        ("0.8.19", ">=0.9.0, <0.9.20", false),
        ("0.10.0", ">=0.7.0, <0.9.3 || =0.10.0", true),
        ("0.10.1", ">=0.7.0, <0.9.3 || =0.10.0", false),
        ("0.6.0+11769913", "<=0.6.0", true),
    ] {
        assert_eq!(is_affected(version, ranges), Some(affected), "{version} {ranges}");
    }
    for (version, ranges) in [("1.0", "*"), ("1.0.0", "1.0.0"), ("1.0.0", "<1"), ("1.0.0", ""), ("x", "<1.0.0")] {
        assert_eq!(is_affected(version, ranges), None, "{version} {ranges}");
    }
}
