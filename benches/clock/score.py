#!/usr/bin/env python3
"""Makes programs with a known order of allocation on each collector, and scores the clock of heaplens with them.

usage: score.py HEAPLENS DUMPS [--set tuned|aside] [--only TEXT] [--every N] [--keep]

For each dump: the part of random pairs of objects whose order is told ("told"), of different structures and of one, how
many of these are told right, and what the findings state about when objects were added. The true order is the field
"tag" of each object (see java/Programs.java), a scrambled number that rises nowhere and that the clock cannot use.
JAVA17 and JAVA25 are the paths of `java`.
"""
import argparse, csv, io, json, os, pathlib, random, re, subprocess
from concurrent.futures import ThreadPoolExecutor

from programs import COLLECTORS, SETS

HERE = pathlib.Path(__file__).parent
JAVA = {"17": os.environ.get("JAVA17", "java"), "25": os.environ.get("JAVA25", "java")}
MASK = (1 << 64) - 1
# Sampled pairs of objects of each dump.
PAIRS = 20000
# Evidence about age: the lowest and highest true age, in percent of the program's other objects that were allocated
# before nine tenths of those of a structure. What is old is at most as new as stated. Objects of the program alone are
# known: some points are tolerated.
AGES = {"newest": (90, 100), "new": (85, 100), "over time": (0, 96), "old": (0, 96), "oldest": (0, 60), "recent": (85, 100), "not recent": (0, 96)}


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


def compile_programs(dumps):
    if not (dumps / "classes").exists():
        compiler = str(pathlib.Path(JAVA["17"]).with_name("javac")) if "/" in JAVA["17"] else "javac"
        subprocess.run([compiler, "--release", "17", "-d", dumps / "classes", HERE / "java" / "Programs.java"], check=True)


def make(dumps, name, phases, collector):
    title, release, options, garbage, threads, live, by_jcmd = collector
    file = dumps / f"{name}-{title.replace(' ', '-')}-{release}.hprof"
    if not file.exists():
        java = JAVA[release]
        jcmd = [str(pathlib.Path(java).with_name("jcmd")) if "/" in java else "jcmd"] if by_jcmd else []
        command = [java, *options.split(), "-cp", str(dumps / "classes"), "Programs", phases, str(file), str(live).lower(), str(garbage), str(threads), *jcmd]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return file


def classes(phases):
    return sorted(set(re.findall(r"\b[A-Z]\w+", phases)))


def answer(heaplens, *arguments):
    return subprocess.run([heaplens, *arguments, "--no-cache"], check=True, capture_output=True, text=True).stdout


def objects(heaplens, file, phases):
    """Number in the true order, class, and period of each object of the program."""
    # The class of the objects is a table with their fields.
    of_class = [f"SELECT '{name}' AS kind, i.tag, o.older_from FROM \"Programs${name}\" i JOIN objects o ON o.id = i.object" for name in classes(phases)]
    rows = list(csv.reader(io.StringIO(answer(heaplens, "query", file, " UNION ALL ".join(of_class), "--format", "csv"))))[1:]
    return [(number(int(tag)), kind, float(older) if older else None) for kind, tag, older in rows]


def score_pairs(found):
    """Pairs of different structures: all, told, right; the same of one structure."""
    random.seed(1)
    counts = [0] * 6
    for _ in range(PAIRS):
        a, b = random.choice(found), random.choice(found)
        if a[0] == b[0]:
            continue
        at = 0 if a[1] != b[1] else 3
        counts[at] += 1
        # Objects of one period have the same lower end, and those of others have another.
        if a[2] is None or b[2] is None or a[2] == b[2]:
            continue
        counts[at + 1] += 1
        counts[at + 2] += (a[2] < b[2]) == (a[0] < b[0])
    return counts


def true_age(found, kind):
    own = sorted(number for number, of, _ in found if of == kind)
    others = sorted(number for number, of, _ in found if of != kind)
    if not own or not others:
        return None
    late = own[len(own) * 9 // 10]
    return 100 * sum(1 for number in others if number < late) / len(others)


def score_findings(heaplens, file, found):
    """By structure: evidence about age, and whether it is right."""
    stated = {}
    for finding in json.loads(answer(heaplens, "leaks", file, "--format", "json"))["findings"]:
        text = json.dumps(finding.get("accumulated") or finding.get("class") or finding)
        age = next((key for key in finding.get("evidence", []) if key.removeprefix("likely ") in AGES), None)
        for kind in {kind for _, kind, _ in found}:
            if f"Programs${kind}" in text and kind not in stated:
                stated[kind] = age
    verdicts = {}
    for kind, age in sorted(stated.items()):
        true = true_age(found, kind)
        if true is None:
            continue
        low, high = AGES[age.removeprefix("likely ")] if age else (0, 100)
        verdicts[kind] = (age or "-", round(true), "silent" if not age else "right" if low <= true <= high else "WRONG")
    return verdicts


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("heaplens")
    parser.add_argument("dumps", type=pathlib.Path)
    parser.add_argument("--set", choices=SETS, default="tuned")
    parser.add_argument("--only", default="", help="only dumps with this text in their names")
    parser.add_argument("--every", type=int, default=1, help="each program on one of N collectors, which take turns")
    parser.add_argument("--keep", action="store_true", help="keep the dumps")
    arguments = parser.parse_args()
    dumps = arguments.dumps.absolute()
    dumps.mkdir(parents=True, exist_ok=True)
    compile_programs(dumps)
    jobs = []
    for at, (name, phases) in enumerate(SETS[arguments.set].items()):
        for turn, collector in enumerate(COLLECTORS):
            if (at + turn) % arguments.every == 0 and arguments.only in f"{name} {collector[0]} {collector[1]}":
                jobs.append((name, phases, collector))

    def job(task):
        name, phases, collector = task
        file = make(dumps, name, phases, collector)
        found = objects(arguments.heaplens, file, phases)
        result = score_pairs(found), score_findings(arguments.heaplens, file, found)
        if not arguments.keep:
            file.unlink()
        return task, result

    totals = {}
    with ThreadPoolExecutor(2) as pool:
        for (name, _, collector), (counts, verdicts) in pool.map(job, jobs):
            of = f"{collector[0]} {collector[1]}"
            print(f"{of:26} {name:20} across {counts[1]:5}/{counts[0]:5} right {counts[2]:5}  within {counts[4]:5}/{counts[3]:5} right {counts[5]:5}  {verdicts}", flush=True)
            row = totals.setdefault(of, [0] * 12)
            each = list(verdicts.values())
            count = lambda verdict, likely: sum(1 for age, _, of in each if of == verdict and age.startswith("likely") == likely)
            for at, value in enumerate([*counts, count("right", False), count("WRONG", False), count("right", True), count("WRONG", True), count("silent", False), 1]):
                row[at] += value
    totals["all"] = [sum(row[at] for row in totals.values()) for at in range(12)]
    print("\n| collector | dumps | pairs across structures | told | right | pairs within | told | right | findings: right | wrong | likely: right | wrong | silent |\n|" + "---|" * 13)
    share = lambda part, whole: f"{100 * part / whole:.1f} %" if whole else "–"
    for name, t in totals.items():
        print(f"| {name} | {t[11]} | {t[0]} | {share(t[1], t[0])} | {share(t[2], t[1])} | {t[3]} | {share(t[4], t[3])} | {share(t[5], t[4])} | {t[6]} | {t[7]} | {t[8]} | {t[9]} | {t[10]} |")


if __name__ == "__main__":
    main()
