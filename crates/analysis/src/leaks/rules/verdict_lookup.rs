//! Lookup of the user's verdicts by object, class, or explanation of a finding.

use super::super::fingerprint::general;
use super::{LeakRules, Verdict, is_within, matches};

impl LeakRules {
    /// The user's rules, in order of precedence.
    pub fn of_user(&self) -> impl Iterator<Item = &Verdict> {
        self.rules.iter().filter(|rule| rule.is_of_user)
    }

    /// The user's rule with exactly this pattern.
    pub fn of_pattern(&self, pattern: &str) -> Option<&Verdict> {
        self.of_user().find(|rule| rule.pattern == pattern)
    }

    /// The user's verdict on an object by its name or its class.
    pub fn of_object(&self, name: Option<&str>, class: &str) -> Option<&Verdict> {
        // Early exit: this runs for every row, and usually there are no verdicts.
        self.of_user().next()?;
        let general = name.map(general);
        let names = || [name, general.as_deref()].into_iter().flatten();
        self.of_user().find(|rule| {
            let named = names().any(|name| is_within(&rule.pattern, name));
            named || !class.is_empty() && matches(&rule.pattern, class)
        })
    }

    /// The user's verdict on one of a finding's explanations.
    pub(super) fn explaining(&self, explained_by: &[String]) -> Option<&Verdict> {
        self.of_user().find(|rule| explained_by.iter().any(|text| is_within(&rule.pattern, text)))
    }
}

#[cfg(test)]
mod tests {
    use super::LeakRules;

    #[test]
    fn an_object_matches_by_name_or_class() {
        let mut rules = LeakRules::default();
        assert_eq!(rules.of_object(Some("sun.misc.Launcher.x"), "sun.misc.Launcher"), None, "only the user is asked");
        rules.add("expected desk.Cache.ALL[*]  # warm\nleaking desk.Session").expect("rules");
        let said = |name, class| rules.of_object(name, class).map(|verdict| verdict.pattern.as_str());
        assert_eq!(said(Some("desk.Cache.ALL[\"a\"]"), "desk.Cart"), Some("desk.Cache.ALL[*]"));
        assert_eq!(said(Some("desk.Cache.ALL[\"a\"].cart"), "desk.Cart"), Some("desk.Cache.ALL[*]"));
        assert_eq!(said(Some("desk.Cache.ALL"), "java.util.HashMap"), None);
        assert_eq!(said(None, "desk.Session"), Some("desk.Session"));
        assert_eq!(said(None, "desk.Sessions"), None);
        assert_eq!(rules.of_pattern("desk.Session").map(|verdict| verdict.group.key()), Some("leak"));
        assert_eq!(rules.of_user().count(), 2);
    }
}
