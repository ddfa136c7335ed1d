#!/usr/bin/env python3
"""Digests heap dumps on a Spark cluster, and answers what leaks in all of them.

    spark-submit digest_dumps.py --heaplens PROGRAM --dumps FOLDER... --output FOLDER [options]

Each dump is one task: an executor copies it to its scratch folder if it is in an object store, runs `heaplens digest`
with limits on memory and time, and returns the records. A dump that kills the program, or takes too long, is a record
with its error; a lost executor's dumps are digested again by another. The records are written as a table in Parquet,
partitioned by program and version, and the questions of heaplens are answered over it, one folder each.
"""
import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from pyspark import SparkFiles, TaskContext
from pyspark.sql import SparkSession
from pyspark.sql.types import DoubleType, LongType, StringType, StructField, StructType

TEXTS = "record dump_id dump app version version_order device taken_at runtime format heaplens status error section kind fingerprint name owner holder class".split()
REALS = ["seconds", "share"]
NUMBERS = (
    "file_bytes reference_count classes roots unreachable_objects unreachable_bytes least_bytes place count objects shallow_bytes "
    "retained_bytes baseline_bytes"
).split()
SCHEMA = StructType(
    [StructField(name, StringType()) for name in TEXTS]
    + [StructField(name, DoubleType()) for name in REALS]
    + [StructField(name, LongType()) for name in NUMBERS]
)
COLUMNS = [field.name for field in SCHEMA.fields]
# Ends of names, without .gz.
DUMPS = (".hprof", ".zip", ".bin", ".dump", ".heapsnapshot", ".heaptimeline", ".rawheap", ".phd", ".pftrace", ".perfetto-java-heap-dump", ".heaplens")


def listed(spark, places):
    """All files with their sizes, in folders of any file system that Spark can read."""
    hadoop = spark.sparkContext._jvm.org.apache.hadoop.fs
    settings = spark.sparkContext._jsc.hadoopConfiguration()
    for place in places:
        path = hadoop.Path(place)
        found = path.getFileSystem(settings).listFiles(path, True)
        while found.hasNext():
            file = found.next()
            yield file.getPath().toString(), file.getLen()


def local(dump):
    """Path of a dump in a file system of the executor; None if it has to be fetched."""
    if dump.startswith("file:"):
        return "/" + dump[len("file:") :].lstrip("/")
    return dump if dump.startswith("/") else None


def digest(dump, size, program, options):
    """Records of one dump. The program has its own process: what it does cannot harm the executor."""
    scratch = tempfile.mkdtemp(prefix="heaplens-")
    file = local(dump) or os.path.join(scratch, os.path.basename(dump))
    command = [program, "digest", file, "--jsonl", "--name", dump, *options["more"]]
    try:
        if not local(dump):
            fetch = [*options["fetch"].split(), dump, file]
            fetched = subprocess.run(fetch, capture_output=True, timeout=options["timeout"])
            if fetched.returncode:
                return failed(command, f"it cannot be fetched: {said(fetched)}")
        limited = [*command, "--threads", str(options["threads"]), "--timeout", str(options["timeout"])]
        limited += ["--cache-dir", options["cache"]] if options["cache"] else ["--no-cache"]
        if options["memory_mib"]:
            # Address space holds the mapped file, too.
            kib = options["memory_mib"] * 1024 + (size or 0) // 1024
            limited = ["bash", "-c", f'ulimit -v {kib}; exec "$@"', "heaplens", *limited]
        environment = {**os.environ, "TMPDIR": scratch}
        ended = subprocess.run(limited, capture_output=True, env=environment, timeout=options["timeout"] + 30)
        if ended.returncode:
            return failed(command, f"heaplens ended with {ended.returncode}: {said(ended)}")
        return records(ended)
    except (OSError, ValueError, subprocess.SubprocessError) as error:
        return failed(command, str(error))
    finally:
        shutil.rmtree(scratch, ignore_errors=True)


def records(ended):
    """Records of a digest. A name may have other ends of lines than this one."""
    return [json.loads(line) for line in ended.stdout.decode().split("\n") if line]


def said(ended):
    """The end of what a command said."""
    return ended.stderr.decode(errors="replace").strip()[-500:]


def failed(command, why):
    """The record of a dump that has no digest, as heaplens writes it."""
    return records(subprocess.run([*command, "--failed", why], capture_output=True, check=True))


