//! kubectl, docker and ssh are scripts that run their input here; jcmd writes a fixture.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use super::{Stage, dump_bytes, extension, message};

/// Runs the last words as the shell that the other side would start, and notes all words.
const LEADS_HERE: &str = r#"echo "$(basename "$0") $*" >> "$TMPDIR/calls"
exec sh -s
"#;

impl Stage {
    /// Adds a program: a shell script.
    fn program(&self, name: &str, script: &str) {
        let path = self.programs.path().join(name);
        fs::write(&path, format!("#!/bin/sh\n{script}")).expect("it is written");
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("it is allowed");
    }
}

fn stage() -> Stage {
    let stage = Stage::new();
    for program in ["kubectl", "docker", "ssh"] {
        stage.program(program, LEADS_HERE);
    }
    fs::write(stage.programs.path().join("fixture"), dump_bytes()).expect("it is written");
    stage.program(
        "jcmd",
        "for last; do :; done\n[ \"$2\" = -f ] && exec cat \"$TMPDIR/answers\"\n\
         [ \"$2\" = GC.heap_dump ] || exit 9\ncp \"$TMPDIR/fixture\" \"$last\"\n",
    );
    let answers = concat!(
        include_str!("../../../crates/process/tests/texts/samples/heap-25-g1.txt"),
        include_str!("../../../crates/process/tests/texts/samples/native-25.txt"),
        include_str!("../../../crates/process/tests/texts/samples/flags-25.txt"),
    );
    fs::write(stage.programs.path().join("answers"), answers).expect("it is written");
    stage
}

/// Number of a process that exists.
fn pid() -> String {
    std::process::id().to_string()
}

#[test]
fn a_dump_comes_through_each_program_whole_and_alone() {
    for (target, call) in [
        ("kubectl://shop/web-1", "kubectl exec -i -n shop web-1 -- sh -s"),
        ("kubectl://shop/web-1/app", "kubectl exec -i -n shop web-1 -c app -- sh -s"),
        ("docker://web", "docker exec -i web sh -s"),
        ("ssh://me@host", "ssh -o BatchMode=yes -T me@host sh -s"),
    ] {
        let stage = stage();
        let output = stage.heaplens(&["take", &format!("{target}/{}", pid())], &[]);
        assert!(output.status.success(), "{target}: {}", message(&output));
        let calls = fs::read_to_string(stage.programs.path().join("calls")).expect("calls");
        assert_eq!(calls.trim(), call);
        let [name] = &stage.dumps()[..] else { panic!("{:?}", stage.dumps()) };
        assert_eq!(extension(name), "hprof", "{name}");
        assert!(fs::read(stage.dumps.path().join(name)).expect("a dump") == dump_bytes());
        let left: Vec<String> = Stage::names(stage.programs.path());
        assert!(!left.iter().any(|name| name.starts_with("heaplens-")), "{left:?}");
    }
}

#[test]
fn the_process_there_is_recorded_in_short() {
    let stage = stage();
    let output = stage.heaplens(&["take", &format!("docker://web/{}", pid())], &[("SECRET", "planted")]);
    assert!(output.status.success(), "{}", message(&output));
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(text.lines().any(|line| line.contains(".hprof.process.json: ")), "{text}");
    let record = stage.record();
    assert!(record["memory"]["resident"].as_u64() > Some(1 << 20), "{record}");
    assert!(record["threads"].as_u64() > Some(0), "{record}");
    assert_eq!(record["jvm"]["heap"]["used"], 4238 << 10);
    assert_eq!(record["jvm"]["flags"]["MaxHeapSize"], "134217728");
    assert_eq!(record["jvm"]["native"]["committed"], 204_816 << 10);
    assert_eq!(record["gaps"][0]["what"], "mappings");
    assert!(!record.to_string().contains("planted"));

    let stage = self::stage();
    let output = stage.heaplens(&["take", &format!("docker://web/{}", pid()), "--no-record"], &[]);
    assert!(output.status.success(), "{}", message(&output));
    assert_eq!(Stage::names(stage.dumps.path()), stage.dumps());
}

#[test]
fn a_compressed_dump_has_its_name() {
    let stage = stage();
    let output = stage.heaplens(&["take", &format!("docker://web/{}", pid()), "--gzip"], &[]);
    assert!(output.status.success(), "{}", message(&output));
    assert!(stage.dumps()[0].ends_with(".hprof.gz"), "{:?}", stage.dumps());
}

