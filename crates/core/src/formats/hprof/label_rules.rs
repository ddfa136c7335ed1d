//! Labels of objects of the Java library, by class.

#[derive(Debug)]
pub(super) struct LabelRule {
    /// Class to which the rule applies, including its subclasses.
    pub(super) class: &'static str,
    pub(super) source: LabelSource,
}

#[derive(Debug, Clone, Copy)]
pub(super) enum LabelSource {
    /// Text of the first of these fields that has one.
    Text(&'static [&'static str]),
    /// Value of the first of these fields: a number, or the label of an object.
    Field(&'static [&'static str]),
    /// Value of the field, if it is set.
    Optional,
    /// Integer used as a boolean.
    Flag(&'static str),
    /// Key and value, each from the first existing field.
    Entry(&'static [&'static str], &'static [&'static str]),
    /// Class and name of one of its members.
    Member(&'static str),
    /// Several fields, formatted by rules of the class.
    Formatted(Formatter),
    /// Fields by name.
    Components,
}

const fn rule(class: &'static str, source: LabelSource) -> LabelRule {
    LabelRule { class, source }
}

const VALUE: LabelSource = LabelSource::Field(&["value"]);
const NAME: LabelSource = LabelSource::Text(&["name"]);
const NODE: LabelSource = LabelSource::Entry(&["key"], &["value", "val"]);

pub(super) const LABELS: &[LabelRule] = &[
    rule("java.lang.Boolean", VALUE),
    rule("java.lang.Byte", VALUE),
    rule("java.lang.Character", VALUE),
    rule("java.lang.Double", VALUE),
    rule("java.lang.Float", VALUE),
    rule("java.lang.Integer", VALUE),
    rule("java.lang.Long", VALUE),
    rule("java.lang.Short", VALUE),
    rule("java.util.concurrent.atomic.AtomicInteger", VALUE),
    rule("java.util.concurrent.atomic.AtomicLong", VALUE),
    rule("java.util.concurrent.atomic.AtomicReference", VALUE),
    rule("java.util.concurrent.atomic.AtomicBoolean", LabelSource::Flag("value")),
    rule("java.util.Optional", LabelSource::Optional),
    rule("java.util.OptionalInt", LabelSource::Optional),
    rule("java.util.OptionalLong", LabelSource::Optional),
    rule("java.util.OptionalDouble", LabelSource::Optional),
    rule("java.util.BitSet", LabelSource::Formatted(Formatter::BitSet)),
    rule("java.lang.ref.SoftReference", LabelSource::Field(&["referent"])),
    rule("java.lang.ref.WeakReference", LabelSource::Field(&["referent"])),
    rule("java.lang.ref.PhantomReference", LabelSource::Field(&["referent"])),
    rule("java.lang.Enum", NAME),
    rule("java.lang.Record", LabelSource::Components),
    rule("java.lang.Thread", NAME),
    rule("java.lang.ThreadGroup", NAME),
    rule("java.lang.ClassLoader", NAME),
    rule("java.lang.Module", NAME),
    rule("java.lang.Package", LabelSource::Text(&["pkgName", "name"])),
    rule("java.lang.module.ModuleDescriptor", NAME),
    rule("java.lang.Throwable", LabelSource::Text(&["detailMessage"])),
    rule("java.lang.StackTraceElement", LabelSource::Formatted(Formatter::Frame)),
    rule("java.lang.AbstractStringBuilder", LabelSource::Formatted(Formatter::Builder)),
    rule("java.lang.reflect.Method", LabelSource::Member("clazz")),
    rule("java.lang.reflect.Field", LabelSource::Member("clazz")),
    rule("java.lang.reflect.Constructor", LabelSource::Field(&["clazz"])),
    rule("java.lang.invoke.MemberName", LabelSource::Member("clazz")),
    rule("java.util.regex.Pattern", LabelSource::Text(&["pattern"])),
    rule("java.util.logging.Logger", NAME),
    rule("java.nio.charset.Charset", NAME),
    rule("java.io.File", LabelSource::Text(&["path"])),
    rule("java.util.zip.ZipFile", NAME),
    rule("sun.nio.fs.UnixPath", LabelSource::Text(&["path"])),
    rule("sun.nio.fs.WindowsPath", LabelSource::Text(&["path"])),
    rule("java.net.URI", LabelSource::Formatted(Formatter::Uri)),
    rule("java.net.URL", LabelSource::Formatted(Formatter::Url)),
    rule("java.util.Locale", LabelSource::Formatted(Formatter::Locale)),
    rule("sun.util.locale.BaseLocale", LabelSource::Formatted(Formatter::BaseLocale)),
    rule("java.util.UUID", LabelSource::Formatted(Formatter::Uuid)),
    rule("java.math.BigInteger", LabelSource::Formatted(Formatter::BigInteger)),
    rule("java.math.BigDecimal", LabelSource::Formatted(Formatter::BigDecimal)),
    rule("java.time.LocalDate", LabelSource::Formatted(Formatter::Date)),
    rule("java.time.LocalTime", LabelSource::Formatted(Formatter::Time)),
    rule("java.time.LocalDateTime", LabelSource::Entry(&["date"], &["time"])),
    rule("java.time.Instant", LabelSource::Formatted(Formatter::Instant)),
    rule("java.time.Duration", LabelSource::Formatted(Formatter::Duration)),
    rule("java.time.ZoneId", LabelSource::Text(&["id"])),
    rule("java.time.ZoneOffset", LabelSource::Text(&["id"])),
    rule("java.time.ZoneRegion", LabelSource::Text(&["id"])),
    rule("java.util.Date", LabelSource::Formatted(Formatter::OldDate)),
    rule("java.util.AbstractMap$SimpleEntry", NODE),
    rule("java.util.AbstractMap$SimpleImmutableEntry", NODE),
    rule("java.util.KeyValueHolder", NODE),
    rule("java.util.HashMap$Node", NODE),
    rule("java.util.HashMap$Entry", NODE),
    rule("java.util.HashMap$HashMapEntry", NODE),
    rule("java.util.Hashtable$HashtableEntry", NODE),
    rule("java.util.Hashtable$Entry", NODE),
    rule("java.util.TreeMap$Entry", NODE),
    rule("java.util.concurrent.ConcurrentHashMap$Node", NODE),
    rule("java.util.concurrent.ConcurrentHashMap$HashEntry", NODE),
    rule("java.util.concurrent.ConcurrentSkipListMap$Node", NODE),
    rule("java.util.WeakHashMap$Entry", LabelSource::Entry(&["referent"], &["value"])),
    rule("java.lang.ThreadLocal$ThreadLocalMap$Entry", LabelSource::Entry(&["referent"], &["value"])),
];

/// Classes whose labels need rules of their own.
#[derive(Debug, Clone, Copy)]
pub(super) enum Formatter {
    /// Frame of a stack trace.
    Frame,
    Uri,
    Url,
    /// `java.util.Locale`
    Locale,
    /// Its part in the JDK.
    BaseLocale,
    Uuid,
    BigInteger,
    BitSet,
    BigDecimal,
    /// `java.time.LocalDate`
    Date,
    /// `java.time.LocalTime`
    Time,
    /// `java.time.Instant`
    Instant,
    /// `java.util.Date`
    OldDate,
    /// `java.time.Duration`
    Duration,
    /// Text under construction.
    Builder,
}
