#!/usr/bin/env bash
# Runs the examples for Java and Node.js end to end: a check that passes, a planted leak that fails, the leak accepted,
# growth beyond the tolerance that fails. Validates the SARIF and JUnit files of each run.
#
#   integrations/ci/try.sh PROGRAM
#
# Needs java and javac (17 or later), node (20 or later), python3. Optional: JUNIT_CLASSPATH, the jars of JUnit 5 with
# its console (default: those of Debian's junit5; without them, the test class is called by a main method). SARIF_SCHEMA,
# the JSON schema of SARIF 2.1.0, with the module jsonschema of python (default: the schema in an npm package; without
# either, only the structure of SARIF is checked). PYTHON is the interpreter.
set -euo pipefail
[ $# -eq 1 ] || { sed -n '2,12p' "$0" >&2; exit 2; }
program=$(realpath "$1")
examples=$(realpath "$(dirname "${BASH_SOURCE[0]}")")/examples
python=${PYTHON:-python3}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export HEAPLENS=$program XDG_CACHE_HOME=$work/cache XDG_CONFIG_HOME=$work/config
checked=0

fail() { echo "FAILED: $*" >&2; exit 1; }

# The schema of SARIF.
schema=${SARIF_SCHEMA:-}
if [ -z "$schema" ] && "$python" -c 'import jsonschema' 2>/dev/null && command -v npm >/dev/null; then
  if (cd "$work" && npm pack --silent @microsoft/jest-sarif@1.0.0-beta.0 >/dev/null 2>&1 && tar xzf microsoft-jest-sarif-*.tgz); then
    schema=$work/package/lib/schemas/sarif-2.1.0-rtm.5.json
  fi
fi
echo "SARIF schema: ${schema:-none, structure only}"

# validate FOLDER NAME FAILURES: the reports of a run are valid, and agree on the number of failures.
validate() {
  "$python" - "$1/build/heap/$2" "$3" "$schema" <<'PYTHON'
import json, sys, xml.etree.ElementTree as xml

base, failures, schema = sys.argv[1], int(sys.argv[2]), sys.argv[3]
sarif = json.load(open(base + ".sarif", encoding="utf-8"))
assert sarif["version"] == "2.1.0" and len(sarif["runs"]) == 1, "SARIF"
if schema:
    import jsonschema
    known = json.load(open(schema, encoding="utf-8"))
    # The copy of the schema may name another address than the file does.
    jsonschema.validators.validator_for(known)(known).validate(sarif)
run = sarif["runs"][0]
failed = [result for result in run["results"] if result["level"] in ("error", "warning")]
assert len(failed) == failures, f"{len(failed)} failures in SARIF"
for result in run["results"]:
    assert run["tool"]["driver"]["rules"][result["ruleIndex"]]["id"] == result["ruleId"], "rule"
    assert result["partialFingerprints"], "fingerprint"
junit = xml.parse(base + ".junit.xml").getroot()
cases = junit.findall("testsuite/testcase")
assert len(cases) == int(junit.get("tests")) > 0, "test cases"
assert len(junit.findall("testsuite/testcase/failure")) == int(junit.get("failures")) == failures, "failures in JUnit"
markdown = open(base + ".md", encoding="utf-8").read()
assert markdown.startswith("# Heap check\n") and ("Failed" in markdown) == (failures > 0), "Markdown"
print(f"    reports: {len(run['results'])} results, {len(failed)} failed, {len(cases)} test cases; valid")
PYTHON
}

# expect STATUS WHAT COMMAND...: runs a test; its status is 0 or not.
expect() {
  local wanted=$1 what=$2 status=0
  shift 2
  "$@" >"$work/log" 2>&1 || status=$?
  [ "$status" -ne 0 ] && status=1
  if [ "$status" -ne "$wanted" ]; then
    cat "$work/log" >&2
    fail "$what: status $status instead of $wanted"
  fi
  echo "  $what: the test $([ "$wanted" -eq 0 ] && echo passes || echo fails)"
  checked=$((checked + 1))
}

# scenario FOLDER COMMAND...: the same for each language. The program's own status is 3 when the test fails.
scenario() {
  local folder=$1
  shift
  cd "$folder"
  expect 1 "without a baseline" "$@"
  grep -q "run the same command with --accept\|Run the same command with --accept" "$work/log" || fail "no advice"
  HEAPLENS_ACCEPT=1 expect 0 "first baseline" "$@"
  expect 0 "no leak" "$@"
  validate "$folder" sessions 0
  SESSIONS_LEFT=2000 expect 1 "planted leak" "$@"
  grep -q "The heap leaks" "$work/log" || fail "another reason than a leak"
  grep -m1 -o "1\. New .*" "$work/log" | sed 's/^ */    /' || fail "the leak is not named"
  validate "$folder" sessions 1
  local status=0
  "$program" check build/heap/sessions.h[pe]* --baseline heap-baseline.json --least 200kB >/dev/null 2>&1 || status=$?
  [ "$status" -eq 3 ] || fail "status $status of heaplens check instead of 3"
  SESSIONS_LEFT=2000 HEAPLENS_ACCEPT=1 expect 0 "accept the leak" "$@"
  SESSIONS_LEFT=2000 expect 0 "accepted leak" "$@"
  validate "$folder" sessions 0
  SESSIONS_LEFT=2050 expect 0 "growth within the tolerance" "$@"
  SESSIONS_LEFT=4000 expect 1 "growth beyond the tolerance" "$@"
  grep -m1 -o "It grew by .*" "$work/log" | sed 's/^ */    /' || fail "the growth is not told"
  validate "$folder" sessions 1
  expect 0 "leak fixed" "$@"
  grep -q "no longer found" "$work/log" || fail "the fixed leak is not told"
}

echo "Java: $(java -version 2>&1 | head -n 1)"
mkdir -p "$work/java/classes"
junit=${JUNIT_CLASSPATH:-}
if [ -z "$junit" ] && [ -f /usr/share/java/junit-platform-console.jar ]; then
  junit='/usr/share/java/*'
fi
sources=("$examples"/java/src/shop/*.java)
if [ -n "$junit" ]; then
  test=(java -cp "$work/java/classes:$junit" org.junit.platform.console.ConsoleLauncher --disable-banner --disable-ansi-colors
    --select-class shop.SessionLeakTest)
else
  echo "  JUnit not found (JUNIT_CLASSPATH): the test is called by a main method"
  mkdir -p "$work/java/src/org/junit/jupiter/api" "$work/java/src/shop"
  echo 'package org.junit.jupiter.api; public @interface Test {}' >"$work/java/src/org/junit/jupiter/api/Test.java"
  echo 'package shop; public class Main { public static void main(String[] a) throws Exception { new SessionLeakTest().sessionsAreReleased(); } }' \
    >"$work/java/src/shop/Main.java"
  sources+=("$work/java/src/org/junit/jupiter/api/Test.java" "$work/java/src/shop/Main.java")
  test=(java -cp "$work/java/classes" shop.Main)
fi
javac -d "$work/java/classes" -cp "$junit" "${sources[@]}"
scenario "$work/java" "${test[@]}"

echo "Node.js: $(node --version)"
cp -r "$examples/node" "$work/node"
scenario "$work/node" node --test

echo "Passed: $checked runs"
