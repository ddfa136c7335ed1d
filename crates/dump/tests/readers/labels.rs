//! Labels of objects of libraries, on small heaps with the classes and fields that dumps of these libraries have.

use std::io::Write;

use heaplens_dump::{Dump, open};
use heaplens_testkit::hprof::{Form, write};
use heaplens_testkit::notation;
use heaplens_testkit::v8::form::Form as SnapshotForm;
use heaplens_testkit::v8::snapshot::Snapshot;
use heaplens_testkit::v8::write::write as write_snapshot;

fn opened(bytes: &[u8]) -> Dump {
    let mut file = tempfile::NamedTempFile::new().expect("a temporary file");
    file.write_all(bytes).expect("disk space");
    open(file.path()).unwrap_or_else(|error| panic!("{error}"))
}

fn label(dump: &Dump, id: &str) -> Option<String> {
    dump.label(dump.find(id).unwrap_or_else(|| panic!("no object {id}")))
}

/// Checks the labels of objects by id.
fn check(heap: &str, labels: &[(&str, &str)]) {
    let roots: Vec<String> = labels.iter().map(|(id, _)| format!("root {id}")).collect();
    let sketch = notation::read(&(heap.to_owned() + &roots.join("\n"))).unwrap_or_else(|why| panic!("{why}"));
    let dump = opened(&write(&sketch, Form::MODERN));
    for (id, expected) in labels {
        assert_eq!(label(&dump, id).as_deref().unwrap_or("none"), *expected, "{id}");
    }
}

const DATES: &str = r#"
class java.time.LocalDate
  field year: int
  field month: int
  field day: int
class java.time.LocalTime
  field hour: int
  field minute: int
  field second: int
  field nano: int
class java.time.LocalDateTime
  field date: object
  field time: object
class java.time.ZoneId
class java.time.ZoneOffset extends java.time.ZoneId
  field id: object
class java.time.ZoneRegion extends java.time.ZoneId
  field id: object
class java.time.OffsetDateTime
  field dateTime: object
  field offset: object
class java.time.OffsetTime
  field time: object
  field offset: object
class java.time.ZonedDateTime
  field dateTime: object
  field offset: object
  field zone: object
class java.time.Period
  field years: int
  field months: int
  field days: int
class java.time.YearMonth
  field year: int
  field month: int
class java.util.Date
  field fastTime: long
class java.sql.Date extends java.util.Date
class java.sql.Timestamp extends java.util.Date
  field nanos: int
class java.util.Calendar
  field isTimeSet: boolean
  field time: long
class java.util.GregorianCalendar extends java.util.Calendar
date = java.time.LocalDate year=-5 month=2 day=1
time = java.time.LocalTime hour=13 minute=5 second=6 nano=7000
both@0x9000 = java.time.LocalDateTime date=date time=time
name = "+05:30"
zone = "Europe/Berlin"
offset = java.time.ZoneOffset id=name
region = java.time.ZoneRegion id=zone
0x9100@0x9100 = java.time.OffsetDateTime dateTime=both offset=offset
0x9200@0x9200 = java.time.ZonedDateTime dateTime=both offset=offset zone=region
0x9300@0x9300 = java.time.ZonedDateTime dateTime=both offset=offset zone=offset
0x9380@0x9380 = java.time.ZonedDateTime dateTime=both
0x9400@0x9400 = java.time.OffsetTime time=time offset=offset
0x9500@0x9500 = java.time.Period years=1 months=-2
0x9600@0x9600 = java.time.Period
0x9700@0x9700 = java.time.YearMonth year=2024 month=2
0x9800@0x9800 = java.sql.Timestamp fastTime=-1000 nanos=5
0x9900@0x9900 = java.sql.Date fastTime=0
0x9a00@0x9a00 = java.util.GregorianCalendar isTimeSet=true
0x9b00@0x9b00 = java.util.GregorianCalendar
"#;

