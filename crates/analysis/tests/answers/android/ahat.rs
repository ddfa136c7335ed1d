//! The cases of ahat's tests, on our own heaps.

use heaplens_analysis::object::android::BinderRole;
use heaplens_analysis::object::describe;
use heaplens_analysis::paths::{PathOptions, paths};
use heaplens_heap::Strength;
use heaplens_testkit::art::{APP, Art, Class};
use heaplens_testkit::random::Random;
use heaplens_testkit::sketch::{Type, Value};
use heaplens_testkit::{hprof, notation};

use super::graphs::Graph;
use super::*;

/// Edges, and the immediate dominators of some objects. The first of each graph is the root.
const DOMINATORS: [(&str, &str); 10] = [
    ("p->l,r; r->c; l->c", "l:p r:p c:p"),
    ("p->r,c; r->c", "r:p c:p"),
    ("p->m->c", "m:p c:m"),
    ("p->c; c->c", "c:p"),
    ("p->a->b->c->a", "a:p b:a c:b"),
    ("p->l,r; l->c; r->a; a->b; b->c; c->a", "a:p c:p l:p r:p b:a"),
    ("p->l,c,r; r->c; l->r", "l:p c:p r:p"),
    ("p->r,l; r->a; l->a,c; a->b; b->c", "l:p r:p a:p c:p b:a"),
    ("p->d,a; a->e,b; b->d,c; c->d; d->e", "a:p d:p e:p b:a c:b"),
    ("p->a; a->f,b; b->f,d,x; x->c; c->d; f->c", "b:a c:a d:a f:a x:b"),
];

#[test]
fn dominators_of_small_graphs() {
    for (edges, expected) in DOMINATORS {
        let graph = Graph::new(edges);
        let drawn = graph.open(&["p"], Strength::Phantom);
        assert_eq!(drawn.idom("p"), None, "{edges}");
        for pair in expected.split_whitespace() {
            let (object, dominator) = pair.split_once(':').expect("a pair");
            assert_eq!(drawn.idom(object).as_deref(), Some(dominator), "{edges}: {object}");
        }
    }
}

#[test]
fn a_chain_of_ten_thousand_needs_no_deep_stack() {
    let names: Vec<String> = (1..=10_000).map(|n| n.to_string()).collect();
    let graph = Graph::new(&names.join("->"));
    let drawn = graph.open(&["1"], Strength::Phantom);
    assert_eq!(drawn.idom("10000").as_deref(), Some("9999"));
    assert_eq!(drawn.dump.analysis.dominated_count(drawn.object("1")), 9_999);
    assert_eq!(drawn.dump.analysis.distance(drawn.object("10000")), Some(9_999));
}

/// The weakest reference on a path, of the path where that is strongest.
#[test]
fn strength_is_the_weakest_link_of_the_best_path() {
    use Strength::{Final, Phantom, Soft, Strong, Weak};
    let cases: [(&str, &[(&str, Strength)]); 8] = [
        (
            "a->b-soft->c->d-weak->e-soft->f-phantom->g",
            &[("a", Strong), ("b", Strong), ("c", Soft), ("d", Soft), ("e", Weak), ("f", Weak), ("g", Phantom)],
        ),
        // A longer path of stronger references counts.
        ("a->w,b; w-weak->x; b->c->d->x", &[("x", Strong)]),
        ("a->w,s; w-weak->x; s-soft->t->u->x", &[("x", Soft)]),
        // An object with a finalizer is retained until it has run, despite weak references.
        ("a->w,f; w-weak->x; f-final->y->x", &[("y", Final), ("x", Final)]),
        ("a->s,f; s-soft->x; f-final->x", &[("x", Soft)]),
        // Weak references to a root change nothing.
        ("a->w; w-weak->a", &[("a", Strong), ("w", Strong)]),
        // Strength through a weak holder is no stronger than weak.
        ("a->w; w-weak->s; s-soft->x", &[("s", Weak), ("x", Weak)]),
        ("a->c; c-cleaner->x; c->t", &[("x", Phantom)]),
    ];
    for (edges, expected) in cases {
        let graph = Graph::new(edges);
        let drawn = graph.open(&["a"], Strength::Phantom);
        for &(object, strength) in expected {
            assert_eq!(drawn.strength(object), Some(strength), "{edges}: {object}");
        }
    }
    let graph = Graph::new("a->w; w-weak->x; y->x");
    let drawn = graph.open(&["a"], Strength::Strong);
    assert_eq!((drawn.strength("x"), drawn.strength("y"), drawn.strength("w")), (None, None, Some(Strong)));
}

