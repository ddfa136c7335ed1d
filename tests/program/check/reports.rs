//! Reports for other tools: their structure, and names that may contain anything.

use serde_json::Value;

use super::Gate;

/// A class name that Markdown, XML, HTML and a terminal would interpret.
const EVIL: &str = "]]></failure><script>alert(\"1\")</script>|[x](http://e)`*_&\u{1b}[31m\u{0}\u{202e}\u{ffff}'";

/// Reports of one run: SARIF, JUnit, Markdown.
fn reports(gate: &Gate, dumps: &[&str], more: &[&str]) -> (Option<i32>, Value, String, String) {
    let files = ["heap.sarif", "heap.xml", "heap.md"].map(|name| gate.at(name).to_str().expect("a path").to_owned());
    let options = ["--sarif", &files[0], "--junit", &files[1], "--markdown", &files[2]];
    let checked = gate.run(dumps, &[&options[..], more].concat());
    let [sarif, junit, markdown] = files.map(|file| std::fs::read_to_string(file).expect("a report"));
    assert!(!checked.stdout.contains('\u{1b}') && !checked.stderr.contains('\u{1b}'), "{}", checked.stdout);
    (checked.status, serde_json::from_str(&sarif).expect("json"), junit, markdown)
}

/// Checks that XML is well-formed: allowed characters, escaped text, and tags that match. Returns the names of elements.
fn elements(xml: &str) -> Vec<String> {
    let allowed =
        |c: char| matches!(c, '\t' | '\n' | '\r' | '\u{20}'..='\u{d7ff}' | '\u{e000}'..='\u{fffd}' | '\u{10000}'..);
    assert!(xml.chars().all(allowed), "{xml:?}");
    let mut rest = xml.strip_prefix("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n").expect("a declaration");
    let (mut open, mut all): (Vec<&str>, Vec<String>) = (Vec::new(), Vec::new());
    while let Some(at) = rest.find('<') {
        assert_entities(&rest[..at]);
        let end = rest.find('>').expect("an end of the tag");
        let tag = &rest[at + 1..end];
        rest = &rest[end + 1..];
        if let Some(name) = tag.strip_prefix('/') {
            assert_eq!(open.pop(), Some(name));
            continue;
        }
        let (tag, is_empty) = tag.strip_suffix('/').map_or((tag, false), |tag| (tag, true));
        assert_entities(tag);
        assert!(tag.matches('"').count().is_multiple_of(2) && !tag.contains('<'), "{tag}");
        let name = tag.split(' ').next().expect("a name");
        assert!(name.chars().all(|c| c.is_ascii_lowercase() || c == '-'), "{name}");
        all.push(name.to_owned());
        if !is_empty {
            open.push(name);
        }
    }
    assert!(open.is_empty(), "{open:?}");
    all
}

fn assert_entities(text: &str) {
    for (at, _) in text.match_indices('&') {
        let known = ["&amp;", "&lt;", "&gt;", "&quot;", "&apos;"];
        assert!(known.iter().any(|entity| text[at..].starts_with(entity)), "{text}");
    }
}

/// Checks what the schema of SARIF requires of the parts that are written.
fn assert_sarif(sarif: &Value, errors: usize) {
    assert_eq!(sarif["version"], "2.1.0");
    let [run] = sarif["runs"].as_array().expect("runs").as_slice() else { panic!("{sarif}") };
    let rules = run["tool"]["driver"]["rules"].as_array().expect("rules");
    let artifacts = run["artifacts"].as_array().expect("artifacts");
    let results = run["results"].as_array().expect("results");
    assert_eq!(results.iter().filter(|result| result["level"] == "error").count(), errors, "{sarif}");
    for result in results {
        let rule = result["ruleIndex"].as_u64().and_then(|index| rules.get(index as usize)).expect("a rule");
        assert_eq!(rule["id"], result["ruleId"]);
        assert!(result["message"]["text"].as_str().is_some_and(|text| !text.is_empty() && !text.contains('\u{1b}')));
        assert!(["error", "warning", "note"].contains(&result["level"].as_str().expect("a level")));
        assert!(["new", "updated", "unchanged"].contains(&result["baselineState"].as_str().expect("a state")));
        let position = &result["locations"][0]["physicalLocation"]["artifactLocation"];
        let artifact = position["index"].as_u64().and_then(|index| artifacts.get(index as usize)).expect("an artifact");
        assert_eq!(artifact["location"]["uri"], position["uri"]);
        let prints = result["partialFingerprints"].as_object().expect("fingerprints");
        assert!(prints.values().all(Value::is_string) && prints.len() == 1);
    }
}