#[test]
fn dates_have_the_format_of_iso_8601() {
    check(
        DATES,
        &[
            ("0x9000", "-0005-02-01T13:05:06.000007"),
            ("0x9100", "-0005-02-01T13:05:06.000007+05:30"),
            ("0x9200", "-0005-02-01T13:05:06.000007+05:30[Europe/Berlin]"),
            ("0x9300", "-0005-02-01T13:05:06.000007+05:30"),
            ("0x9380", "none"),
            ("0x9400", "13:05:06.000007+05:30"),
            ("0x9500", "P1Y-2M"),
            ("0x9600", "P0D"),
            ("0x9700", "2024-02"),
            ("0x9800", "1969-12-31T23:59:59.000000005Z"),
            ("0x9900", "1970-01-01T00:00:00Z"),
            ("0x9a00", "1970-01-01T00:00:00Z"),
            ("0x9b00", "none"),
        ],
    );
}

const BUFFERS: &str = r#"
class java.nio.Buffer
  field position: int
  field limit: int
  field capacity: int
class java.nio.ByteBuffer extends java.nio.Buffer
  field hb: object
  field offset: int
class java.nio.HeapByteBuffer extends java.nio.ByteBuffer
class java.nio.DirectByteBuffer extends java.nio.ByteBuffer
class java.nio.IntBuffer extends java.nio.Buffer
  field hb: object
class java.nio.CharBuffer extends java.nio.Buffer
  field hb: object
  field offset: int
class java.nio.StringCharBuffer extends java.nio.CharBuffer
  field str: object
class java.io.ByteArrayInputStream
  field buf: object
  field pos: int
  field count: int
text = byte[] 71 69 84 32 47 13 10 -61 -92
zeros = byte[] 72 105 0 0
characters = char[] 97 98 99
string = "hello chars"
0x9000@0x9000 = java.nio.HeapByteBuffer limit=9 capacity=9 hb=text
0x9100@0x9100 = java.nio.HeapByteBuffer position=1 limit=2 capacity=4 hb=text offset=1
0x9200@0x9200 = java.nio.HeapByteBuffer position=2 limit=4 capacity=4 hb=zeros
0x9300@0x9300 = java.nio.HeapByteBuffer position=0 limit=8 capacity=9 hb=text
0x9400@0x9400 = java.nio.DirectByteBuffer position=1 limit=2 capacity=64
0x9500@0x9500 = java.nio.HeapByteBuffer position=-1 limit=2147483647 capacity=-2147483648 hb=text offset=2147483647
0x9600@0x9600 = java.nio.CharBuffer limit=3 capacity=3 hb=characters
0x9700@0x9700 = java.nio.StringCharBuffer position=2 limit=6 capacity=11 str=string
0x9800@0x9800 = java.nio.StringCharBuffer position=9 limit=6 capacity=11 str=string
0x9900@0x9900 = java.nio.IntBuffer limit=4 capacity=4 hb=string
0x9a00@0x9a00 = java.io.ByteArrayInputStream buf=text pos=4 count=5
0x9b00@0x9b00 = java.io.ByteArrayInputStream buf=string count=5
"#;

#[test]
fn buffers_say_where_they_are_read_and_begin_with_their_text() {
    check(
        BUFFERS,
        &[
            ("0x9000", "pos 0, limit 9 of 9: \"GET /\\r\\nä\""),
            ("0x9100", "pos 1, limit 2 of 4: \"T\""),
            ("0x9200", "pos 2, limit 4 of 4, written: \"Hi\""),
            ("0x9300", "pos 0, limit 8 of 9: \"GET /\\r\\n\""),
            ("0x9400", "pos 1, limit 2 of 64"),
            ("0x9500", "pos -1, limit 2147483647 of -2147483648"),
            ("0x9600", "pos 0, limit 3 of 3: \"abc\""),
            ("0x9700", "pos 2, limit 6 of 11: \"llo \""),
            ("0x9800", "pos 9, limit 6 of 11"),
            ("0x9900", "pos 0, limit 4 of 4"),
            ("0x9a00", "pos 4 of 5 bytes: \"/\""),
            ("0x9b00", "5 bytes"),
        ],
    );
}