/// Strengths, distances and paths of random graphs equal those of a naive fixed-point iteration.
#[test]
fn strengths_of_random_graphs() {
    const KINDS: [&str; 6] = ["", "", "-soft", "-final", "-weak", "-phantom"];
    const STRENGTHS: [Strength; 5] =
        [Strength::Strong, Strength::Soft, Strength::Final, Strength::Weak, Strength::Phantom];
    for seed in 0..150 {
        let mut random = Random::new(seed);
        let count = 2 + random.below(14);
        // From, to, strength: the first reference of an object may be weak.
        let mut edges: Vec<(u32, u32, Strength)> = Vec::new();
        let mut parts = Vec::new();
        for from in 0..count {
            let kind = KINDS[random.below(6) as usize];
            let targets: Vec<u32> = (0..=random.below(3)).map(|_| random.below(count)).collect();
            let strength = STRENGTHS.into_iter().find(|s| *s != Strength::Strong && kind.ends_with(s.name()));
            for (at, &to) in targets.iter().enumerate() {
                edges.push((from, to, strength.filter(|_| at == 0).unwrap_or(Strength::Strong)));
            }
            let targets: Vec<String> = targets.iter().map(|to| format!("n{to}")).collect();
            parts.push(format!("n{from}{kind}->{}", targets.join(",")));
        }
        let text = parts.join(";");
        let weakest = STRENGTHS[random.below(5) as usize];
        let mut expected: Vec<Option<(Strength, u32)>> = vec![None; count as usize];
        expected[0] = Some((Strength::Strong, 0));
        for level in STRENGTHS.into_iter().filter(|level| *level <= weakest) {
            // Known ones stay; among new ones the shortest path counts.
            let known = expected.clone();
            for _ in 0..count {
                for &(from, to, strength) in edges.iter().filter(|(.., strength)| *strength <= level) {
                    let Some((_, steps)) = expected[from as usize] else { continue };
                    let nearer = expected[to as usize].is_none_or(|(_, known)| steps + 1 < known);
                    if known[to as usize].is_none() && nearer && strength <= level {
                        expected[to as usize] = Some((level, steps + 1));
                    }
                }
            }
        }
        let graph = Graph::new(&text);
        let drawn = graph.open(&["n0"], weakest);
        let (heap, analysis) = (&drawn.dump.facts.heap, &drawn.dump.analysis);
        for (n, expected) in expected.iter().enumerate() {
            let name = format!("n{n}");
            let object = drawn.object(&name);
            let got = analysis.strength(object).zip(analysis.distance(object));
            assert_eq!(got, *expected, "seed {seed}, {name} of {text} by {}", weakest.name());
            let Some((strength, steps)) = expected.filter(|&(_, steps)| steps > 0) else { continue };
            let before = analysis.predecessor(heap, object).unwrap_or_else(|| panic!("seed {seed}, {name}: no way"));
            let from: u32 = drawn.name(before)[1..].parse().expect("a number");
            assert_eq!(analysis.distance(before), Some(steps - 1), "seed {seed}, {name}");
            assert!(analysis.strength(before).is_some_and(|of| of <= strength), "seed {seed}, {name}");
            let held = |&(a, b, by): &(u32, u32, Strength)| (a, b as usize) == (from, n) && by <= strength;
            assert!(edges.iter().any(held), "seed {seed}, {name} by n{from}");
        }
    }
}

