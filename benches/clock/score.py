#!/usr/bin/env python3
"""Makes programs with a known order of allocation on each collector, and scores the clock of heaplens with them.

usage: score.py HEAPLENS DUMPS [--set tuned|aside] [--only TEXT] [--keep]

For each dump: the part of the program's objects that have an age ("speaks"), the part of random pairs of objects of
different structures whose order is told ("pairs"), how many of these are told right ("right"), and what the findings
say about when objects were added. The true order is the field "tag" of each object (see java/Programs.java), a
scrambled number that rises nowhere and that the clock cannot use. JAVA17 and JAVA25 are the paths of `java`.
"""
import argparse, csv, io, json, os, pathlib, random, subprocess

HERE = pathlib.Path(__file__).parent
JAVA = {"17": os.environ.get("JAVA17", "java"), "25": os.environ.get("JAVA25", "java")}
SETS = {"tuned": ["list-map", "map-list", "array-queue", "numbered", "tree-set", "two-leaks", "stopped", "stack"],
        "aside": ["lru-deque", "chain-identity", "blocks", "late-table"]}
# Name, release, options, megabytes of garbage, threads, only live objects, by jcmd.
COLLECTORS = [
    ("serial", "17", "-XX:+UseSerialGC -Xmx256m", 800, 1, True, False),
    ("serial little garbage", "25", "-XX:+UseSerialGC -Xmx512m -Xmn200m", 40, 4, True, False),
    ("serial all objects", "17", "-XX:+UseSerialGC -Xmx256m", 800, 1, False, False),
    ("g1", "17", "-XX:+UseG1GC", 800, 1, True, False),
    ("g1 small heap", "17", "-XX:+UseG1GC -Xmx256m", 800, 4, True, True),
    ("g1 small young", "25", "-XX:+UseG1GC -Xmx256m -Xmn8m", 800, 1, True, False),
    ("g1 large heap", "25", "-XX:+UseG1GC -Xms2g -Xmn1g", 40, 1, True, True),
    ("g1 all objects", "17", "-XX:+UseG1GC -Xmx256m", 800, 1, False, False),
    ("parallel", "17", "-XX:+UseParallelGC -Xmx256m", 800, 1, True, False),
    ("parallel", "25", "-XX:+UseParallelGC -Xmx512m", 400, 4, True, True),
    ("z", "17", "-XX:+UseZGC -Xmx256m", 800, 1, True, False),
    ("z", "25", "-XX:+UseZGC -Xmx256m", 800, 4, True, False),
    ("shenandoah", "25", "-XX:+UseShenandoahGC -Xmx256m", 800, 1, True, False),
]
# Structures of each program by their objects: when objects were added, as the program does it.
TRUTH = {
    "list-map": {"Row": "start", "Session": "end"}, "map-list": {"Row": "start", "Listener": "end"},
    "array-queue": {"Row": "start", "Event": "end"}, "numbered": {"Numbered": "start", "Event": "end"},
    "tree-set": {"Row": "start", "Session": "end"}, "two-leaks": {"Session": "end", "Blob": "end"},
    "stopped": {"Row": "start", "Listener": "end"}, "stack": {"Numbered": "start", "Link": "end"},
    "lru-deque": {"Row": "start", "Event": "end"}, "chain-identity": {"Row": "start", "Job": "end"},
    "blocks": {"Numbered": "start", "Blob": "end"}, "late-table": {"Session": "start", "Listener": "end"},
}
MASK = (1 << 64) - 1


