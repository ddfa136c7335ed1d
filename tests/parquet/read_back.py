#!/usr/bin/env python3
"""Compares ten sums over the files of `heaplens export` in DuckDB, Polars and Spark with the same sums in `heaplens query`.

    read_back.py HEAPLENS DUMP FOLDER

FOLDER has the exported files. Needs the packages duckdb, polars and pyspark (with a Java runtime).
"""
import json
import subprocess
import sys
import time

# Name; the query of heaplens; the query of the others, in which {table} is a file.
SUMS = [
    ("objects", "SELECT count(*) AS n FROM objects", "SELECT count(*) AS n FROM {objects}"),
    ("ids", "SELECT sum(id % 1000003) AS n FROM objects", "SELECT sum(id % 1000003) AS n FROM {objects}"),
    ("shallow sizes", "SELECT sum(shallow_bytes) AS n FROM objects WHERE reachable", "SELECT sum(shallow_bytes) AS n FROM {objects} WHERE reachable"),
    ("retained sizes", "SELECT sum(retained_bytes) AS n FROM objects", "SELECT sum(retained_bytes) AS n FROM {objects}"),
    ("distances", "SELECT sum(distance) AS n FROM objects", "SELECT sum(distance) AS n FROM {objects}"),
    ("dominators", "SELECT sum(immediate_dominator % 1000003) AS n FROM objects", "SELECT sum(immediate_dominator % 1000003) AS n FROM {objects}"),
    ("roots", "SELECT count(root) AS n FROM objects", "SELECT count(root) AS n FROM {objects}"),
    ("references", "SELECT sum(position) + count(*) AS n FROM refs", "SELECT sum(position) + count(*) AS n FROM {references}"),
    ("targets", "SELECT sum(target % 1000003) AS n FROM refs", "SELECT sum(target % 1000003) AS n FROM {references}"),
    ("preorder", "SELECT sum(last - place) AS n FROM dominator_tree", "SELECT sum(\"last\" - place) AS n FROM {dominators}"),
]


def ours(program, dump):
    for name, query, _ in SUMS:
        answer = subprocess.run([program, "query", dump, query, "--format", "json"], check=True, capture_output=True)
        yield int(json.loads(answer.stdout)["rows"][0]["n"])


def files(folder):
    return {table: f"{folder}/{table}.parquet" for table in ("objects", "references", "dominators")}


def duckdb_sums(folder):
    import duckdb

    tables = {table: f"'{file}'" for table, file in files(folder).items()}
    for _, _, query in SUMS:
        yield int(duckdb.sql(query.format(**tables)).fetchall()[0][0])


def polars_sums(folder):
    import polars

    frames = polars.SQLContext({table: polars.scan_parquet(file) for table, file in files(folder).items()})
    tables = {table: f'"{table}"' for table in files(folder)}
    for _, _, query in SUMS:
        yield int(frames.execute(query.format(**tables)).collect().item())


def spark_sums(folder):
    from pyspark.sql import SparkSession

    spark = SparkSession.builder.master("local[*]").config("spark.ui.enabled", "false").getOrCreate()
    spark.sparkContext.setLogLevel("ERROR")
    for table, file in files(folder).items():
        spark.read.parquet(file).createOrReplaceTempView(f"t_{table}")
    tables = {table: f"t_{table}" for table in files(folder)}
    for _, _, query in SUMS:
        yield int(spark.sql(query.format(**tables).replace('"last"', "`last`")).collect()[0][0])
    spark.stop()


def main(program, dump, folder):
    columns = {}
    for name, sums in (("heaplens", ours(program, dump)), ("DuckDB", duckdb_sums(folder)), ("Polars", polars_sums(folder)), ("Spark", spark_sums(folder))):
        begin = time.time()
        columns[name] = list(sums)
        print(f"{name}: {time.time() - begin:.1f} s", file=sys.stderr)
    print("| sum | " + " | ".join(columns) + " |\n|---|" + "--:|" * len(columns))
    for row, (name, _, _) in enumerate(SUMS):
        print(f"| {name} | " + " | ".join(f"{values[row]:,}" for values in columns.values()) + " |")
    different = [name for name, values in columns.items() if values != columns["heaplens"]]
    sys.exit(f"different: {', '.join(different)}" if different else 0)


if __name__ == "__main__":
    main(*sys.argv[1:])