/// Paths go by the strongest references there are, even where weaker ones are shorter.
#[test]
fn paths_avoid_weak_references() {
    let graph = Graph::new("a->w,b; w-weak->x; b->c->d->x");
    let drawn = graph.open(&["a"], Strength::Phantom);
    assert_eq!(drawn.before("x").as_deref(), Some("d"));
    let graph = Graph::new("a->w,s; w-weak->x; s-soft->t->u->x");
    let drawn = graph.open(&["a"], Strength::Phantom);
    let path: Vec<String> = std::iter::successors(Some("x".to_owned()), |name| drawn.before(name)).collect();
    assert_eq!(path, ["x", "u", "t", "s", "a"]);
    assert_eq!(drawn.dump.analysis.distance(drawn.object("x")), Some(4));
    // Dominators of the object are marked.
    let graph = Graph::new("a->b,c; b->d; c->d; d->e");
    let drawn = graph.open(&["a"], Strength::Phantom);
    let wish = PathOptions::default().max_listed_at_end(10);
    let actual = paths(drawn.dump.data(), drawn.object("e"), wish, &Task::new()).expect("paths");
    let marks: Vec<(String, bool)> =
        actual[0].steps.iter().map(|step| (drawn.name(step.object), step.dominates)).collect();
    let expected = [("a", true), ("b", false), ("d", true), ("e", true)].map(|(name, mark)| (name.to_owned(), mark));
    assert_eq!(marks, expected);
}

#[test]
fn a_followed_soft_reference_retains_more() {
    let graph = Graph::new("a->s; s-soft->x; x->y");
    let (strong, soft) = (graph.open(&["a"], Strength::Strong), graph.open(&["a"], Strength::Soft));
    assert!(soft.retained("s") > strong.retained("s"));
    assert_eq!((strong.retained("s"), soft.retained("s")), (8, 24));
}

const INTERFACES: [(Id, &str, Id); 7] = [
    (0x200, "android.os.Binder", 0x100),
    (0x300, "com.example.IMusic$Stub", 0x200),
    (0x400, "com.example.Music", 0x300),
    (0x500, "android.os.BinderProxy", 0x100),
    (0x600, "com.example.IRadio$Stub$Proxy", 0x100),
    (0x700, "java.lang.DexCache", 0x100),
    (0x800, "java.lang.String", 0x100),
];

/// Binders of every kind, a cache of a dex file, and a string without value.
fn binders() -> Art {
    let mut art = Art::default();
    art.heap(APP, "app");
    art.class(Class { id: 0x100, name: "java.lang.Object", bytes: 8, ..Class::default() });
    for (id, name, superclass) in INTERFACES {
        let fields: &[(&str, Type)] = match name {
            "android.os.Binder" => &[("mDescriptor", Type::Object)],
            "com.example.IRadio$Stub$Proxy" => &[("mRemote", Type::Object)],
            "java.lang.DexCache" => &[("location", Type::Object)],
            "java.lang.String" => &[("count", Type::Int), ("hash", Type::Int), ("value", Type::Object)],
            _ => &[],
        };
        art.class(Class { id, name, superclass, bytes: 16, fields, ..Class::default() });
    }
    let one = |id: Id| [Value::Object(id)];
    art.instance(0x1000, 0x400, &one(0x2000));
    art.instance(0x1100, 0x200, &one(0x2100));
    art.instance(0x1200, 0x200, &one(0));
    art.instance(0x1300, 0x500, &[]);
    art.instance(0x1400, 0x600, &one(0x1300));
    art.instance(0x1500, 0x500, &[]);
    art.instance(0x1600, 0x700, &one(0x2200));
    art.string(0x2000, 0x800, &[], "com.example.IMusic");
    art.string(0x2100, 0x800, &[], "com.example.IToken");
    art.string(0x2200, 0x800, &[], "/system/framework/core.jar");
    art.instance(0x2300, 0x800, &[Value::Int(3), Value::Int(0), Value::Object(0)]);
    art
}

#[test]
fn binders_have_labels() {
    let dump = open(&binders().write(Writer::Art));
    let lines = |id| describe(dump.data(), object(&dump, id), 100).android;
    let binder = |id| lines(id).binder;
    let is = |role, name: &str| Some((role, name.to_owned()));
    assert_eq!(binder(0x1000), is(BinderRole::Stub, "com.example.IMusic"));
    assert_eq!(binder(0x1100), is(BinderRole::Token, "com.example.IToken"));
    assert_eq!(binder(0x1200), is(BinderRole::Token, ""));
    assert_eq!(binder(0x1300), is(BinderRole::Proxy, "com.example.IRadio"));
    assert_eq!((binder(0x1400), binder(0x1500), binder(0x2000)), (None, None, None));
    assert_eq!(lines(0x1600).dex_location.as_deref(), Some("/system/framework/core.jar"));
    // A string without characters is none, and no failure.
    assert_eq!(text(&dump, 0x2300), None);
}