#[test]
fn a_failure_is_in_all_reports() {
    let gate = Gate::new();
    let dump = gate.dump("my app.hprof", 100);
    gate.begin_empty();
    let (status, sarif, junit, markdown) = reports(&gate, &[&dump], &[]);
    assert_eq!(status, Some(3));
    assert_sarif(&sarif, 1);
    let result = &sarif["runs"][0]["results"][0];
    assert_eq!((&result["ruleId"], &result["baselineState"]), (&"leak-collection".into(), &"new".into()), "{result}");
    let index = &result["locations"][0];
    assert_eq!(index["logicalLocations"][0]["fullyQualifiedName"], "shop.Cache.ALL");
    assert_eq!(index["logicalLocations"][1]["name"], "Session");
    let uri = index["physicalLocation"]["artifactLocation"]["uri"].as_str().expect("a uri");
    assert!(uri.starts_with("file:///") && uri.ends_with("my%20app.hprof"), "{uri}");
    let names = elements(&junit);
    assert_eq!(names.iter().filter(|name| *name == "failure").count(), 1, "{junit}");
    assert!(junit.contains("<testsuite name=\"my app\" tests=\"1\" failures=\"1\" errors=\"0\""), "{junit}");
    assert!(junit.contains("name=\"shop.Cache.ALL holds shop.Session ("), "{junit}");
    assert!(
        markdown.contains("**Failed: 1 new finding**")
            && markdown.contains("| New leak suspect | shop.Cache.ALL holds")
    );
    assert!(markdown.contains("GC root: "), "the path: {markdown}");
    gate.accept(&[&dump], &[]);
    let (status, sarif, junit, markdown) = reports(&gate, &[&dump], &[]);
    assert_eq!(status, Some(0));
    assert_sarif(&sarif, 0);
    assert_eq!(sarif["runs"][0]["results"][0]["suppressions"][0]["status"], "accepted");
    assert!(!elements(&junit).contains(&"failure".to_owned()) && markdown.contains("**Passed: "), "{markdown}");
}

#[test]
fn names_of_the_heap_are_escaped_in_all_reports() {
    let gate = Gate::new();
    let dump = gate.dump_of("app.hprof", 100, EVIL);
    gate.begin_empty();
    for part in ["leaks", "owners"] {
        let (status, sarif, junit, markdown) = reports(&gate, &[&dump], &["--of", part, "--least", "1"]);
        assert_eq!(status, Some(3));
        assert_sarif(&sarif, usize::from(part == "leaks"));
        elements(&junit);
        let before_path = |markdown: &str| markdown.split("```").step_by(2).collect::<String>();
        let text = before_path(&markdown);
        assert!(!text.contains("<script>") && !text.contains("[x](") && !markdown.contains('\u{1b}'), "{markdown}");
        if part == "leaks" {
            assert!(junit.contains("&lt;script&gt;") && markdown.contains("&lt;script&gt;"), "the test can fail");
            assert!(!sarif.to_string().contains("[x](http"), "{sarif}");
        }
    }
    // As an entry of the baseline, too.
    let text = gate.accept(&[&dump], &[]);
    assert!(text.contains("script") && !text.contains('\u{202e}') && !text.contains("\\u001b"), "{text}");
    gate.dump("app.hprof", 0);
    let (status, _, junit, markdown) = reports(&gate, &[&dump], &[]);
    assert_eq!(status, Some(0));
    assert!(elements(&junit).contains(&"system-out".to_owned()) && !markdown.contains("<script>"), "{markdown}");
}

#[test]
fn dumps_that_are_damaged_are_in_all_reports() {
    let gate = Gate::new();
    let good = gate.dump("good.hprof", 100);
    gate.accept(&[&good], &[]);
    let complete = std::fs::read(&good).expect("a dump");
    std::fs::write(&good, &complete[..complete.len() - 40]).expect("written");
    let bad = gate.at("bad.hprof").to_str().expect("a path").to_owned();
    let (status, sarif, junit, markdown) = reports(&gate, &[&good, &bad], &[]);
    assert_eq!(status, Some(1));
    let run = &sarif["runs"][0]["invocations"][0];
    assert_eq!(run["executionSuccessful"], false);
    let levels: Vec<&Value> =
        run["toolExecutionNotifications"].as_array().expect("notes").iter().map(|n| &n["level"]).collect();
    assert_eq!(levels, ["warning", "error"]);
    assert!(elements(&junit).contains(&"error".to_owned()) && junit.contains("name=\"incomplete\""), "{junit}");
    assert!(markdown.contains("Incomplete dump: ") && markdown.contains("Cannot be used: "), "{markdown}");
}