def number(tag):
    """The number that Programs.tag() scrambled."""
    def unshift(z, by):
        result = z
        for _ in range(64 // by + 1):
            result = z ^ (result >> by)
        return result
    z = unshift(tag & MASK, 31) * pow(0x94D049BB133111EB, -1, 1 << 64) & MASK
    z = unshift(z, 27) * pow(0xBF58476D1CE4E5B9, -1, 1 << 64) & MASK
    return unshift(z, 30) * pow(0x9E3779B97F4A7C15, -1, 1 << 64) & MASK


def make(dumps, program, collector):
    name, release, options, garbage, threads, live, by_jcmd = collector
    file = dumps / f"{program}-{name.replace(' ', '-')}-{release}.hprof"
    if file.exists():
        return file
    classes = dumps / "classes"
    java = JAVA[release]
    if not classes.exists():
        compiler = str(pathlib.Path(JAVA["17"]).with_name("javac")) if "/" in JAVA["17"] else "javac"
        subprocess.run([compiler, "-d", classes, HERE / "java" / "Programs.java"], check=True)
    jcmd = [str(pathlib.Path(java).with_name("jcmd")) if "/" in java else "jcmd"] if by_jcmd else []
    command = [java, *options.split(), "-cp", str(classes), "Programs", program, str(file), str(live).lower(), "8000", str(garbage), str(threads), *jcmd]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return file


def rows(heaplens, file, query):
    out = subprocess.run([heaplens, "query", str(file), query, "--no-cache", "--format", "csv"], check=True, capture_output=True, text=True).stdout
    return list(csv.reader(io.StringIO(out)))[1:]


def score(heaplens, file, program):
    # The class of the truth's objects is a table with their fields.
    objects = []
    for name in TRUTH[program]:
        query = f'SELECT i.tag, o.older_from, o.older_to FROM "Programs${name}" i JOIN objects o ON o.id = i.object'
        for tag, low, high in rows(heaplens, file, query):
            objects.append((number(int(tag)), name, float(low) if low else None, float(high) if high else None))
    random.seed(1)
    told = right = pairs = cross = cross_right = cross_told = 0
    for _ in range(20000):
        a, b = random.choice(objects), random.choice(objects)
        if a[0] == b[0]:
            continue
        is_cross = a[1] != b[1]
        pairs += not is_cross
        cross += is_cross
        if a[2] is None or b[2] is None:
            continue
        # Told: the intervals are of different periods, whose lower ends differ.
        if a[2] > b[2]:
            a, b = b, a
        elif a[2] == b[2]:
            continue
        is_right = a[0] < b[0]
        if is_cross:
            cross_told += 1
            cross_right += is_right
        else:
            told += 1
            right += is_right
    speaks = sum(1 for o in objects if o[2] is not None and o[3] - o[2] < 0.5) / max(1, len(objects))
    return speaks, cross, cross_told, cross_right, pairs, told, right


def findings(heaplens, file, program):
    """What the evidence about age says of each structure, and whether that is right."""
    out = subprocess.run([heaplens, "leaks", str(file), "--no-cache", "--format", "json"], check=True, capture_output=True, text=True).stdout
    said = {}
    answer = json.loads(out)
    for finding in answer.get("findings", answer if isinstance(answer, list) else []):
        evidence = finding.get("evidence", [])
        text = json.dumps(finding.get("accumulated") or finding.get("class") or finding)
        for name in TRUTH[program]:
            if f"Programs${name}" in text and name not in said:
                age = [key for key in evidence if key in ("newest", "new", "old", "oldest", "recent", "not recent")]
                said[name] = (age[0] if age else "-", round(finding.get("certainty", 0), 2))
    return said


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("heaplens")
    parser.add_argument("dumps", type=pathlib.Path)
    parser.add_argument("--set", choices=SETS, default="tuned")
    parser.add_argument("--only", default="", help="only dumps with this text in their names")
    parser.add_argument("--keep", action="store_true", help="keep the dumps")
    arguments = parser.parse_args()
    arguments.dumps.mkdir(parents=True, exist_ok=True)
    totals = {}
    for collector in COLLECTORS:
        for program in SETS[arguments.set]:
            name = f"{collector[0]} {collector[1]}"
            if arguments.only not in f"{name} {program}":
                continue
            file = make(arguments.dumps.absolute(), program, collector)
            speaks, *counts = score(arguments.heaplens, file, program)
            said = findings(arguments.heaplens, file, program)
            truth = TRUTH[program]
            verdicts = []
            for structure, when in truth.items():
                age = said.get(structure, ("-", 0))[0]
                is_late = age in ("newest", "new", "recent")
                verdicts.append("silent" if age == "-" else "right" if is_late == (when == "end") else "WRONG")
            print(f"{name:28} {program:15} speaks {speaks:4.0%}  across told {counts[1]:5}/{counts[0]:5} right {counts[2]:5}"
                  f"  within told {counts[4]:5}/{counts[3]:5} right {counts[5]:5}  {said} {verdicts}", flush=True)
            total = totals.setdefault(name, [0] * 9)
            for at, value in enumerate([*counts, verdicts.count("right"), verdicts.count("WRONG"), verdicts.count("silent")]):
                total[at] += value
            if not arguments.keep:
                file.unlink()
    print("\n| collector | pairs across structures | told | right | pairs within | told | right | findings right | wrong | silent |\n|---|---|---|---|---|---|---|---|---|---|")
    share = lambda part, whole: f"{100 * part / whole:.1f} %" if whole else "–"
    for name, t in totals.items():
        print(f"| {name} | {t[0]} | {share(t[1], t[0])} | {share(t[2], t[1])} | {t[3]} | {share(t[4], t[3])} | {share(t[5], t[4])} | {t[6]} | {t[7]} | {t[8]} |")


if __name__ == "__main__":
    main()
