//! Labels of objects of the Java library, by class.

#[derive(Debug)]
pub(super) struct LabelRule {
    /// Class to which the rule applies, including its subclasses.
    pub(super) class: &'static str,
    /// Lowest class whose fields are read, with its superclasses; empty for all.
    pub(super) base: &'static str,
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
    /// Number of entries and first keys of a map.
    Keys,
    /// Fields by name.
    Components,
}

pub(super) const fn rule(class: &'static str, source: LabelSource) -> LabelRule {
    LabelRule { class, base: class, source }
}

/// Rule that reads the fields of all classes of the object: those of the class differ between versions, or it has none.
pub(super) const fn all_fields(class: &'static str, source: LabelSource) -> LabelRule {
    LabelRule { class, base: "", source }
}

pub(super) const VALUE: LabelSource = LabelSource::Field(&["value"]);
pub(super) const NAME: LabelSource = LabelSource::Text(&["name"]);
const ALGORITHM: LabelSource = LabelSource::Text(&["algorithm"]);
const ARRAY: LabelSource = LabelSource::Field(&["array"]);
pub(super) const NODE: LabelSource = LabelSource::Entry(&["key"], &["value", "val"]);

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
    rule("java.util.concurrent.atomic.AtomicStampedReference", LabelSource::Formatted(Formatter::MarkedReference)),
    rule("java.util.concurrent.atomic.AtomicMarkableReference", LabelSource::Formatted(Formatter::MarkedReference)),
    rule("java.util.concurrent.atomic.AtomicIntegerArray", ARRAY),
    rule("java.util.concurrent.atomic.AtomicLongArray", ARRAY),
    rule("java.util.concurrent.atomic.AtomicReferenceArray", ARRAY),
    all_fields("java.util.concurrent.atomic.LongAdder", LabelSource::Formatted(Formatter::Adder)),
    all_fields("java.util.concurrent.atomic.DoubleAdder", LabelSource::Formatted(Formatter::DoubleAdder)),
    all_fields("java.util.concurrent.atomic.LongAccumulator", LabelSource::Formatted(Formatter::Accumulator)),
    all_fields("java.util.concurrent.atomic.DoubleAccumulator", LabelSource::Formatted(Formatter::DoubleAccumulator)),
    rule("java.util.concurrent.CompletableFuture", LabelSource::Formatted(Formatter::CompletableFuture)),
    rule("java.util.concurrent.FutureTask", LabelSource::Formatted(Formatter::FutureTask)),
    rule("java.util.concurrent.Semaphore", LabelSource::Formatted(Formatter::Semaphore)),
    rule("java.util.concurrent.CountDownLatch", LabelSource::Formatted(Formatter::Latch)),
    rule("java.util.concurrent.locks.ReentrantLock", LabelSource::Formatted(Formatter::Lock)),
    rule("java.util.Timer", LabelSource::Field(&["thread"])),
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
    rule("java.util.logging.Level", NAME),
    rule("java.util.jar.Attributes$Name", NAME),
    rule("java.util.zip.ZipEntry", NAME),
    rule("java.security.MessageDigest", ALGORITHM),
    rule("javax.crypto.spec.SecretKeySpec", ALGORITHM),
    rule("java.nio.ByteBuffer", LabelSource::Formatted(Formatter::Buffer)),
    rule("java.nio.CharBuffer", LabelSource::Formatted(Formatter::Buffer)),
    rule("java.nio.StringCharBuffer", LabelSource::Formatted(Formatter::Buffer)),
    rule("java.nio.Buffer", LabelSource::Formatted(Formatter::Buffer)),
    rule("java.io.ByteArrayOutputStream", LabelSource::Formatted(Formatter::ByteStream)),
    rule("java.io.ByteArrayInputStream", LabelSource::Formatted(Formatter::ByteStream)),
    rule("java.io.StringWriter", LabelSource::Field(&["buf"])),
    rule("java.nio.charset.Charset", NAME),
    rule("java.io.File", LabelSource::Text(&["path"])),
    rule("java.util.zip.ZipFile", NAME),
    rule("sun.nio.fs.UnixPath", LabelSource::Text(&["path"])),
    rule("sun.nio.fs.WindowsPath", LabelSource::Text(&["path"])),
    rule("java.net.URI", LabelSource::Formatted(Formatter::Uri)),
    rule("java.net.URL", LabelSource::Formatted(Formatter::Url)),
    rule("java.net.InetAddress", LabelSource::Formatted(Formatter::InetAddress)),
    all_fields("java.net.Inet6Address", LabelSource::Formatted(Formatter::InetAddress)),
    rule("java.net.InetSocketAddress", LabelSource::Formatted(Formatter::SocketAddress)),
    rule("java.net.NetworkInterface", NAME),
    rule("java.net.HttpCookie", NAME),
    rule("javax.management.ObjectName", LabelSource::Text(&["_canonicalName"])),
    rule("javax.xml.namespace.QName", LabelSource::Formatted(Formatter::QualifiedName)),
    rule("java.util.Locale", LabelSource::Formatted(Formatter::Locale)),
    rule("sun.util.locale.BaseLocale", LabelSource::Formatted(Formatter::BaseLocale)),
    rule("java.util.UUID", LabelSource::Formatted(Formatter::Uuid)),
    rule("java.math.BigInteger", LabelSource::Formatted(Formatter::BigInteger)),
    rule("java.math.BigDecimal", LabelSource::Formatted(Formatter::BigDecimal)),
    rule("java.time.LocalDate", LabelSource::Formatted(Formatter::Date)),
    rule("java.time.LocalTime", LabelSource::Formatted(Formatter::Time)),
    rule("java.time.LocalDateTime", LabelSource::Formatted(Formatter::DateTime)),
    rule("java.time.OffsetDateTime", LabelSource::Formatted(Formatter::WithOffset)),
    rule("java.time.OffsetTime", LabelSource::Formatted(Formatter::WithOffset)),
    rule("java.time.ZonedDateTime", LabelSource::Formatted(Formatter::WithZone)),
    rule("java.time.Year", LabelSource::Formatted(Formatter::Year)),
    rule("java.time.YearMonth", LabelSource::Formatted(Formatter::YearMonth)),
    rule("java.time.MonthDay", LabelSource::Formatted(Formatter::MonthDay)),
    rule("java.time.Period", LabelSource::Formatted(Formatter::Period)),
    rule("java.time.Instant", LabelSource::Formatted(Formatter::Instant)),
    rule("java.time.Duration", LabelSource::Formatted(Formatter::Duration)),
    rule("java.time.ZoneId", LabelSource::Text(&["id"])),
    rule("java.time.ZoneOffset", LabelSource::Text(&["id"])),
    rule("java.time.ZoneRegion", LabelSource::Text(&["id"])),
    rule("java.util.Date", LabelSource::Formatted(Formatter::OldDate)),
    rule("java.sql.Timestamp", LabelSource::Formatted(Formatter::Timestamp)),
    rule("java.util.Calendar", LabelSource::Formatted(Formatter::Calendar)),
    rule("java.util.TimeZone", LabelSource::Text(&["ID"])),
    rule("java.nio.file.attribute.FileTime", LabelSource::Formatted(Formatter::FileTime)),
    rule("java.text.SimpleDateFormat", LabelSource::Text(&["pattern"])),
    rule("java.util.Currency", LabelSource::Text(&["currencyCode"])),
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
    /// Text under construction.
    Builder,
    /// `java.nio.Buffer`
    Buffer,
    /// Stream of bytes in memory.
    ByteStream,
    /// Buffer of Netty.
    NettyBuffer,
    Uri,
    Url,
    /// Name in XML.
    QualifiedName,
    InetAddress,
    SocketAddress,
    /// Of Guava.
    HostAndPort,
    /// Of Guava.
    MediaType,
    /// `java.util.Locale`
    Locale,
    /// Its part in the JDK.
    BaseLocale,
    Uuid,
    BigInteger,
    BitSet,
    BigDecimal,
    /// Sum of longs.
    Adder,
    DoubleAdder,
    /// Combined longs.
    Accumulator,
    DoubleAccumulator,
    /// `java.time.LocalDate`
    Date,
    /// `java.time.LocalTime`
    Time,
    /// `java.time.LocalDateTime`
    DateTime,
    /// Time or date and time with an offset from UTC.
    WithOffset,
    /// Date and time with a time zone.
    WithZone,
    Year,
    YearMonth,
    MonthDay,
    Period,
    /// `java.time.Instant`
    Instant,
    /// `java.time.Duration`
    Duration,
    /// `java.util.Date`
    OldDate,
    /// `java.sql.Timestamp`
    Timestamp,
    Calendar,
    FileTime,
    JodaInstant,
    JodaDuration,
    JodaDate,
    JodaTime,
    /// Without a time zone.
    JodaDateTime,
    Lock,
    Semaphore,
    Latch,
    CompletableFuture,
    FutureTask,
    /// Reference with a stamp or a mark.
    MarkedReference,
    /// Of Scala or Vavr.
    Tuple,
    /// Of Kotlin, with two or three elements.
    Pair,
    /// Of Kotlin.
    Lazy,
    /// Range of Kotlin.
    Progression,
    /// Of Guava.
    Range,
}
