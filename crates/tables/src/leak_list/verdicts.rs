//! Verdicts of the user on Android leaks.

use heaplens_analysis::{android::shark::Leak, leaks::rules::Verdict};
use heaplens_session::LeakRules;

/// Verdict of the user on a leak, by the reference that holds it or by its class.
pub fn verdict<'a>(rules: &'a LeakRules, leak: &Leak) -> Option<&'a Verdict> {
    let name = held_name(leak);
    rules.of_object(name.as_deref(), leak.class())
}

/// First suspicious reference, with the full name of its class.
pub fn held_name(leak: &Leak) -> Option<String> {
    let (step, reference) = leak.traces.first()?.suspects().next()?;
    let dot = if reference.is_field() { "." } else { "" };
    Some(format!("{}{dot}{}", step.subject.class, reference.name))
}
