//! Names of findings without values of the program: keys of maps, names of threads.

use heaplens_analysis::LeakFinding;

/// Class whose label is the name of a class.
const CLASS: &str = "java.lang.Class";

/// Hides the values in the names of a finding, and the labels of its objects.
pub fn hide_in_finding(finding: &mut LeakFinding) {
    for text in [&mut finding.name, &mut finding.label, &mut finding.qualified] {
        *text = without_values(text);
    }
    for text in [&mut finding.distinction, &mut finding.within, &mut finding.growth_within].into_iter().flatten() {
        *text = without_values(text);
    }
    for cut in &mut finding.cut {
        (cut.name, cut.reference) = (without_values(&cut.name), without_values(&cut.reference));
    }
    for named in [&mut finding.holder, &mut finding.point].into_iter().flatten().filter(|named| named.class != CLASS) {
        named.label = None;
    }
    for step in finding.path.iter_mut().flat_map(|path| &mut path.steps) {
        step.reference = step.reference.as_deref().map(without_values);
        step.label = step.label.take().filter(|_| step.class == CLASS);
    }
}

/// A name without its values: what stands in quotes, and what stands in brackets, which are keys and indexes alike. In
/// quotes, a backslash precedes a quote or a backslash of the value.
pub fn without_values(name: &str) -> String {
    let mut hidden = String::with_capacity(name.len());
    let mut letters = name.chars();
    // Depth of brackets: nothing inside them is written.
    let mut depth = 0_usize;
    let mut is_empty = true;
    while let Some(letter) = letters.next() {
        match letter {
            '"' => {
                // A quote that does not end hides the rest.
                while let Some(inside) = letters.next() {
                    match inside {
                        '\\' => drop(letters.next()),
                        '"' => break,
                        _ => {}
                    }
                }
                if depth == 0 {
                    hidden.push_str("\"…\"");
                }
                is_empty = false;
            }
            '[' => {
                if depth == 0 {
                    hidden.push('[');
                    is_empty = true;
                }
                depth += 1;
            }
            ']' if depth > 0 => {
                depth -= 1;
                if depth == 0 {
                    // `byte[]` is a class.
                    hidden.push_str(if is_empty { "]" } else { "…]" });
                }
            }
            letter if depth == 0 => hidden.push(letter),
            _ => is_empty = false,
        }
    }
    hidden
}

#[cfg(test)]
mod tests {
    use super::without_values;

    #[test]
    fn what_may_be_a_value_is_hidden() {
        assert_eq!(without_values("shop.Cache.ENTRIES"), "shop.Cache.ENTRIES");
        assert_eq!(without_values("shop.Users.BY_NAME[\"Ada\"].orders[7].id"), "shop.Users.BY_NAME[…].orders[…].id");
        assert_eq!(without_values("thread \"ada's worker\".<local>"), "thread \"…\".<local>");
        assert_eq!(without_values("shop.Cache.bytes (byte[])"), "shop.Cache.bytes (byte[])");
        assert_eq!(without_values(r#"A["x]\"y"].f + B[0].g"#), "A[…].f + B[…].g");
        assert_eq!(without_values("A[\"never ends"), "A[");
        assert_eq!(without_values("thread \"never ends"), "thread \"…\"");
    }
}
