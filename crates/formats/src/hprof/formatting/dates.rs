//! Dates, times and spans, in the format of ISO 8601.

use crate::hprof::peek::Fields;
use crate::moment::{four_digits, fraction, moment, moment_of_millis};
use heaplens_heap::Value;

pub(super) fn date(fields: Fields<'_>) -> Option<String> {
    let (year, month, day) = (fields.integer("year")?, fields.integer("month")?, fields.integer("day")?);
    Some(format!("{}-{month:02}-{day:02}", four_digits(year)))
}

pub(super) fn year(fields: Fields<'_>) -> Option<String> {
    fields.integer("year").map(four_digits)
}

pub(super) fn year_month(fields: Fields<'_>) -> Option<String> {
    Some(format!("{}-{:02}", year(fields)?, fields.integer("month")?))
}

pub(super) fn month_day(fields: Fields<'_>) -> Option<String> {
    Some(format!("--{:02}-{:02}", fields.integer("month")?, fields.integer("day")?))
}

/// `P1Y2M3D`
pub(super) fn period(fields: Fields<'_>) -> Option<String> {
    let part = |name, unit: char| {
        let count = fields.integer(name)?;
        Some(if count == 0 { String::new() } else { format!("{count}{unit}") })
    };
    let parts = part("years", 'Y')? + &part("months", 'M')? + &part("days", 'D')?;
    Some(if parts.is_empty() { "P0D".to_owned() } else { format!("P{parts}") })
}

pub(super) fn date_time(fields: Fields<'_>) -> Option<String> {
    Some(format!("{}T{}", date(fields.inside(&["date"])?)?, time(fields.inside(&["time"])?)?))
}

/// Time or date and time, with its offset from UTC.
pub(super) fn with_offset(fields: Fields<'_>) -> Option<String> {
    let local = match fields.inside(&["dateTime"]) {
        Some(local) => date_time(local)?,
        None => time(fields.inside(&["time"])?)?,
    };
    Some(local + &fields.inside(&["offset"])?.text(&["id"])?)
}

/// Date and time with offset and zone, unless the zone is an offset.
pub(super) fn with_zone(fields: Fields<'_>) -> Option<String> {
    let text = with_offset(fields)?;
    let zone = fields.object(&["zone"]).filter(|&zone| fields.peek.class_name(zone) != "java.time.ZoneOffset");
    let zone = zone.and_then(|zone| fields.peek.fields(zone, "")?.text(&["id"]));
    Some(zone.map(|zone| format!("{text}[{zone}]")).unwrap_or(text))
}

pub(super) fn time(fields: Fields<'_>) -> Option<String> {
    let (hour, minute) = (fields.integer("hour")?, fields.integer("minute")?);
    let (second, nano) = (fields.integer("second")?, fields.integer("nano")?);
    Some(format!("{hour:02}:{minute:02}:{second:02}{}", fraction(nano)))
}

pub(super) fn instant(fields: Fields<'_>) -> Option<String> {
    Some(moment(fields.integer("seconds")?, fields.integer("nanos")?))
}

pub(super) fn old_date(fields: Fields<'_>) -> Option<String> {
    fields.integer("fastTime").map(moment_of_millis)
}

/// `java.sql.Timestamp`, whose milliseconds are only in its nanoseconds.
pub(super) fn timestamp(fields: Fields<'_>) -> Option<String> {
    Some(moment(fields.integer("fastTime")?.div_euclid(1_000), fields.integer("nanos")?))
}

/// `java.util.Calendar`; a date that was only set has no time yet.
pub(super) fn calendar(fields: Fields<'_>) -> Option<String> {
    (fields.get("isTimeSet") != Some(Value::Bool(false))).then(|| fields.integer("time").map(moment_of_millis))?
}

/// `java.nio.file.attribute.FileTime`: an instant, or a number of some unit.
pub(super) fn file_time(fields: Fields<'_>) -> Option<String> {
    if let Some(moment) = fields.inside(&["instant"]) {
        return instant(moment);
    }
    let count = fields.integer("value")?;
    let per_second = match &*fields.inside(&["unit"])?.text(&["name"])? {
        "NANOSECONDS" => 1_000_000_000,
        "MICROSECONDS" => 1_000_000,
        "MILLISECONDS" => 1_000,
        "SECONDS" => 1,
        _ => return None,
    };
    Some(moment(count.div_euclid(per_second), count.rem_euclid(per_second) * (1_000_000_000 / per_second)))
}

/// Moment of Joda-Time.
pub(super) fn joda_instant(fields: Fields<'_>) -> Option<String> {
    fields.integer("iMillis").map(moment_of_millis)
}

pub(super) fn joda_duration(fields: Fields<'_>) -> Option<String> {
    let millis = fields.integer("iMillis")?;
    Some(span(millis.div_euclid(1_000), millis.rem_euclid(1_000) * 1_000_000))
}

/// Date and time of Joda-Time without a zone.
pub(super) fn joda_local(fields: Fields<'_>) -> Option<String> {
    let mut text = moment_of_millis(fields.integer("iLocalMillis")?);
    text.pop();
    Some(text)
}

pub(super) fn joda_date(fields: Fields<'_>) -> Option<String> {
    joda_local(fields)?.split_once('T').map(|(date, _)| date.to_owned())
}

pub(super) fn joda_time(fields: Fields<'_>) -> Option<String> {
    joda_local(fields)?.split_once('T').map(|(_, time)| time.to_owned())
}

/// Format of `Duration.toString`, but in seconds if negative.
pub(super) fn duration(fields: Fields<'_>) -> Option<String> {
    let (seconds, nanos) = (fields.integer("seconds")?, fields.integer("nanos")?);
    Some(span(seconds, nanos))
}

fn span(seconds: i64, nanos: i64) -> String {
    if seconds < 0 {
        return format!("{} s", seconds as f64 + nanos as f64 / 1e9);
    }
    let (hours, minutes, rest) = (seconds / 3_600, seconds / 60 % 60, seconds % 60);
    let part = |n: i64, unit: &str| if n == 0 { String::new() } else { format!("{n}{unit}") };
    let seconds = if rest != 0 || nanos != 0 || hours == 0 && minutes == 0 {
        format!("{rest}{}S", fraction(nanos))
    } else {
        String::new()
    };
    format!("PT{}{}{seconds}", part(hours, "H"), part(minutes, "M"))
}

#[cfg(test)]
mod tests {
    use super::span;

    #[test]
    fn spans_of_time() {
        assert_eq!(span(5_400, 0), "PT1H30M");
        assert_eq!(span(0, 250_000_000), "PT0.25S");
    }
}