const NETTY: &str = r"
class io.netty.buffer.AbstractByteBuf
  field readerIndex: int
  field writerIndex: int
  field maxCapacity: int
class io.netty.buffer.UnpooledHeapByteBuf extends io.netty.buffer.AbstractByteBuf
  field array: object
class io.netty.buffer.PooledHeapByteBuf extends io.netty.buffer.AbstractByteBuf
  field memory: object
  field offset: int
  field length: int
class io.netty.buffer.UnpooledSlicedByteBuf extends io.netty.buffer.AbstractByteBuf
  field buffer: object
  field adjustment: int
class io.netty.buffer.WrappedByteBuf
  field buf: object
class io.netty.buffer.UnreleasableByteBuf extends io.netty.buffer.WrappedByteBuf
text = byte[] 72 84 84 80 47 49 46 49
0x9000@0x9000 = io.netty.buffer.UnpooledHeapByteBuf readerIndex=1 writerIndex=4 maxCapacity=256 array=text
0x9100@0x9100 = io.netty.buffer.PooledHeapByteBuf writerIndex=3 length=4 offset=5 memory=text
0x9200@0x9200 = io.netty.buffer.UnpooledSlicedByteBuf writerIndex=2 maxCapacity=2 buffer=0x9000 adjustment=4
0x9300@0x9300 = io.netty.buffer.UnreleasableByteBuf buf=0x9200
0x9400@0x9400 = io.netty.buffer.UnpooledSlicedByteBuf writerIndex=2 maxCapacity=2 buffer=0x9400 adjustment=1
0x9500@0x9500 = io.netty.buffer.UnreleasableByteBuf buf=0x9500
0x9600@0x9600 = io.netty.buffer.UnpooledHeapByteBuf readerIndex=-1 writerIndex=2147483647 array=text
";

#[test]
fn views_of_a_netty_buffer_end_even_in_a_cycle() {
    check(
        NETTY,
        &[
            ("0x9000", "reader 1, writer 4 of 8: \"TTP\""),
            ("0x9100", "reader 0, writer 3 of 4: \"1.1\""),
            ("0x9200", "reader 0, writer 2 of 2: \"/1\""),
            ("0x9300", "reader 0, writer 2 of 2: \"/1\""),
            ("0x9400", "reader 0, writer 2 of 2"),
            ("0x9500", "none"),
            ("0x9600", "reader -1, writer 2147483647 of 8"),
        ],
    );
}

const FUTURES: &str = r#"
class java.lang.Throwable
  field detailMessage: object
  field cause: object
class java.lang.IllegalStateException extends java.lang.Throwable
class java.util.concurrent.CompletionException extends java.lang.Throwable
class java.util.concurrent.CancellationException extends java.lang.Throwable
class java.util.concurrent.CompletableFuture
  field result: object
class java.util.concurrent.CompletableFuture$AltResult
  field ex: object
class java.util.concurrent.FutureTask
  field state: int
  field callable: object
  field outcome: object
  field runner: object
text = "bad"
error = java.lang.IllegalStateException detailMessage=text
wrapper = java.util.concurrent.CompletionException cause=error
cancelled = java.util.concurrent.CancellationException
failed = java.util.concurrent.CompletableFuture$AltResult ex=wrapper
gone = java.util.concurrent.CompletableFuture$AltResult ex=cancelled
nothing = java.util.concurrent.CompletableFuture$AltResult
0x9000@0x9000 = java.util.concurrent.CompletableFuture
0x9100@0x9100 = java.util.concurrent.CompletableFuture result=text
0x9200@0x9200 = java.util.concurrent.CompletableFuture result=nothing
0x9300@0x9300 = java.util.concurrent.CompletableFuture result=failed
0x9400@0x9400 = java.util.concurrent.CompletableFuture result=gone
0x9500@0x9500 = java.util.concurrent.FutureTask callable=error
0x9600@0x9600 = java.util.concurrent.FutureTask state=1 runner=text
0x9700@0x9700 = java.util.concurrent.FutureTask state=2 outcome=text
0x9800@0x9800 = java.util.concurrent.FutureTask state=3 outcome=error
0x9900@0x9900 = java.util.concurrent.FutureTask state=3
0x9a00@0x9a00 = java.util.concurrent.FutureTask state=5
0x9b00@0x9b00 = java.util.concurrent.CompletableFuture result=0x9b00
"#;