#[test]
fn failures_on_the_other_side_are_sentences_and_leave_nothing_behind() {
    let stage = stage();
    let take = |target: &str| {
        let output = stage.heaplens(&["take", target], &[]);
        assert_eq!(output.status.code(), Some(1));
        assert_eq!(stage.dumps(), [""; 0]);
        message(&output)
    };
    assert!(take("docker://web/4000000").contains("docker://web/4000000: no process 4000000 there"));
    stage.program("jcmd", "echo 'com.sun.tools.attach.AttachNotSupportedException' >&2\nexit 1\n");
    assert!(take(&format!("docker://web/{}", pid())).contains("AttachNotSupportedException"));
    stage.program("jcmd", "exit 0\n");
    assert!(take(&format!("docker://web/{}", pid())).contains("the process wrote no dump"));
    stage.program("docker", "echo 'Error response from daemon: No such container: web' >&2\nexit 1\n");
    assert!(take("docker://web").contains("docker://web: Error response from daemon: No such container: web"));
}

/// Programs between the other side and us end a stream early, or put something else in its place, without an error.
#[test]
fn a_cut_or_foreign_stream_is_no_dump() {
    let stage = stage();
    let take = |more: &[&str]| {
        let target = format!("docker://web/{}", pid());
        let output = stage.heaplens(&[&["take", &target][..], more].concat(), &[]);
        assert_eq!((output.status.code(), stage.dumps()), (Some(1), Vec::new()), "{}", message(&output));
        message(&output)
    };
    // A pipe hides the status of its first program.
    for cut in ["1000", "500000"] {
        stage.program("docker", &format!("sh -s | head -c {cut}\nexit 0\n"));
        assert!(take(&[]).contains("the dump is incomplete: "), "{cut}");
        assert!(take(&["--gzip"]).contains("incomplete"), "{cut}");
    }
    stage.program("docker", "sh -s >/dev/null\necho '<html>Not found</html>'\n");
    assert!(take(&[]).contains("what arrived is no heap dump: it begins with \"<html>Not found</html>\\n\""));
    stage.program("docker", "cat >/dev/null\ncat \"$TMPDIR/fixture\"\n");
    assert!(take(&[]).contains("its shell did not run to the end"));
    stage.program("docker", "echo Welcome\nexec sh -s\n");
    assert!(take(&[]).contains("what arrived is no heap dump: it begins with \"Welcome\\nJAVA PROFILE"));
    // The disk of the other side was full.
    stage.program("docker", "exec sh -s\n");
    stage.program("jcmd", "for last; do :; done\nhead -c 2000000 \"$TMPDIR/fixture\" >\"$last\"\n");
    assert!(take(&[]).contains("the process wrote an incomplete dump"));
    assert!(take(&["--gzip"]).contains("the process wrote an incomplete dump"));
}

#[test]
fn a_program_that_is_missing_is_named() {
    let stage = Stage::new();
    let output = stage.heaplens(&["take", "podman://web"], &[("PATH", "/nonexistent")]);
    assert!(message(&output).contains("podman is not installed"), "{}", message(&output));
}

#[test]
fn an_analysis_comes_alone_and_the_dump_stays() {
    let stage = stage();
    let program = format!("exec {} \"$@\"\n", env!("CARGO_BIN_EXE_heaplens"));
    // There, `take` is answered by the script, and `index` by the real program.
    let there = format!(
        "if [ \"$1\" = take ]; then for last; do :; done; cp \"$TMPDIR/fixture\" \"$last\"; exit; fi\n{program}"
    );
    stage.program("heaplens", &there);
    let output = stage.heaplens(&["take", &format!("ssh://host/{}", pid()), "--index-only"], &[]);
    assert!(output.status.success(), "{}", message(&output));
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(text.contains("The dump stays at"), "{text}");
    let [name] = &stage.dumps()[..] else { panic!("{:?}", stage.dumps()) };
    assert!(name.ends_with(".heaplens"), "{name}");
    let analysis = fs::metadata(stage.dumps.path().join(name)).expect("a file").len();
    assert!(analysis < dump_bytes().len() as u64, "{analysis}");
    let leaks = stage.heaplens(&["leaks", name, "--top", "1"], &[]);
    assert!(leaks.status.success(), "{}", message(&leaks));
    let left = Stage::names(stage.programs.path());
    assert_eq!(left.iter().filter(|name| name.starts_with("heaplens-")).count(), 1, "only the dump: {left:?}");
}