#[test]
fn texts_classes_and_tables() {
    let dump = open(&sample().write(Writer::Art));
    let (heap, contents) = (&dump.facts.heap, &dump.facts.contents);
    let details = |id| describe(dump.data(), object(&dump, id), 100);
    let cut = contents.text(heap, object(&dump, at::WIDE), 7);
    assert_eq!(cut.as_deref().map(|text| text.chars().take(7).collect::<String>()).as_deref(), Some("Sigma ("));
    assert_eq!(details(at::CACHE_CLASS).class_name, "java.lang.Class");
    assert_eq!(details(at::TABLE).android.overhead_of, Some(object(&dump, at::CACHE_CLASS)));
    // Nothing else has an owner of that kind.
    let owned = heap.objects().filter(|&o| describe(dump.data(), o, 1).android.overhead_of.is_some());
    assert_eq!(owned.collect::<Vec<_>>(), [object(&dump, at::TABLE)]);
    // Objects held by the VM are roots in any heap.
    assert!(!details(at::BITMAP_CLASS).roots.is_empty());
    assert_eq!(heap.native(object(&dump, at::BITMAP)), Bytes(12_288));
}

const MAP: &str = "\
class.that.is.Empty -> a:
class.that.is.Empty$subclass -> b:
class.with.only.Fields -> c:
    int prim_type_field -> a
    int[] prim_array_type_field -> b
    class.that.is.Empty class_type_field -> c
    class.that.is.Empty[] array_type_field -> d
    int longObfuscatedNameField -> abc
class.with.Methods -> d:
    int some_field -> a
    12:23:void <clinit>() -> <clinit>
    42:43:void boringMethod() -> m
    45:48:void methodWithPrimArgs(int,float) -> m
    49:50:void methodWithPrimArrArgs(int[],float) -> m
    52:55:void methodWithClearObjArg(class.not.in.Map) -> m
    57:58:void methodWithClearObjArrArg(class.not.in.Map[]) -> m
    59:61:void methodWithObfObjArg(class.with.only.Fields) -> m
    64:66:class.with.only.Fields methodWithObfRes() -> n
    80:80:void lineObfuscatedMethod():8:8 -> o
    100:105:void lineObfuscatedMethod():50 -> o
    90:94:void lineObfuscatedMethod2():9 -> p
";

/// Frames of the dump, and their mapped names.
const FRAMES: [(&str, &str); 15] = [
    ("d.m ()V SourceFile 42", "class.with.Methods.boringMethod(Methods.java:42)"),
    ("d.m (IF)V SourceFile 45", "class.with.Methods.methodWithPrimArgs(Methods.java:45)"),
    ("d.m ([IF)V SourceFile 49", "class.with.Methods.methodWithPrimArrArgs(Methods.java:49)"),
    ("d.m (Lclass/not/in/Map;)V SourceFile 52", "class.with.Methods.methodWithClearObjArg(Methods.java:52)"),
    ("d.m ([Lclass/not/in/Map;)V SourceFile 57", "class.with.Methods.methodWithClearObjArrArg(Methods.java:57)"),
    ("d.m (Lc;)V SourceFile 59", "class.with.Methods.methodWithObfObjArg(Methods.java:59)"),
    ("d.n ()Lc; SourceFile 64", "class.with.Methods.methodWithObfRes(Methods.java:64)"),
    ("d.<clinit> ()V SourceFile 13", "class.with.Methods.<clinit>(Methods.java:13)"),
    ("d.o ()V SourceFile 80", "class.with.Methods.lineObfuscatedMethod(Methods.java:8)"),
    // If a mapping gives one line for a range, ahat counts on from it, to 53 and 13. ProGuard's manual says that
    // another method was inlined at that line, and R8's retrace gives it for the whole range.
    ("d.o ()V SourceFile 103", "class.with.Methods.lineObfuscatedMethod(Methods.java:50)"),
    ("d.p ()V SourceFile 94", "class.with.Methods.lineObfuscatedMethod2(Methods.java:9)"),
    ("d.p ()V SourceFile 90", "class.with.Methods.lineObfuscatedMethod2(Methods.java:9)"),
    ("d.clear ()V SourceFile 7", "class.with.Methods.clear(Methods.java:7)"),
    ("b.run ()V SourceFile 3", "class.that.is.Empty$subclass.run(Empty.java:3)"),
    ("not.In.Map.clear ()V SomeFile.java 123", "not.In.Map.clear(SomeFile.java:123)"),
];

