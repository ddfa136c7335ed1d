//! Names of findings without values of the program: keys of maps, names of threads.

/// A name without its values: what stands in quotes or brackets is hidden, from the first to the last, since a value may
/// contain either.
pub fn without_values(name: &str) -> String {
    let mut hidden = name.to_owned();
    for (open, close) in [('"', '"'), ('[', ']')] {
        if let (Some(first), Some(last)) = (hidden.find(open), hidden.rfind(close))
            && first < last
        {
            let inside = &hidden[first + 1..last];
            // `byte[]` is a class.
            if !inside.is_empty() && inside != "redacted" {
                hidden = format!("{}…{}", &hidden[..=first], &hidden[last..]);
            }
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
        assert_eq!(without_values("shop.Users.BY_NAME[\"Ada\"].orders[7]"), "shop.Users.BY_NAME[…]");
        assert_eq!(without_values("thread \"ada's worker\""), "thread \"…\"");
        assert_eq!(without_values("shop.Cache.bytes (byte[])"), "shop.Cache.bytes (byte[])");
        assert_eq!(without_values("A[\"x]\"y\"].f"), "A[…].f");
    }
}