#[test]
fn futures_have_their_state_and_result() {
    check(
        FUTURES,
        &[
            ("0x9000", "not completed"),
            ("0x9100", "completed: bad"),
            ("0x9200", "completed: null"),
            ("0x9300", "failed: IllegalStateException: bad"),
            ("0x9400", "cancelled"),
            ("0x9500", "not completed: bad"),
            ("0x9600", "running"),
            ("0x9700", "completed: bad"),
            ("0x9800", "failed: IllegalStateException: bad"),
            ("0x9900", "none"),
            ("0x9a00", "cancelled"),
            ("0x9b00", "completed: completed: completed: CompletableFuture"),
        ],
    );
}

const OTHERS: &str = r#"
class java.lang.Integer
  field value: int
class java.net.InetAddress
  field holder: object
class java.net.InetAddress$InetAddressHolder
  field hostName: object
  field address: int
class java.net.Inet4Address extends java.net.InetAddress
class java.net.Inet6Address extends java.net.InetAddress
  field holder6: object
class java.net.Inet6Address$Inet6AddressHolder
  field ipaddress: object
class java.net.InetSocketAddress
  field holder: object
class java.net.InetSocketAddress$InetSocketAddressHolder
  field hostname: object
  field addr: object
  field port: int
class java.util.concurrent.atomic.Striped64
  field base: long
  field cells: object
class java.util.concurrent.atomic.LongAdder extends java.util.concurrent.atomic.Striped64
class java.util.concurrent.atomic.Striped64$Cell
  field value: long
class scala.Tuple2
  field _1: object
  field _2: object
class scala.Tuple2$mcII$sp extends scala.Tuple2
  field _1$mcI$sp: int
  field _2$mcI$sp: int
class kotlin.Pair
  field first: object
  field second: object
class kotlin.SynchronizedLazyImpl
  field _value: object
class kotlin.UNINITIALIZED_VALUE
class com.google.common.collect.Cut
  field endpoint: object
class com.google.common.collect.Cut$BelowValue extends com.google.common.collect.Cut
class com.google.common.collect.Cut$AboveAll extends com.google.common.collect.Cut
class com.google.common.collect.Range
  field lowerBound: object
  field upperBound: object
class org.json.JSONObject
  field map: object
class java.util.HashMap
  field table: object
  field size: int
class java.util.HashMap$Node
  field key: object
  field value: object
  field next: object
