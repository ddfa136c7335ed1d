//! Propagates the status of single objects to the others on a path: objects above one that is not leaking are not
//! leaking; objects below one that is leaking are leaking. The suspect references are between the two.

use super::inspectors::Remarks;

/// Leak status of an object.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Status {
    /// Not leaking.
    NotLeaking,
    /// Unknown.
    Unknown,
    /// Leaking.
    Leaking,
}

impl Status {
    /// Name as in LeakCanary's report and JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::NotLeaking => "NO",
            Self::Unknown => "UNKNOWN",
            Self::Leaking => "YES",
        }
    }
}

/// Status and reason of each object of a path, the root first. `simple_names` are those of their classes.
pub(super) fn statuses(remarks: &[Remarks], simple_names: &[&str]) -> Vec<(Status, String)> {
    let last = remarks.len().saturating_sub(1);
    let mut all: Vec<(Status, String)> = Vec::with_capacity(remarks.len());
    let mut last_fine = None;
    let mut first_leaking = last;
    for (at, remarks) in remarks.iter().enumerate() {
        let mut of_object = alone(remarks, at == last);
        if at == last {
            of_object = match of_object {
                (Status::Leaking, why) => (Status::Leaking, why),
                (Status::Unknown, _) => (Status::Leaking, "This is the leaking object".to_owned()),
                (Status::NotLeaking, why) => {
                    (Status::Leaking, format!("This is the leaking object. Conflicts with {why}"))
                }
            };
        }
        if of_object.0 == Status::NotLeaking {
            last_fine = Some(at);
            first_leaking = last;
        } else if of_object.0 == Status::Leaking && first_leaking == last {
            first_leaking = at;
        }
        all.push(of_object);
    }
    // Upwards, so that the next object that is not leaking is already known.
    let mut next = last_fine.unwrap_or(0);
    for at in (0..last_fine.unwrap_or(0)).rev() {
        let name = simple_names.get(next).copied().unwrap_or_default();
        let (status, own) = &all[at];
        let why = match status {
            Status::Unknown => format!("{name}↓ is not leaking"),
            Status::NotLeaking => format!("{name}↓ is not leaking and {own}"),
            Status::Leaking => format!("{name}↓ is not leaking. Conflicts with {own}"),
        };
        if *status == Status::NotLeaking {
            next = at;
        }
        all[at] = (Status::NotLeaking, why);
    }
    let mut before = first_leaking;
    let below = all.iter_mut().enumerate().take(last).skip(first_leaking + 1);
    for (at, (status, why)) in below {
        let name = simple_names.get(before).copied().unwrap_or_default();
        if *status == Status::Leaking {
            *why = format!("{name}↑ is leaking and {why}");
            before = at;
        } else {
            *why = format!("{name}↑ is leaking");
        }
        *status = Status::Leaking;
    }
    all
}

/// Status of an object by itself. At the end of a path, leaking wins.
fn alone(remarks: &Remarks, is_last: bool) -> (Status, String) {
    let (fine, leaking) = (remarks.fine.join(" and "), remarks.leaking.join(" and "));
    match (fine.is_empty(), leaking.is_empty()) {
        (true, true) => (Status::Unknown, String::new()),
        (false, true) => (Status::NotLeaking, fine),
        (true, false) => (Status::Leaking, leaking),
        (false, false) if is_last => (Status::Leaking, format!("{leaking}. Conflicts with {fine}")),
        (false, false) => (Status::NotLeaking, format!("{fine}. Conflicts with {leaking}")),
    }
}

/// True if the outgoing reference of the object at `at` is suspect.
pub(super) fn is_suspect(statuses: &[(Status, String)], at: usize) -> bool {
    match statuses.get(at).map(|(status, _)| *status) {
        Some(Status::Unknown) => true,
        Some(Status::NotLeaking) => statuses.get(at + 1).is_none_or(|(next, _)| *next != Status::NotLeaking),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Chain GcRoot, Class1, Class2, Class3, Leaking, with the remarks about each.
    fn statuses_of(given: [(&[&str], &[&str]); 5]) -> Vec<(Status, String)> {
        let texts = |texts: &[&str]| texts.iter().map(|&text| text.to_owned()).collect();
        let remarks =
            given.map(|(leaking, fine)| Remarks { labels: Vec::new(), leaking: texts(leaking), fine: texts(fine) });
        statuses(&remarks, &["GcRoot", "Class1", "Class2", "Class3", "Leaking"])
    }

    const NOTHING: (&[&str], &[&str]) = (&[], &[]);
    const WATCHED: (&[&str], &[&str]) = (&["watched"], &[]);

    #[test]
    fn known_states_propagate_to_neighbours() {
        use Status::{Leaking, NotLeaking, Unknown};
        let of = |remarks| -> Vec<Status> { statuses_of(remarks).into_iter().map(|(status, _)| status).collect() };
        let class = (&[][..], &["a class is never leaking"][..]);
        assert_eq!(of([class, NOTHING, NOTHING, NOTHING, WATCHED]), [NotLeaking, Unknown, Unknown, Unknown, Leaking]);
        let third = statuses_of([NOTHING, NOTHING, NOTHING, (&[], &["Class3 is not leaking"]), WATCHED]);
        assert_eq!(third[1], (NotLeaking, "Class3↓ is not leaking".to_owned()));
        assert_eq!(third[0], (NotLeaking, "Class3↓ is not leaking".to_owned()));
        let first = statuses_of([class, (&["Class1 is leaking"], &[]), NOTHING, NOTHING, WATCHED]);
        assert_eq!(first[2], (Leaking, "Class1↑ is leaking".to_owned()));
        assert_eq!(first[3], (Leaking, "Class1↑ is leaking".to_owned()));
        let between = statuses_of([class, (&[], &["fine"]), NOTHING, (&["Class3 is leaking"], &[]), WATCHED]);
        assert_eq!(between[2].0, Unknown);
        let suspects: Vec<bool> = (0..4).map(|at| is_suspect(&between, at)).collect();
        assert_eq!(suspects, [false, true, true, false]);
    }

    #[test]
    fn conflicts_are_reported() {
        let both = (&["Class1 is leaking"][..], &["Class1 is not leaking"][..]);
        let both_statuses = statuses_of([NOTHING, both, NOTHING, NOTHING, WATCHED]);
        let reason = "Class1 is not leaking. Conflicts with Class1 is leaking";
        assert_eq!(both_statuses[1], (Status::NotLeaking, reason.to_owned()));
        let two = statuses_of([
            (&[], &["GcRoot is not leaking", "a class is never leaking"]),
            NOTHING,
            NOTHING,
            NOTHING,
            WATCHED,
        ]);
        assert_eq!(two[0].1, "GcRoot is not leaking and a class is never leaking");
        let last = statuses_of([NOTHING, NOTHING, NOTHING, NOTHING, (&["watched"], &["Leaking is not leaking"])]);
        assert_eq!(last[4], (Status::Leaking, "watched. Conflicts with Leaking is not leaking".to_owned()));
        let without_remarks = statuses_of([NOTHING; 5]);
        assert_eq!(without_remarks[4], (Status::Leaking, "This is the leaking object".to_owned()));
        let fine = statuses_of([NOTHING, NOTHING, NOTHING, NOTHING, (&[], &["it is fine"])]);
        assert_eq!(fine[4].1, "This is the leaking object. Conflicts with it is fine");
    }
}
