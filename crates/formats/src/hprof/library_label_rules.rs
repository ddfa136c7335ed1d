//! Labels of objects of libraries, by class: Jackson 2, Gson, org.json, Netty 4, Joda-Time, Kotlin, Scala, Guava, Vavr.
//! Checked with dumps of these libraries.

use super::label_rules::{Formatter, LabelRule, LabelSource, NODE, VALUE, all_fields, rule};

/// Value of a Jackson node.
const NODE_VALUE: LabelSource = LabelSource::Field(&["_value"]);
/// Value in a variable that a closure changes.
const ELEMENT: LabelSource = LabelSource::Field(&["element", "elem"]);
const TUPLE: LabelSource = LabelSource::Formatted(Formatter::Tuple);
const LAZY: LabelSource = LabelSource::Formatted(Formatter::Lazy);
const PROGRESSION: LabelSource = LabelSource::Formatted(Formatter::Progression);

pub(super) const LIBRARY_LABELS: &[LabelRule] = &[
    // Jackson; its other nodes have nothing but their class.
    rule("com.fasterxml.jackson.databind.node.ObjectNode", LabelSource::Keys),
    rule("com.fasterxml.jackson.databind.node.TextNode", NODE_VALUE),
    rule("com.fasterxml.jackson.databind.node.BooleanNode", NODE_VALUE),
    rule("com.fasterxml.jackson.databind.node.ShortNode", NODE_VALUE),
    rule("com.fasterxml.jackson.databind.node.IntNode", NODE_VALUE),
    rule("com.fasterxml.jackson.databind.node.LongNode", NODE_VALUE),
    rule("com.fasterxml.jackson.databind.node.FloatNode", NODE_VALUE),
    rule("com.fasterxml.jackson.databind.node.DoubleNode", NODE_VALUE),
    rule("com.fasterxml.jackson.databind.node.BigIntegerNode", NODE_VALUE),
    rule("com.fasterxml.jackson.databind.node.DecimalNode", NODE_VALUE),
    rule("com.fasterxml.jackson.databind.node.POJONode", NODE_VALUE),
    // Gson.
    rule("com.google.gson.JsonObject", LabelSource::Keys),
    rule("com.google.gson.JsonPrimitive", VALUE),
    rule("com.google.gson.internal.LazilyParsedNumber", VALUE),
    rule("com.google.gson.internal.LinkedTreeMap$Node", NODE),
    // org.json, also that of Android.
    rule("org.json.JSONObject", LabelSource::Keys),
    // Netty.
    all_fields("io.netty.buffer.AbstractByteBuf", LabelSource::Formatted(Formatter::NettyBuffer)),
    all_fields("io.netty.buffer.WrappedByteBuf", LabelSource::Formatted(Formatter::NettyBuffer)),
    // Joda-Time.
    rule("org.joda.time.Instant", LabelSource::Formatted(Formatter::JodaInstant)),
    rule("org.joda.time.base.BaseDateTime", LabelSource::Formatted(Formatter::JodaInstant)),
    rule("org.joda.time.base.BaseDuration", LabelSource::Formatted(Formatter::JodaDuration)),
    rule("org.joda.time.base.BaseSingleFieldPeriod", LabelSource::Field(&["iPeriod"])),
    rule("org.joda.time.LocalDate", LabelSource::Formatted(Formatter::JodaDate)),
    rule("org.joda.time.LocalTime", LabelSource::Formatted(Formatter::JodaTime)),
    rule("org.joda.time.LocalDateTime", LabelSource::Formatted(Formatter::JodaDateTime)),
    rule("org.joda.time.DateTimeZone", LabelSource::Text(&["iID"])),
    // Kotlin.
    rule("kotlin.Pair", LabelSource::Formatted(Formatter::Pair)),
    rule("kotlin.Triple", LabelSource::Formatted(Formatter::Pair)),
    rule("kotlin.SynchronizedLazyImpl", LAZY),
    rule("kotlin.SafePublicationLazyImpl", LAZY),
    rule("kotlin.UnsafeLazyImpl", LAZY),
    rule("kotlin.InitializedLazyImpl", LAZY),
    rule("kotlin.collections.IndexedValue", LabelSource::Entry(&["index"], &["value"])),
    rule("kotlin.ranges.IntProgression", PROGRESSION),
    rule("kotlin.ranges.LongProgression", PROGRESSION),
    rule("kotlin.ranges.CharProgression", PROGRESSION),
    rule("kotlin.text.Regex", LabelSource::Field(&["nativePattern"])),
    rule("kotlin.jvm.internal.Ref$ObjectRef", ELEMENT),
    rule("kotlin.jvm.internal.Ref$BooleanRef", ELEMENT),
    rule("kotlin.jvm.internal.Ref$IntRef", ELEMENT),
    rule("kotlin.jvm.internal.Ref$LongRef", ELEMENT),
    rule("kotlin.jvm.internal.Ref$DoubleRef", ELEMENT),
    // Scala.
    rule("scala.Some", LabelSource::Field(&["value", "x"])),
    rule("scala.util.Left", LabelSource::Field(&["value", "a"])),
    rule("scala.util.Right", LabelSource::Field(&["value", "b"])),
    rule("scala.util.Success", VALUE),
    rule("scala.util.Failure", LabelSource::Field(&["exception"])),
    all_fields("scala.Tuple2", TUPLE),
    all_fields("scala.Tuple3", TUPLE),
    all_fields("scala.Tuple4", TUPLE),
    all_fields("scala.Tuple5", TUPLE),
    rule("scala.Symbol", LabelSource::Text(&["name"])),
    rule("scala.math.BigInt", LabelSource::Field(&["bigInteger"])),
    rule("scala.math.BigDecimal", LabelSource::Field(&["bigDecimal"])),
    rule("scala.runtime.ObjectRef", ELEMENT),
    rule("scala.runtime.BooleanRef", ELEMENT),
    rule("scala.runtime.IntRef", ELEMENT),
    rule("scala.runtime.LongRef", ELEMENT),
    rule("scala.runtime.DoubleRef", ELEMENT),
    // Guava.
    rule("com.google.common.base.Present", LabelSource::Field(&["reference"])),
    rule("com.google.common.collect.ImmutableEntry", NODE),
    rule("com.google.common.collect.Range", LabelSource::Formatted(Formatter::Range)),
    rule("com.google.common.net.HostAndPort", LabelSource::Formatted(Formatter::HostAndPort)),
    rule("com.google.common.net.MediaType", LabelSource::Formatted(Formatter::MediaType)),
    // Vavr.
    rule("io.vavr.control.Option$Some", VALUE),
    rule("io.vavr.control.Either$Left", VALUE),
    rule("io.vavr.control.Either$Right", VALUE),
    rule("io.vavr.control.Try$Success", VALUE),
    rule("io.vavr.control.Try$Failure", LabelSource::Field(&["cause"])),
    rule("io.vavr.Tuple2", TUPLE),
    rule("io.vavr.Tuple3", TUPLE),
    rule("io.vavr.Tuple4", TUPLE),
    rule("io.vavr.Tuple5", TUPLE),
    // OkHttp.
    rule("okhttp3.HttpUrl", LabelSource::Text(&["url"])),
];