def rows(part, options, again):
    """Rows of all dumps of a task; counts tasks that ran before, on an executor that was lost."""
    if TaskContext.get().attemptNumber():
        again.add(1)
    program = SparkFiles.get(options["program"])
    if not os.access(program, os.X_OK):
        os.chmod(program, 0o755)
    for dump, size in part:
        for record in digest(dump, size, program, options):
            yield tuple(record.get(column) for column in COLUMNS)


def questions(folder):
    """Name and SQL of each question."""
    return {file.stem: file.read_text() for file in sorted(Path(folder).glob("*.sql"))}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--heaplens", required=True, help="the program, which is sent to the executors")
    parser.add_argument("--dumps", required=True, nargs="+", help="folders with dumps; folders such as app=shop/version=1.2 say what they are of")
    parser.add_argument("--output", required=True, help="folder for the table digests and for the answers")
    parser.add_argument("--sql", help="folder with the questions [default: those beside this file, or in crates/fleet/sql]")
    parser.add_argument("--timeout", type=int, default=600, help="seconds for one dump [%(default)s]")
    parser.add_argument("--memory-mib", type=int, default=0, help="address space for one dump, besides its file; 0 is no limit [%(default)s]")
    parser.add_argument("--threads", type=int, default=1, help="threads for one dump; as spark.task.cpus [%(default)s]")
    parser.add_argument("--cache", default="", help="folder of stored analyses on the executors [default: none]")
    parser.add_argument("--fetch", default="hadoop fs -get", help="command that copies a dump that is not a local file [%(default)s]")
    parser.add_argument("more", nargs="*", help="options for heaplens digest, after --")
    arguments = parser.parse_args()

    here = Path(__file__).resolve().parent
    folders = [Path(arguments.sql)] if arguments.sql else [here / "sql", here / "../../crates/fleet/sql"]
    asked = next((questions(folder) for folder in folders if folder.is_dir()), None)
    if not asked:
        sys.exit("no questions found: --sql names the folder crates/fleet/sql")

    spark = SparkSession.builder.appName("heaplens digest").getOrCreate()
    spark.sparkContext.setLogLevel("ERROR")
    spark.sparkContext.addFile(arguments.heaplens)
    options = {
        "program": os.path.basename(arguments.heaplens),
        "timeout": arguments.timeout,
        "memory_mib": arguments.memory_mib,
        "threads": arguments.threads,
        "cache": arguments.cache,
        "fetch": arguments.fetch,
        "more": arguments.more,
    }
    # The largest first: no task is alone at the end.
    files = list(listed(spark, arguments.dumps))
    dumps = sorted((file for file in files if file[0].lower().removesuffix(".gz").endswith(DUMPS)), key=lambda file: -file[1])
    print(f"{len(dumps)} dumps; {len(files) - len(dumps)} other files are left out")
    if not dumps:
        sys.exit("no dump found: files end with " + " ".join(DUMPS))
    begin = time.time()
    again = spark.sparkContext.accumulator(0)
    tasks = spark.sparkContext.parallelize(dumps, len(dumps))
    table = f"{arguments.output}/digests"
    found = spark.createDataFrame(tasks.mapPartitions(lambda part: rows(part, options, again)), SCHEMA)
    # One file a partition of the table, not one a dump.
    found.repartition("app", "version").write.mode("overwrite").partitionBy("app", "version").parquet(table)
    took = time.time() - begin
    # Versions are text, also where they look like numbers.
    spark.conf.set("spark.sql.sources.partitionColumnTypeInference.enabled", "false")
    digests = spark.read.parquet(table).cache()
    for kind, view in (("dump", "dumps"), ("finding", "findings"), ("class", "classes")):
        digests.where(digests.record == kind).createOrReplaceTempView(view)
    count, unreadable = spark.sql("SELECT count(*), coalesce(sum(CASE WHEN status = 'unreadable' THEN 1 ELSE 0 END), 0) FROM dumps").first()
    print(f"{count} dumps of {len(dumps)}, {unreadable} unreadable, in {took:.1f} s: {len(dumps) / took:.1f} a second, {again.value} tasks ran again")
    for name, sql in asked.items():
        answer = spark.sql(sql)
        answer.coalesce(1).write.mode("overwrite").parquet(f"{arguments.output}/answers/{name}")
        print(f"{name}: {answer.count()} rows")
    spark.stop()


if __name__ == "__main__":
    main()
