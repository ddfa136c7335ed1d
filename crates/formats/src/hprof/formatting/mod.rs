//! Text of objects of the Java library and of other libraries: one function for each kind of object.

mod addresses;
mod buffers;
mod dates;
mod futures;
mod locks;
mod numbers;
mod wrappers;

use super::label_rules::Formatter;
use super::peek::Fields;

/// Label by the rules of a class, with labels of other objects in it at most to a depth.
pub(super) fn format(formatter: Formatter, fields: Fields<'_>, depth: u32) -> Option<String> {
    match formatter {
        Formatter::Frame => frame(fields),
        Formatter::Builder => buffers::builder(fields),
        Formatter::Buffer => buffers::nio(fields),
        Formatter::ByteStream => buffers::stream(fields),
        Formatter::NettyBuffer => buffers::netty(fields),
        Formatter::Uri => addresses::uri(fields),
        Formatter::Url => addresses::url(fields),
        Formatter::QualifiedName => addresses::qualified_name(fields),
        Formatter::InetAddress => addresses::inet_address(fields),
        Formatter::SocketAddress => addresses::socket_address(fields),
        Formatter::HostAndPort => addresses::host_and_port(fields),
        Formatter::MediaType => addresses::media_type(fields),
        Formatter::Locale => locale(fields),
        Formatter::BaseLocale => base_locale(fields),
        Formatter::Uuid => numbers::uuid(fields),
        Formatter::BigInteger => numbers::big_integer(fields),
        Formatter::BitSet => numbers::bit_set(fields),
        Formatter::BigDecimal => numbers::big_decimal(fields),
        Formatter::Adder => numbers::adder(fields),
        Formatter::DoubleAdder => numbers::double_adder(fields),
        Formatter::Accumulator => numbers::accumulator(fields),
        Formatter::DoubleAccumulator => numbers::double_accumulator(fields),
        Formatter::Date => dates::date(fields),
        Formatter::Time => dates::time(fields),
        Formatter::DateTime => dates::date_time(fields),
        Formatter::WithOffset => dates::with_offset(fields),
        Formatter::WithZone => dates::with_zone(fields),
        Formatter::Year => dates::year(fields),
        Formatter::YearMonth => dates::year_month(fields),
        Formatter::MonthDay => dates::month_day(fields),
        Formatter::Period => dates::period(fields),
        Formatter::Instant => dates::instant(fields),
        Formatter::Duration => dates::duration(fields),
        Formatter::OldDate => dates::old_date(fields),
        Formatter::Timestamp => dates::timestamp(fields),
        Formatter::Calendar => dates::calendar(fields),
        Formatter::FileTime => dates::file_time(fields),
        Formatter::JodaInstant => dates::joda_instant(fields),
        Formatter::JodaDuration => dates::joda_duration(fields),
        Formatter::JodaDate => dates::joda_date(fields),
        Formatter::JodaTime => dates::joda_time(fields),
        Formatter::JodaDateTime => dates::joda_local(fields),
        Formatter::Lock => locks::lock(fields),
        Formatter::Semaphore => locks::semaphore(fields),
        Formatter::Latch => locks::latch(fields),
        Formatter::CompletableFuture => futures::completable(fields, depth),
        Formatter::FutureTask => futures::task(fields, depth),
        Formatter::MarkedReference => wrappers::marked(fields, depth),
        Formatter::Tuple => wrappers::tuple(fields, depth),
        Formatter::Pair => wrappers::pair(fields, depth),
        Formatter::Lazy => wrappers::lazy(fields, depth),
        Formatter::Progression => wrappers::progression(fields),
        Formatter::Range => wrappers::range(fields, depth),
    }
}

/// `class.method(Source.java:12)`
fn frame(fields: Fields<'_>) -> Option<String> {
    let (class, method) = (fields.text(&["declaringClass"])?, fields.text(&["methodName"])?);
    let line = fields.integer("lineNumber").filter(|&line| line > 0).map(|line| format!(":{line}"));
    Some(match fields.text(&["fileName"]) {
        Some(file) => format!("{class}.{method}({file}{})", line.unwrap_or_default()),
        None => format!("{class}.{method}"),
    })
}

fn locale(fields: Fields<'_>) -> Option<String> {
    match fields.object(&["baseLocale"]) {
        Some(base) => base_locale(fields.peek.fields(base, "sun.util.locale.BaseLocale")?),
        // JDK 6.
        None => base_locale(fields),
    }
}

fn base_locale(fields: Fields<'_>) -> Option<String> {
    let text = |names: &[&str]| fields.text(names).filter(|text| !text.is_empty());
    // The root locale has a language, which is empty.
    fields.get("language")?;
    let parts = [text(&["language"]), text(&["script"]), text(&["region", "country"]), text(&["variant"])];
    let parts: Vec<String> = parts.into_iter().flatten().collect();
    Some(if parts.is_empty() { "root".to_owned() } else { parts.join("_") })
}
