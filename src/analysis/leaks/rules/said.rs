//! What the user says, asked for by what it is about: of an object by its name, of a class, of what explains a finding.

use super::super::fingerprint::general;
use super::{LeakRules, Verdict, is_within, matches};

impl LeakRules {
    /// What the user says, the line that counts most first.
    pub fn of_user(&self) -> impl Iterator<Item = &Verdict> {
        self.rules.iter().filter(|rule| rule.is_of_user)
    }

    /// What the user says by just this pattern.
    pub fn of_pattern(&self, pattern: &str) -> Option<&Verdict> {
        self.of_user().find(|rule| rule.pattern == pattern)
    }

    /// What the user says of an object that is called so, or of all of its class.
    pub fn of_object(&self, name: Option<&str>, class: &str) -> Option<&Verdict> {
        // Most users have said nothing, and this is asked for every row.
        self.of_user().next()?;
        let general = name.map(general);
        let names = || [name, general.as_deref()].into_iter().flatten();
        self.of_user().find(|rule| {
            let named = names().any(|name| is_within(&rule.pattern, name));
            named || !class.is_empty() && matches(&rule.pattern, class)
        })
    }

    /// What the user says of one of these, which explain a finding.
    pub(super) fn explaining(&self, explained_by: &[String]) -> Option<&Verdict> {
        self.of_user().find(|rule| explained_by.iter().any(|text| is_within(&rule.pattern, text)))
    }
}

#[cfg(test)]
mod tests {
    use super::LeakRules;

    #[test]
    fn an_object_goes_by_its_name_or_by_its_class() {
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
