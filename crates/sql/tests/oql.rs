//! The grammar of MAT's OQL form by form: each has the rows of a query in SQL that says the same in another way, or a
//! sentence that says what to write instead.

use std::collections::BTreeSet;
use std::path::Path;

use heaplens_base::Task;
use heaplens_dump::Dump;
use heaplens_heap::ObjectId;
use heaplens_session::OpenOptions;
use heaplens_session::dump::open_and_wait;
use heaplens_session::leaks::LeakRules;
use heaplens_sql::{CollectedAnswer, Database, Limits, QueryError, QuerySource};
use heaplens_tables::columns::Value;

type Row = Vec<Value<'static>>;

fn opened(name: &str) -> (Dump, Database) {
    let fixture = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures").join(name);
    let dump = open_and_wait(&fixture, &OpenOptions::default(), &Task::new()).expect("a dump");
    let database = Database::new(QuerySource::of(&dump, LeakRules::default()), None).expect("a database");
    (dump, database)
}

fn rows(database: &mut Database, query: &str) -> Result<Vec<Row>, QueryError> {
    let mut answer = CollectedAnswer::new(usize::MAX);
    database.run(query, Limits::default(), &Task::new(), &mut answer)?;
    Ok(answer.rows)
}

fn sorted(mut rows: Vec<Row>) -> Vec<String> {
    let mut texts: Vec<String> = rows.drain(..).map(|row| format!("{row:?}")).collect();
    texts.sort_unstable();
    texts
}

