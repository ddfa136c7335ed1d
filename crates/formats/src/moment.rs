//! Moments in time as text, in the format of ISO 8601.

/// Milliseconds since 1970, as a date and a time in UTC.
pub(super) fn moment_of_millis(millis: i64) -> String {
    moment(millis.div_euclid(1_000), millis.rem_euclid(1_000) * 1_000_000)
}

/// Formats seconds since 1970 as a date and a time in UTC, in the Gregorian calendar.
pub(super) fn moment(seconds: i64, nanos: i64) -> String {
    let (days, second) = (seconds.div_euclid(86_400), seconds.rem_euclid(86_400));
    // Days since 1 March of the year 0, in eras of 400 years: leap days come last.
    let shifted = days.saturating_add(719_468);
    let (era, day) = (shifted.div_euclid(146_097), shifted.rem_euclid(146_097));
    let year_of_era = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let day_of_year = day - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let march_month = (5 * day_of_year + 2) / 153;
    let day_of_month = day_of_year - (153 * march_month + 2) / 5 + 1;
    let month = if march_month < 10 { march_month + 3 } else { march_month - 9 };
    let year = year_of_era + era * 400 + i64::from(month <= 2);
    let (hour, minute, second) = (second / 3_600, second / 60 % 60, second % 60);
    let year = four_digits(year);
    format!("{year}-{month:02}-{day_of_month:02}T{hour:02}:{minute:02}:{second:02}{}Z", fraction(nanos))
}

/// A year of at least four digits.
pub(super) fn four_digits(year: i64) -> String {
    if year < 0 { format!("-{:04}", year.unsigned_abs()) } else { format!("{year:04}") }
}

/// `.5` for half a second; empty for whole seconds.
pub(super) fn fraction(nanos: i64) -> String {
    if nanos == 0 {
        return String::new();
    }
    format!(".{nanos:09}").trim_end_matches('0').to_owned()
}

#[cfg(test)]
mod tests {
    use super::{moment, moment_of_millis};

    #[test]
    fn moments_are_those_of_the_calendar() {
        assert_eq!(moment(0, 0), "1970-01-01T00:00:00Z");
        assert_eq!(moment(1_709_164_800, 500_000_000), "2024-02-29T00:00:00.5Z");
        assert_eq!(moment(-1, 0), "1969-12-31T23:59:59Z");
        assert_eq!(moment_of_millis(-62_198_755_200_001), "-0002-12-31T23:59:59.999Z");
        // Must not panic for any value in a file.
        let _ = (moment(i64::MAX, i64::MIN), moment(i64::MIN, 0), moment_of_millis(i64::MIN));
    }
}
