#!/usr/bin/env python3
"""Compares the answers of a fleet in Spark, DuckDB and heaplens: they are equal.

    compare_answers.py HEAPLENS OUTPUT

OUTPUT is the folder that digest_dumps.py wrote. Needs the packages duckdb and pyarrow.
"""
import json
import subprocess
import sys
import time
from pathlib import Path

import duckdb

SQL = next(folder for folder in (Path(__file__).parent / "sql", Path(__file__).parent / "../../crates/fleet/sql") if folder.is_dir())


def plain(value):
    """A value that compares in all three: numbers to fifteen digits."""
    return float(f"{value:.15g}") if isinstance(value, (int, float)) else value


def heaplens(program, output, name):
    key = name.replace("_", "-")
    answer = subprocess.run([program, "fleet", f"{output}/digests", "--of", key, "--format", "json"], check=True, capture_output=True, text=True)
    return [[plain(value) for value in row.values()] for row in json.loads(answer.stdout)["rows"]]


def main(program, output):
    base = duckdb.connect()
    base.execute(f"CREATE VIEW digests AS SELECT * FROM read_parquet('{output}/digests/*/*/*.parquet', hive_partitioning = true, hive_types_autocast = false)")
    for kind, view in (("dump", "dumps"), ("finding", "findings"), ("class", "classes")):
        base.execute(f"CREATE VIEW {view} AS SELECT * FROM digests WHERE record = '{kind}'")
    different = False
    print("| question | rows | heaplens, s | DuckDB, s | equal |\n|---|--:|--:|--:|---|")
    for file in sorted(SQL.glob("*.sql")):
        begin = time.time()
        ours = heaplens(program, output, file.stem)
        middle = time.time()
        duck = [[plain(value) for value in row] for row in base.execute(file.read_text()).fetchall()]
        end = time.time()
        spark = base.execute(f"SELECT * FROM read_parquet('{output}/answers/{file.stem}/*.parquet')").fetchall()
        spark = [[plain(value) for value in row] for row in spark]
        # A file of Spark keeps the order of its rows; the sort is the same in all three.
        is_equal = ours == duck == spark
        different |= not is_equal
        print(f"| {file.stem} | {len(ours)} | {middle - begin:.2f} | {end - middle:.2f} | {'yes' if is_equal else 'no'} |")
        if not is_equal:
            for row in zip(ours, duck, spark):
                if not row[0] == row[1] == row[2]:
                    print("  first difference:", *row, sep="\n    ")
                    break
    sys.exit(int(different))


if __name__ == "__main__":
    main(*sys.argv[1:])