/// OQL and the same question in SQL. `MAP` and `CLASS` are addresses.
const TRANSLATED: &[(&str, &str)] = &[
    // SELECT
    ("SELECT * FROM java.lang.Thread", "SELECT * FROM \"java.lang.Thread\""),
    ("SELECT s FROM java.lang.String s", "SELECT object FROM \"java.lang.String\""),
    (
        "SELECT toString(s), s.hash, s.value FROM java.lang.String s",
        "SELECT text(object), hash, value FROM \"java.lang.String\"",
    ),
    (
        "SELECT toString(s) AS Value, s.@usedHeapSize AS \"Shallow Size\", s.@retainedHeapSize AS \"Retained Size\" FROM java.lang.String s",
        "SELECT text(object), shallow_bytes, retained_bytes FROM \"java.lang.String\"",
    ),
    (
        "SELECT OBJECTS s.value FROM java.lang.String s",
        "SELECT o.id, o.class, o.shallow_bytes, o.retained_bytes FROM \"java.lang.String\" s JOIN objects o ON o.id = s.value",
    ),
    (
        "SELECT OBJECTS dominators(s) FROM desk.Session s",
        "SELECT o.id, o.class, o.shallow_bytes, o.retained_bytes FROM objects o WHERE class_of(o.immediate_dominator) = 'desk.Session'",
    ),
    (
        "SELECT DISTINCT OBJECTS classof(s) FROM java.lang.String s",
        "SELECT id, class, shallow_bytes, retained_bytes FROM objects WHERE class = 'java.lang.Class' AND id = STRING",
    ),
    ("SELECT DISTINCT classof(s) FROM java.lang.String s", "SELECT STRING"),
    (
        "SELECT DISTINCT * FROM OBJECTS MAP,MAP,CLASS",
        "SELECT id, class, shallow_bytes, retained_bytes FROM objects WHERE id IN (MAP, CLASS)",
    ),
    (
        "SELECT OBJECTS outbounds(s) FROM OBJECTS MAP s",
        "SELECT id, class, shallow_bytes, retained_bytes FROM objects WHERE id IN (SELECT target FROM refs WHERE source = MAP) OR id = class_object(MAP)",
    ),
    (
        "SELECT OBJECTS inbounds(s) FROM OBJECTS MAP s",
        "SELECT id, class, shallow_bytes, retained_bytes FROM objects WHERE id IN (SELECT source FROM refs WHERE target = MAP)",
    ),
    (
        "SELECT OBJECTS s.@outboundReferences FROM OBJECTS MAP s",
        "SELECT id, class, shallow_bytes, retained_bytes FROM objects WHERE id IN (SELECT target FROM refs WHERE source = MAP) OR id = class_object(MAP)",
    ),
    (
        "SELECT OBJECTS m.table.@referenceArray FROM java.util.HashMap m",
        "SELECT o.id, o.class, o.shallow_bytes, o.retained_bytes FROM \"java.util.HashMap\" m JOIN elements(m.\"table\") e JOIN objects o ON o.id = e.value_object",
    ),
    (
        "SELECT s.@objectId * 2, \"The object ID is \"+@objectId FROM OBJECTS MAP,CLASS s",
        "SELECT id * 2, 'The object ID is ' || id FROM objects WHERE id IN (MAP, CLASS)",
    ),
    // FROM
    ("SELECT * FROM INSTANCEOF java.lang.ref.Reference", "SELECT * FROM \"instanceof java.lang.ref.Reference\""),
    (
        "SELECT s.@objectId FROM \"java\\.lang\\.ref\\..*\" s",
        "SELECT id FROM objects WHERE reachable AND class LIKE 'java.lang.ref.%'",
    ),
    (
        "SELECT s FROM \"desk.Order|desk.Order$Line\" s",
        "SELECT id FROM objects WHERE reachable AND class IN ('desk.Order', 'desk.Order$Line')",
    ),
    ("SELECT s FROM \"byte[].*\" s", "SELECT id FROM objects WHERE reachable AND class GLOB 'byte[[]]*'"),
    ("SELECT s FROM CLASS s", "SELECT id FROM objects WHERE reachable AND class_object(id) = CLASS"),
    ("SELECT s FROM CLASS,STRING s", "SELECT id FROM objects WHERE reachable AND class_object(id) IN (CLASS, STRING)"),
    ("SELECT s FROM INSTANCEOF CLASS s", "SELECT object FROM \"instanceof java.util.HashMap\""),
    (
        "SELECT s FROM ( SELECT * FROM java.lang.Class c WHERE c implements org.eclipse.mat.snapshot.model.IClass ) s",
        "SELECT id FROM objects WHERE reachable AND class_object(id) IN (SELECT object FROM \"java.lang.Class\")",
    ),
    ("SELECT s FROM ${snapshot}.getClasses() s", "SELECT id FROM objects WHERE reachable"),
    (
        "SELECT s FROM ${snapshot}.getClassesByName(\"java.lang.ref.Reference\", true) s",
        "SELECT object FROM \"instanceof java.lang.ref.Reference\"",
    ),
    (
        "SELECT * FROM OBJECTS java.lang.String",
        "SELECT id, class, shallow_bytes, retained_bytes FROM objects WHERE id = STRING",
    ),
    ("SELECT * FROM OBJECTS MAP", "SELECT id, class, shallow_bytes, retained_bytes FROM objects WHERE id = MAP"),
    ("SELECT s.@objectAddress FROM OBJECTS MAP,MAP,CLASS s", "SELECT column1 FROM (VALUES (MAP), (MAP), (CLASS))"),
    (
        "SELECT c.@name FROM OBJECTS INSTANCEOF java.lang.ref.Reference c",
        "SELECT class_of(object) FROM \"instanceof java.lang.ref.Reference\" WHERE FALSE",
    ),
    (
        "SELECT v, v.@length FROM OBJECTS ( SELECT OBJECTS s.value FROM java.lang.String s ) v",
        "SELECT s.value, (SELECT count(*) FROM elements(s.value)) FROM \"java.lang.String\" s",
    ),
    (
        "SELECT v.s, v.val FROM OBJECTS ( SELECT s, s.value AS val FROM java.lang.String s ) v",
        "SELECT object, value FROM \"java.lang.String\"",
    ),
    ("SELECT r FROM OBJECTS ${snapshot}.@GCRoots r", "SELECT id FROM objects WHERE root IS NOT NULL"),
    // WHERE
    ("SELECT s FROM desk.Order s WHERE s.number >= 501000", "SELECT object FROM \"desk.Order\" WHERE number >= 501000"),
    (
        "SELECT s FROM java.lang.String s WHERE toString(s) LIKE \".*day\"",
        "SELECT object FROM \"java.lang.String\" WHERE text(object) GLOB '*day' AND instr(text(object), char(10)) = 0",
    ),
    (
        "SELECT s FROM java.lang.String s WHERE toString(s) NOT LIKE \"java.*\"",
        "SELECT object FROM \"java.lang.String\" WHERE NOT (text(object) GLOB 'java*' AND text(object) NOT GLOB '*[' || char(10, 13, 133, 8232, 8233) || ']*')",
    ),
    (
        "SELECT t FROM java.lang.Thread t WHERE t.name LIKE \"[a-z]+\"",
        "SELECT object FROM \"java.lang.Thread\" WHERE text(name) NOT GLOB '*[^a-z]*'",
    ),
    (
        "SELECT s FROM java.lang.String s WHERE s.value IN dominators(s)",
        "SELECT object FROM \"java.lang.String\" WHERE dominator(value) = object",
    ),
    (
        "SELECT s FROM java.lang.String s WHERE s.value NOT IN dominators(s)",
        "SELECT object FROM \"java.lang.String\" WHERE dominator(value) IS NOT object AND value IS NOT NULL",
    ),
    (
        "SELECT s FROM java.lang.String s WHERE s IN ( SELECT OBJECTS t.name FROM INSTANCEOF java.lang.Thread t )",
        "SELECT DISTINCT name FROM \"instanceof java.lang.Thread\"",
    ),
    (
        "SELECT s FROM java.lang.String s WHERE toString(s) = \"main\"",
        "SELECT object FROM \"java.lang.String\" WHERE text(object) = 'main'",
    ),
    (
        "SELECT t FROM java.lang.Thread t WHERE t.name = \"main\"",
        "SELECT object FROM \"java.lang.Thread\" WHERE text(name) = 'main'",
    ),
    (
        "SELECT t FROM java.lang.Thread t WHERE t.contextClassLoader = null",
        "SELECT object FROM \"java.lang.Thread\" WHERE contextClassLoader IS NULL",
    ),
    (
        "SELECT t FROM java.lang.Thread t WHERE t.contextClassLoader != null",
        "SELECT object FROM \"java.lang.Thread\" WHERE contextClassLoader IS NOT NULL",
    ),
    (
        "SELECT s FROM java.lang.String s WHERE s.hash > 100 AND s.@retainedHeapSize > s.@usedHeapSize",
        "SELECT object FROM \"java.lang.String\" WHERE hash > 100 AND retained_bytes > shallow_bytes",
    ),
    (
        "SELECT s FROM java.lang.String s WHERE s.coder > 0 OR s.value.@length > 100",
        "SELECT object FROM \"java.lang.String\" WHERE coder > 0 OR field(object, 'value.length') > 100",
    ),
    (
        "SELECT s FROM java.lang.String s WHERE ( s.hash > 1000 ) = true OR dominators(s).size() = 0",
        "SELECT object FROM \"java.lang.String\" WHERE hash > 1000 OR object NOT IN (SELECT immediate_dominator FROM objects WHERE immediate_dominator IS NOT NULL)",
    ),
    (
        "SELECT s FROM java.lang.String s WHERE s.value != null AND s.value.@valueArray.@length >= 1 AND s.value.@valueArray.get(0) = 106",
        "SELECT object FROM \"java.lang.String\" WHERE field(object, 'value[0]') = 106",
    ),
    (
        "SELECT s FROM instanceof java.lang.Number s WHERE s.value > -1 OR s.value > -0.1E-2D",
        "SELECT object FROM \"instanceof java.lang.Number\" WHERE field(object, 'value') > -1",
    ),
    (
        "SELECT s FROM java.lang.String s WHERE s.value.@length / 2 > 20.5D AND s.value.@length - 1 < 3--100",
        "SELECT object FROM \"java.lang.String\" WHERE field(object, 'value.length') BETWEEN 42 AND 103",
    ),
    (
        "SELECT s FROM java.util.HashMap s WHERE dominatorof(s) = -1",
        "SELECT object FROM \"java.util.HashMap\" WHERE dominator(object) IS NULL",
    ),
    ("SELECT s FROM desk.Session s WHERE (SELECT * FROM desk.Order) != null", "SELECT object FROM \"desk.Session\""),
    (
        "SELECT c FROM INSTANCEOF java.lang.Object c WHERE c implements org.eclipse.mat.snapshot.model.IPrimitiveArray",
        "SELECT id FROM objects WHERE reachable AND class IN ('byte[]', 'char[]', 'int[]', 'long[]', 'short[]', 'boolean[]', 'float[]', 'double[]')",
    ),
    // Properties
    (
        "SELECT s.@objectId, s.@objectAddress, s.@usedHeapSize, s.@retainedHeapSize, toHex(s.@objectAddress) FROM java.util.HashMap s",
        "SELECT object, object, shallow_bytes, retained_bytes, address(object) FROM \"java.util.HashMap\"",
    ),
    (
        "SELECT s.@technicalName, s.@clazz.@name, classof(s).@name FROM java.util.HashMap s",
        "SELECT class || ' @ ' || address(object), class, class FROM \"java.util.HashMap\"",
    ),
    (
        "SELECT s.@displayName, s.@classSpecificName FROM desk.ChainLink s",
        "SELECT class || ' @ ' || address(object), NULL FROM \"desk.ChainLink\"",
    ),
    (
        "SELECT c.@technicalName, c.@name, toString(c) FROM OBJECTS desk.Session c",
        "SELECT 'class desk.Session @ ' || address(class_object((SELECT object FROM \"desk.Session\" LIMIT 1))), 'desk.Session', 'desk.Session'",
    ),
    (
        "SELECT t, t.@GCRootInfo FROM INSTANCEOF java.lang.Thread t WHERE t.@GCRootInfo != null",
        "SELECT id, root FROM objects WHERE root IS NOT NULL AND is_subclass(class, 'java.lang.Thread')",
    ),
    ("SELECT a.@length FROM int[] a", "SELECT (SELECT count(*) FROM elements(object)) FROM \"int[]\""),
    (
        "SELECT s[2] FROM int[] s WHERE (s.@length > 2)",
        "SELECT e.value FROM \"int[]\" s JOIN elements(s.object) e WHERE e.position = 2",
    ),
    (
        "SELECT s.getValueAt(2) FROM int[] s WHERE (s.@length > 2)",
        "SELECT e.value FROM \"int[]\" s JOIN elements(s.object) e WHERE e.position = 2",
    ),
    (
        "SELECT s[s.@length - 1], s[-1] FROM int[] s WHERE s.@length > 0",
        "SELECT e.value, e.value FROM \"int[]\" s JOIN elements(s.object) e WHERE e.position = array_length(s.object) - 1",
    ),
    (
        "SELECT OBJECTS s[2] FROM java.lang.Object[] s",
        "SELECT o.id, o.class, o.shallow_bytes, o.retained_bytes FROM \"java.lang.Object[]\" s JOIN elements(s.object) e JOIN objects o ON o.id = e.value_object WHERE e.position = 2",
    ),
    (
        "SELECT OBJECTS s.@referenceArray.get(2) FROM java.lang.Object[] s",
        "SELECT o.id, o.class, o.shallow_bytes, o.retained_bytes FROM \"java.lang.Object[]\" s JOIN elements(s.object) e JOIN objects o ON o.id = e.value_object WHERE e.position = 2",
    ),
    (
        "SELECT a[0] FROM java.util.ArrayList a",
        "SELECT (SELECT value_object FROM entries(object) WHERE position = 0) FROM \"java.util.ArrayList\"",
    ),
    (
        "SELECT h[0].@key, h[0].getValue() FROM OBJECTS MAP h",
        "SELECT key_object, value_object FROM entries(MAP) WHERE position = 0",
    ),
    (
        "SELECT toString(o.customer.name) FROM desk.Order o",
        "SELECT text(field(object, 'customer.name')) FROM \"desk.Order\"",
    ),
    (
        "SELECT inbounds(s).@length, outbounds(s).length, dominators(s).size() FROM OBJECTS MAP s",
        "SELECT (SELECT count(DISTINCT source) FROM refs WHERE target = MAP), 1 + (SELECT count(DISTINCT target) FROM refs WHERE source = MAP), (SELECT count(*) FROM objects WHERE immediate_dominator = MAP)",
    ),
    ("SELECT eval(s.hash + 1) FROM java.lang.String s", "SELECT hash + 1 FROM \"java.lang.String\""),
    ("SELECT size FROM java.util.HashMap WHERE size > 10", "SELECT size FROM \"java.util.HashMap\" WHERE size > 10"),
    (
        "SELECT s FROM java.lang.String s WHERE toString(s).contains(\"status\") AND toString(s).startsWith(\"status\") AND toString(s).length() < 20",
        "SELECT object FROM \"java.lang.String\" WHERE text(object) GLOB 'status*' AND length(text(object)) < 20",
    ),
    (
        "SELECT s FROM \".*\" s WHERE s.@clazz.@name.indexOf(\"u\") = 5 AND s.@clazz.@name.endsWith(\"Map\")",
        "SELECT id FROM objects WHERE reachable AND instr(class, 'u') = 6 AND class GLOB '*Map'",
    ),
    ("SELECT toString(s) FROM java.lang.Thread s", "SELECT text(name) FROM \"java.lang.Thread\""),
    // UNION
    (
        "SELECT * FROM java.lang.String UNION (SELECT * FROM java.lang.Thread)",
        "SELECT id, class, shallow_bytes, retained_bytes FROM objects WHERE reachable AND class IN ('java.lang.String', 'java.lang.Thread')",
    ),
    (
        "SELECT s, s.value, s.hash FROM java.lang.String s UNION (SELECT b, b.name, \"dummy\" FROM java.lang.Thread b )",
        "SELECT object, value, hash FROM \"java.lang.String\" UNION ALL SELECT object, name, 'dummy' FROM \"java.lang.Thread\"",
    ),
    (
        "SELECT s.@objectId FROM OBJECTS MAP s UNION SELECT t.@objectId FROM OBJECTS MAP,CLASS t",
        "SELECT column1 FROM (VALUES (MAP), (MAP), (CLASS))",
    ),
    // What SQL adds
    (
        "SELECT s.size, count(*) FROM java.util.HashMap s GROUP BY s.size HAVING count(*) > 1 ORDER BY s.size DESC LIMIT 3",
        "SELECT size, count(*) FROM \"java.util.HashMap\" GROUP BY size HAVING count(*) > 1 ORDER BY size DESC LIMIT 3",
    ),
    (
        "SELECT m.@objectId AS id, m.@retainedHeapSize AS r FROM java.util.HashMap m ORDER BY r DESC LIMIT 2 OFFSET 1",
        "SELECT object, retained_bytes FROM \"java.util.HashMap\" ORDER BY retained_bytes DESC LIMIT 2 OFFSET 1",
    ),
    (
        "select s from java.lang.String s where s.value.length > 100 // end",
        "SELECT object FROM \"java.lang.String\" WHERE array_length(value) > 100",
    ),
    (
        "select sizeof(s), rsizeof(s) from desk.Order s where s.number == 500007 && s.number > 1",
        "SELECT shallow_bytes, retained_bytes FROM \"desk.Order\" WHERE number = 500007",
    ),
];