host = "db.example.org"
four = java.net.InetAddress$InetAddressHolder hostName=host address=0x0a0000c8
bytes = byte[] 32 1 13 -72 0 0 0 0 0 0 -1 0 0 66 -125 41
few = byte[] 1
six = java.net.Inet6Address$Inet6AddressHolder ipaddress=bytes
five = java.net.Inet6Address$Inet6AddressHolder ipaddress=few
no = java.net.InetAddress$InetAddressHolder
0x9000@0x9000 = java.net.Inet4Address holder=four
0x9100@0x9100 = java.net.Inet6Address holder=no holder6=six
0x9180@0x9180 = java.net.Inet6Address holder=no holder6=five
resolved = java.net.InetSocketAddress$InetSocketAddressHolder addr=0x9100 port=80
unresolved = java.net.InetSocketAddress$InetSocketAddressHolder hostname=host port=443
0x9200@0x9200 = java.net.InetSocketAddress holder=resolved
0x9300@0x9300 = java.net.InetSocketAddress holder=unresolved
cell = java.util.concurrent.atomic.Striped64$Cell value=40
cells = java.lang.Object[] cell null cell
0x9400@0x9400 = java.util.concurrent.atomic.LongAdder base=2 cells=cells
0x9500@0x9500 = scala.Tuple2$mcII$sp _1$mcI$sp=3 _2$mcI$sp=4
seven = java.lang.Integer value=7
0x9600@0x9600 = kotlin.Pair first=host second=seven
braces = "(a"
0x9640@0x9640 = kotlin.Pair first=braces second=seven
inner = kotlin.Pair first=0x9600 second=0x9600
0x9680@0x9680 = kotlin.Pair first=inner
later = kotlin.UNINITIALIZED_VALUE
0x9700@0x9700 = kotlin.SynchronizedLazyImpl _value=later
0x9800@0x9800 = kotlin.SynchronizedLazyImpl _value=seven
below = com.google.common.collect.Cut$BelowValue endpoint=seven
all = com.google.common.collect.Cut$AboveAll
0x9900@0x9900 = com.google.common.collect.Range lowerBound=below upperBound=all
id = "id"
key = "name"
second = java.util.HashMap$Node key=key value=seven
first = java.util.HashMap$Node key=id value=seven next=second
table = java.util.HashMap$Node[] null first
map = java.util.HashMap table=table size=2
larger = java.util.HashMap table=table size=1000
0x9a00@0x9a00 = org.json.JSONObject map=map
0x9b00@0x9b00 = org.json.JSONObject map=larger
"#;

#[test]
fn values_of_other_libraries() {
    check(
        OTHERS,
        &[
            ("0x9000", "db.example.org/10.0.0.200"),
            ("0x9100", "2001:db8::ff00:42:8329"),
            ("0x9180", "none"),
            ("0x9200", "[2001:db8::ff00:42:8329]:80"),
            ("0x9300", "db.example.org:443 (unresolved)"),
            ("0x9400", "82"),
            ("0x9500", "(3, 4)"),
            ("0x9600", "(db.example.org, 7)"),
            ("0x9640", "((a, 7)"),
            ("0x9680", "(Pair(Pair(db.example.org, 7), Pair(db.example.org, 7)), null)"),
            ("0x9700", "not initialized"),
            ("0x9800", "7"),
            ("0x9900", "[7..+∞)"),
            ("0x9a00", "(2) {id, name}"),
            ("0x9b00", "(1,000) {id, name, …}"),
        ],
    );
}

#[test]
fn redacted_values_are_hidden() {
    let sketch = notation::read(&format!("{BUFFERS}root 0x9000")).unwrap_or_else(|why| panic!("{why}"));
    let dump = opened(&write(&sketch, Form::MODERN));
    let facts = dump.facts.redacted();
    let object = dump.find("0x9000").expect("a buffer");
    let hidden = facts.contents.label(&facts.heap, object).expect("a label");
    assert!(!hidden.contains("GET") && !hidden.contains('9'), "{hidden}");
}

/// Adds a node to a snapshot, held by the root.
fn held(made: &mut Snapshot, kind: &'static str, name: &str, size: u64) -> usize {
    let id = 2 * made.nodes.len() as u64 + 1;
    let node = made.add(kind, name, id, size);
    made.name(0, "property", format!("p{id}").as_str(), node);
    node
}

fn number(made: &mut Snapshot, value: &str) -> usize {
    let (number, text) = (held(made, "number", "heap number", 16), held(made, "string", value, 16));
    made.name(number, "internal", "value", text);
    number
}