fn mapping() -> Arc<MappingFile> {
    let file = crate::temporary_file(MAP);
    Arc::new(MappingFile::read(file.path()).expect("a mapping"))
}

#[test]
fn frames_of_a_mapping() {
    let frames: Vec<String> = FRAMES.iter().map(|(frame, _)| format!("  frame {frame}")).collect();
    let heap = format!(
        "class b\nclass d\nclass not.In.Map\nclass java.lang.Thread\n  field name: object\nt = java.lang.Thread\n\
         root t thread 1 trace 2\ntrace 2 thread 1\n{}",
        frames.join("\n")
    );
    let bytes = hprof::write(&notation::read(&heap).expect("a heap"), hprof::Form::MODERN);
    let dump = open_mapped(&bytes, &mapping());
    let thread = dump.facts.contents.stack_owners()[0].object.expect("a thread");
    let stack = dump.facts.contents.stack(&dump.facts.heap, thread);
    assert_eq!(stack.len(), FRAMES.len(), "{stack:?}");
    for ((frame, expected), got) in FRAMES.iter().zip(&stack) {
        assert_eq!(got, expected, "{frame}");
    }
}

#[test]
fn classes_and_fields_of_a_mapping() {
    let mut art = Art::default();
    art.heap(APP, "app");
    art.class(Class { id: 0x100, name: "java.lang.Object", bytes: 8, ..Class::default() });
    let above = Class { superclass: 0x100, bytes: 32, ..Class::default() };
    let names = ["a", "b", "c", "d", "a[]", "d[]", "d[][]", "not.In.Map", "dalvik.Own"];
    for (id, name) in (0x200..).step_by(0x100).zip(names) {
        let of_c =
            [("a", Type::Int), ("b", Type::Object), ("c", Type::Object), ("d", Type::Object), ("abc", Type::Int)];
        let fields: &[(&str, Type)] = match name {
            "c" => &of_c,
            "d" => &[("a", Type::Int)],
            "not.In.Map" => &[("clear", Type::Int)],
            _ => &[],
        };
        art.class(Class { id, name, fields, ..above });
    }
    let null = Value::Object(0);
    art.instance(0x2000, 0x400, &[Value::Int(1), null, null, null, Value::Int(5)]);
    art.instance(0x2100, 0x500, &[Value::Int(2)]);
    art.instance(0x2200, 0x900, &[Value::Int(3)]);
    let dump = open_mapped(&art.write(Writer::Art), &mapping());
    let heap = &dump.facts.heap;
    for name in [
        "class.that.is.Empty",
        "class.that.is.Empty$subclass",
        "class.with.only.Fields",
        "class.with.Methods",
        "class.that.is.Empty[]",
        "class.with.Methods[]",
        "class.with.Methods[][]",
        "not.In.Map",
    ] {
        assert!(heap.classes.named(name).is_some(), "{name}");
    }
    let fields = |id| -> Vec<String> {
        let fields = dump.facts.contents.fields(heap, object(&dump, id)).expect("it is readable");
        fields.into_iter().map(|field| field.name).collect()
    };
    let expected =
        ["prim_type_field", "prim_array_type_field", "class_type_field", "array_type_field", "longObfuscatedNameField"];
    assert_eq!(fields(0x2000), expected);
    assert_eq!(fields(0x2100), ["some_field"]);
    assert_eq!(fields(0x2200), ["clear"]);
}