#[test]
fn each_form_has_the_rows_of_sql() {
    let (dump, mut database) = opened("leak-after.hprof.gz");
    let heap = &dump.facts.heap;
    let class = |name: &str| {
        let class = heap.classes.named(name).and_then(|class| heap.classes.get(class).object);
        heap.id_text(class.unwrap_or_else(|| panic!("{name} has a class object")))
    };
    let (hash_map, string) = (class("java.util.HashMap"), class("java.lang.String"));
    let mut wrong = Vec::new();
    for (oql, sql) in TRANSLATED {
        let placed =
            |text: &str| text.replace("MAP", "0xfe0c8bf8").replace("CLASS", &hash_map).replace("STRING", &string);
        let (oql, sql) = (placed(oql), placed(sql));
        // SQL has no word for the class objects of subclasses.
        if oql.contains("OBJECTS INSTANCEOF") {
            let actual = rows(&mut database, &oql).unwrap_or_else(|error| panic!("{oql}: {error}"));
            let reference = heap.classes.named("java.lang.ref.Reference").expect("a class");
            let below = heap.classes.all_below(&[reference]);
            let names: BTreeSet<String> = heap
                .classes
                .iter()
                .filter(|(class, _)| below[class.index()])
                .map(|(_, class)| format!("{:?}", vec![Value::text(class.name.to_string())]))
                .collect();
            assert_eq!(sorted(actual).into_iter().collect::<BTreeSet<_>>(), names, "{oql}");
            continue;
        }
        let (actual, expected) = match (rows(&mut database, &oql), rows(&mut database, &sql)) {
            (Ok(actual), Ok(expected)) => (sorted(actual), sorted(expected)),
            (actual, expected) => {
                wrong.extend(actual.err().map(|error| format!("{oql}: {error}")));
                wrong.extend(expected.err().map(|error| format!("{sql}: {error}")));
                continue;
            }
        };
        let differs = actual.iter().zip(&expected).find(|(one, other)| one != other);
        if actual != expected || (expected.is_empty() && !sql.contains("IS NULL")) {
            wrong.push(format!("{oql}: {} rows, {} expected; {differs:?}", actual.len(), expected.len()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// OQL without a translation, and parts of the sentence that says so.
const REFUSED: &[(&str, &[&str])] = &[
    ("SELECT inbounds(s) FROM java.lang.String s", &["several objects", "SELECT OBJECTS inbounds(s)", ".@length"]),
    ("SELECT s.@class FROM java.lang.String s", &["@class", "classof(s)"]),
    ("SELECT s.@snapshot FROM java.lang.String s", &["@snapshot", "statistics"]),
    ("SELECT s.@noSuch FROM java.lang.String s", &["@noSuch", "@retainedHeapSize"]),
    ("SELECT s.nosuch FROM java.lang.String s", &["java.lang.String has no field nosuch", "hash"]),
    ("SELECT c.@numberOfObjects FROM OBJECTS java.lang.String c", &["@numberOfObjects", "FROM classes"]),
    ("SELECT l.@definedClasses FROM INSTANCEOF java.lang.ClassLoader l", &["@definedClasses", "loaders"]),
    ("SELECT c.@superClass FROM java.lang.Class c", &["@superClass", "is_subclass"]),
    ("SELECT s FROM ${snapshot} s", &["this expression in FROM", "getClassesByName"]),
    ("SELECT s FROM OBJECTS (1 + ${snapshot}.GCRoots.length) s", &["this expression in FROM", "roots"]),
    ("SELECT s.@GCRoots[2] FROM OBJECTS ${snapshot} s", &["this expression in FROM"]),
    ("SELECT ${snapshot}.@usedHeapSize FROM java.lang.String s", &["${snapshot}", "statistics"]),
    ("SELECT * FROM OBJECTS 20815", &["the dump has no object 0x514f", "own object ids"]),
    ("SELECT * FROM 0xfe0c8bf8", &["0xfe0c8bf8 is not a class object", "FROM OBJECTS 0xfe0c8bf8"]),
    ("SELECT s FROM INSTANCEOF ( SELECT * FROM java.lang.Class ) s", &["INSTANCEOF of a query", "Name the class"]),
    ("SELECT * FROM java.util.HashMp", &["the dump has no class java.util.HashMp"]),
    (
        "SELECT * FROM java.util.NoSuchMap UNION (SELECT * FROM java.util.HashMap)",
        &["the dump has no class java.util.NoSuchMap"],
    ),
    ("SELECT * FROM \"no\\.such\\..*\"", &["the dump has no class no\\.such\\..*"]),
    (
        "SELECT s FROM java.lang.String s WHERE toString(s) LIKE \"(?=a)b\"",
        &["LIKE compares with a regular expression", "looking ahead", "LIKE '%part%'"],
    ),
    (
        "SELECT s FROM java.lang.String s WHERE s implements java.util.List",
        &["IMPLEMENTS java.util.List", "FROM INSTANCEOF java.util.List"],
    ),
    ("SELECT s FROM java.lang.String s WHERE inbounds(s) > 3", &["several objects", ".@length"]),
    ("SELECT s FROM java.lang.String s WHERE inbounds(s)[0] = s", &["by its number"]),
    ("SELECT s[0:-1] FROM java.lang.Object[] s", &["a range of elements", "elements(s.object)"]),
    ("SELECT a.@elementData.subList(0, 1) FROM java.util.ArrayList a", &["@elementData"]),
    ("SELECT s.getReferenceArray(2,1) FROM java.lang.Object[] s", &["getReferenceArray()"]),
    ("SELECT s.toString() FROM java.lang.String s", &["toString()", "toString(s)"]),
    ("SELECT s.name.contains(\"x\") FROM java.lang.Thread s", &["contains()", "toString("]),
    ("SELECT s.hash + \"x\" FROM java.lang.String s", &["arithmetic with a text", "+ joins texts"]),
    ("SELECT (SELECT t FROM java.lang.Thread t) FROM java.lang.String s", &["a query as a value"]),
    ("SELECT v FROM OBJECTS ( SELECT s, s.hash FROM java.lang.String s ) v", &["a row of several columns"]),
    ("SELECT s FROM java.lang.String s WHERE s.hash > 1 || s.hash < 2", &["|| is no operator of OQL", "OR"]),
    (
        "SELECT t.name FROM java.lang.Thread t JOIN refs r ON r.source = t.object",
        &["selects from one class", "JOIN refs"],
    ),
    ("SELECT s FROM java.lang.String s WHERE", &["this is OQL, and the query ends"]),
    ("SELECT dominators(s) FROM java.lang.String s", &["SELECT OBJECTS dominators(s)"]),
    // VisualVM and jhat
    ("heap.forEachObject(function(o) { print(o) })", &["JavaScript", "VisualVM", "FROM objects"]),
    ("select heap.findClass('java.lang.System').statics.props", &["JavaScript"]),
    ("select map(heap.objects('java.lang.String'), 'it.toString()')", &["JavaScript"]),
    ("select {instance: s, content: s.toString()} from java.lang.String s", &["JavaScript"]),
    ("select reachables(s) from java.lang.String s", &["JavaScript", "reachable_from"]),
    ("select s from java.lang.String s where /en/.test(s.toString())", &["this is OQL"]),
];

#[test]
fn what_has_no_translation_says_what_to_write() {
    let (_dump, mut database) = opened("leak-after.hprof.gz");
    for (oql, parts) in REFUSED {
        let error = match rows(&mut database, oql) {
            Err(error) => error.to_string(),
            Ok(rows) => panic!("{oql}: {} rows", rows.len()),
        };
        for part in *parts {
            assert!(error.contains(part), "{oql}: {part:?} is missing in {error:?}");
        }
        assert!(!error.contains("syntax error"), "{oql}: {error}");
    }
}

/// The retained set of several objects has what they hold together.
#[test]
fn a_retained_set_is_of_all_objects_together() {
    let (dump, mut database) = opened("leak-after.hprof.gz");
    let (heap, analysis) = (&dump.facts.heap, &dump.analysis);
    for class in ["desk.Session", "desk.Order", "java.lang.String"] {
        let id = heap.classes.named(class).expect("a class");
        let objects: Vec<ObjectId> =
            heap.objects().filter(|&o| heap.class_id(o) == id && analysis.is_reachable(o)).collect();
        let set = heaplens_analysis::retained::retained_set(dump.data(), &objects, &Task::new()).expect("a set");
        let actual = rows(&mut database, &format!("SELECT AS RETAINED SET * FROM {class}")).expect("rows");
        assert_eq!(actual.len() as u64, set.retained_objects, "{class}");
        let bytes: i64 = actual.iter().map(|row| if let Value::Integer(n) = row[2] { n } else { 0 }).sum();
        assert_eq!(bytes as u64, set.retained.0, "{class}");
        let values = rows(
            &mut database,
            &format!("SELECT AS RETAINED SET s.@usedHeapSize FROM {class} s WHERE s.@usedHeapSize > 0"),
        );
        assert_eq!(values.expect("rows").len(), actual.len(), "{class}");
    }
    let of_one = rows(&mut database, "SELECT AS RETAINED SET * FROM OBJECTS 0xfe0c8bf8").expect("rows");
    let function = rows(&mut database, "SELECT id, class, shallow_bytes, retained_bytes FROM retained_set(0xfe0c8bf8)");
    assert_eq!(sorted(of_one), sorted(function.expect("rows")));
}

/// Classes whose names match an expression, compared with every name.
/// What an expression matches, computed without the program.
type Naive<'a> = &'a dyn Fn(&str) -> bool;

#[test]
fn an_expression_of_class_names_matches_whole_names() {
    let (dump, mut database) = opened("leak-after.hprof.gz");
    let (heap, analysis) = (&dump.facts.heap, &dump.analysis);
    let is_ref =
        |name: &str| name.strip_prefix("java.util.").is_some_and(|rest| rest.chars().all(|c| c.is_ascii_alphabetic()));
    let all: [(&str, Naive<'_>); 4] = [
        ("java\\.util\\.[A-Za-z]*", &is_ref),
        ("desk.Session.*", &|name| name.starts_with("desk") && name.get(5..12) == Some("Session")),
        (".*[]", &|name| name.ends_with("[]")),
        ("desk.Order$Line", &|name| name == "desk.Order$Line"),
    ];
    for (pattern, is_meant) in all {
        let meant = |&o: &ObjectId| analysis.is_reachable(o) && is_meant(&heap.class(o).name);
        let expected = heap.objects().filter(meant).count();
        let actual = rows(&mut database, &format!("SELECT s.@objectId FROM \"{pattern}\" s"));
        assert_eq!(actual.unwrap_or_else(|error| panic!("{pattern}: {error}")).len(), expected, "{pattern}");
        assert!(expected > 0, "{pattern}");
    }
}

/// A chain of any length, nested texts and an address with a sign end in an error or an answer.
#[test]
fn long_queries_are_refused() {
    let (_dump, mut database) = opened("leak-after.hprof.gz");
    let chain = |many: usize| {
        let terms = vec!["s.@objectAddress = 0x1"; many].join(" OR ");
        format!("SELECT s.@objectId FROM java.lang.Thread s WHERE {terms}")
    };
    assert!(rows(&mut database, &chain(100)).is_ok());
    let refusal = rows(&mut database, &chain(5_000)).expect_err("too long").to_string();
    assert!(refusal.contains("too many operators"), "{refusal}");
    let nested = (0..40).fold("toString(s)".to_owned(), |text, _| format!("toString(s).substring({text}.length(), 9)"));
    assert!(rows(&mut database, &format!("SELECT {nested} FROM java.lang.Thread s")).is_err());
    let signed = "SELECT s.@objectId FROM java.lang.Thread s WHERE s.@usedHeapSize > -0xffffffffffffffff AND TRUE";
    assert!(rows(&mut database, signed).is_ok());
    let having = "SELECT OBJECTS s FROM java.lang.Thread s HAVING s.@usedHeapSize > 1";
    assert!(rows(&mut database, having).is_err());
}

/// SQL stays SQL, whatever names and texts look like.
#[test]
fn queries_in_sql_are_not_translated() {
    let (_dump, mut database) = opened("leak-after.hprof.gz");
    for (query, count) in [
        ("SELECT objects FROM classes WHERE class = 'desk.Session'", 1),
        ("SELECT objects n FROM classes WHERE class = 'desk.Session'", 1),
        ("SELECT count(*) FROM objects o WHERE o.class = 'a@b'", 1),
        ("SELECT a.class FROM main.classes a WHERE a.class LIKE '%Session'", 1),
        ("SELECT d.level FROM dominators(0xfe0c8bf8) d LIMIT 1", 1),
        ("SELECT s.object FROM \"desk.Session\" s LIMIT 1", 1),
        ("SELECT 1 -- FROM java.lang.String s", 1),
        ("SELECT 'toString(s)', 'x' || 'y' FROM objects LIMIT 1", 1),
        ("SELECT class FROM classes UNION SELECT class FROM classes WHERE class = 'x' LIMIT 1", 1),
    ] {
        let actual = rows(&mut database, query).unwrap_or_else(|error| panic!("{query}: {error}"));
        assert_eq!(actual.len(), count, "{query}");
    }
}