#[test]
fn objects_of_javascript_have_their_values() {
    let mut made = Snapshot::default();
    made.add("synthetic", "", 1, 0);
    let object = |made: &mut Snapshot, class: &str| held(made, "object", class, 16);
    let of_number = |made: &mut Snapshot, class: &str, value: &str| {
        let (object, number) = (object(made, class), number(made, value));
        made.number(object, "hidden", 2, number);
        object
    };
    let to = |made: &mut Snapshot, class: &str, (kind, name): (&'static str, &str), target: usize| {
        let object = object(made, class);
        made.name(object, kind, name, target);
        object
    };
    let made = &mut made;
    let text = held(made, "string", "went wrong", 16);
    let plain = number(made, "3.25");
    let date = of_number(made, "Date", "1709211906123");
    let (invalid, far) = (of_number(made, "Date", "NaN"), of_number(made, "Date", "1e300"));
    let boxed = of_number(made, "Number", "42.5");
    let error = to(made, "TypeError", ("property", "message"), text);
    let mute = object(made, "TypeError");
    let contents = held(made, "native", "system / JSArrayBufferData", 1024);
    let buffer = to(made, "ArrayBuffer", ("internal", "backing_store"), contents);
    let view = to(made, "Uint8Array", ("internal", "buffer"), buffer);
    let settled = to(made, "Promise", ("internal", "reactions_or_result"), text);
    let failed = to(made, "Promise", ("internal", "reactions_or_result"), error);
    let reaction = held(made, "hidden", "system / PromiseReaction", 16);
    let pending = to(made, "Promise", ("internal", "reactions_or_result"), reaction);
    let weak = to(made, "WeakRef", ("weak", "target"), date);
    let context = to(made, "URLContext", ("property", "href"), text);
    let url = to(made, "URL", ("property", "#context"), context);
    let symbol = held(made, "symbol", "symbol", 16);
    made.name(symbol, "internal", "name", text);
    let (bound, function) = (held(made, "closure", "native_bind", 16), held(made, "closure", "sell", 16));
    made.name(bound, "internal", "bound_function", function);
    let dump = opened(write_snapshot(made, &SnapshotForm::node20()).as_bytes());
    for (node, expected) in [
        (plain, Some("3.25")),
        (date, Some("2024-02-29T13:05:06.123Z")),
        (invalid, Some("Invalid Date")),
        (far, None),
        (boxed, Some("42.5")),
        (error, Some("went wrong")),
        (mute, None),
        (buffer, Some("1,024 bytes")),
        (view, Some("buffer of 1,024 bytes")),
        (settled, Some("settled: \"went wrong\"")),
        (failed, Some("settled: TypeError: went wrong")),
        (pending, Some("pending")),
        (weak, Some("Date")),
        (url, Some("went wrong")),
        (symbol, Some("Symbol(went wrong)")),
        (bound, Some("bound sell()")),
        (function, Some("sell()")),
    ] {
        let id = format!("@{}", made.nodes[node].id);
        assert_eq!(label(&dump, &id).as_deref(), expected, "{:?}", made.nodes[node].name);
    }
}

const BOXED: &str = "
class java.lang.Integer
  field value: object
class java.util.Optional
  field value: object
0x9000@0x9000 = java.lang.Integer value=0x9000
0x9100@0x9100 = java.util.Optional value=0x9000
";

/// In a crafted dump the value of a number may be an object, even the number itself.
#[test]
fn a_boxed_number_that_refers_to_itself_ends() {
    check(BOXED, &[("0x9000", "none"), ("0x9100", "Integer")]);
}

#[test]
fn the_label_of_a_class_is_its_whole_name() {
    let name = format!("com.example.{}.Registry", "integration".repeat(12));
    let sketch = format!("class {name}\none@0x9000 = {name}\nroot one\n");
    let dump = opened(&write(&notation::read(&sketch).expect("a heap"), Form::MODERN));
    let class = dump.class_of(dump.find("0x9000").expect("the object"));
    let object = dump.facts.heap.classes.get(class).object.expect("a class object");
    assert_eq!(dump.label(object).as_deref(), Some(&*name));
}
