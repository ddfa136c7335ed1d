"""The skill's questions as a program: which tool comes next, and when to stop. No step knows a dump or an answer."""

# Names of runtimes and platforms: no holders that a developer can change, if another is on the path.
RUNTIME = ("java.", "javax.", "jdk.", "sun.", "android.", "androidx.", "kotlin.", "com.android.", "dalvik.", "libcore.", "root <", "thread ")
# Findings that are looked at, most likely first.
FINDINGS = 5
# Below this certainty, another finding is taken if there is one.
UNLIKELY = 0.1
# Share of the heap from which on detached nodes are the candidate.
DETACHED = 0.1


async def answer(tools, question):
    """Holder and class of the leak in `dump`, with `before` as an earlier dump of the program, if there is one."""
    opened = await tools.ask("open_dump", file=question["dump"])
    dump, before = opened["dump"], None
    if "before" in question:
        before = (await tools.ask("open_dump", file=question["before"]))["dump"]
    outside = opened.get("outside_heap") or {}
    if outside.get("bytes", 0) > opened["reachable"]["bytes"]:
        return await holder_of_class(tools, dump, "java.nio.DirectByteBuffer")
    if opened["format"] == "v8":
        detached = await holder_of_detached(tools, dump, opened["reachable"]["bytes"])
        if detached is not None:
            return detached
    leaks = await tools.ask("leaks", dump=dump, before=before, top=FINDINGS)
    trace = trace_of(leaks)
    if trace is not None:
        return trace
    if opened["format"] == "hprof-android":
        activity = await repeated_activity(tools, dump)
        if activity is not None:
            return await holder_of_class(tools, dump, activity)
    found = candidates(leaks, before)
    if found:
        return await named(tools, dump, found[0])
    if before is not None:
        grown = await grown_owner(tools, dump, before)
        if grown is not None:
            return grown
    return await largest(tools, dump)


def trace_of(leaks):
    """Android: the trace that retains most; the holder is the first of its suspect references that is the application's."""
    traces = [trace for trace in leaks.get("traces") or [] if trace.get("kind") == "application"]
    if not traces:
        return None
    steps = max(traces, key=lambda trace: trace.get("retained_bytes") or 0)["steps"]
    holders = steps[:-1]
    # References between the last object that is known to be in use and the first that is known to leak.
    in_use = [at for at, step in enumerate(holders) if step["status"] == "NO"]
    suspects = [reference_name(step) for step in holders[in_use[-1] if in_use else 0 :] if step["status"] != "YES"]
    own = next((at for at, name in enumerate(suspects) if not name.startswith(RUNTIME)), len(suspects) - 1)
    # What of the runtime leads there says how: a message, a thread, an animation.
    return {"holder": ", ".join(suspects[max(own - 1, 0) : own + 1]), "class": steps[-1]["class"]}


def reference_name(step):
    """Class and field of a step of a trace, whose reference may begin with the simple name of its class."""
    return f"{step['class']}.{(step.get('reference') or '').split('.')[-1]}"


async def repeated_activity(tools, dump):
    """An activity class with several objects: without values, a dump does not tell which are destroyed."""
    sql = 'SELECT class, count(*) AS objects FROM "instanceof android.app.Activity" GROUP BY class ORDER BY objects DESC LIMIT 5'
    rows = rows_of(await tools.ask("query", dump=dump, sql=sql))
    return rows[0]["class"] if rows and rows[0]["objects"] > 1 else None


def candidates(leaks, before):
    """Findings that can be leaks, most likely first; with an earlier dump, those that grew, by growth."""
    found = [finding for finding in leaks["findings"] if finding["group"] == "leak"]
    if before is None:
        return sorted(found, key=lambda finding: (finding.get("certainty") or 0) < UNLIKELY)
    grew = [finding for finding in found if (finding.get("growth") or {}).get("grew")]
    return sorted(grew, key=lambda finding: -finding["growth"]["bytes"])


async def named(tools, dump, finding):
    """Holder and class of a finding. If only the runtime holds it, the path to a leaked object says more."""
    holder = finding.get("holder") or {}
    holders = [finding.get("label"), holder.get("name"), *(cut["name"] for cut in finding.get("cut") or [])]
    holders = [name for name in dict.fromkeys(holders) if name]
    leaked = (finding.get("accumulates") or {}).get("class")
    if leaked and all(name.startswith(RUNTIME) for name in holders):
        by_path = await holder_of_class(tools, dump, leaked)
        holders = [*by_path["holder"].split(", "), *holders]
    return {"holder": ", ".join(holders), "class": leaked}


async def holder_of_detached(tools, dump, heap_bytes):
    """Who holds the nodes that were removed from the document, if they retain much."""
    sql = "SELECT class, holder, holder_id, retained_bytes FROM detached ORDER BY retained_bytes DESC LIMIT 5"
    rows = rows_of(await tools.ask("query", dump=dump, sql=sql))
    if not rows or rows[0]["retained_bytes"] < DETACHED * heap_bytes:
        return None
    explained = await tools.ask("explain", dump=dump, object=rows[0]["holder_id"])
    references = list(references_of([step for path in explained["paths"][:1] for step in path["steps"]]))
    return {"holder": ", ".join([rows[0]["holder"], *references[-1:]]), "class": rows[0]["class"]}


def rows_of(answer):
    """Rows of a query by the names of their columns."""
    rows, names = answer.get("rows") or [], answer.get("columns") or []
    names = [name["name"] if isinstance(name, dict) else name for name in names]
    return [row if isinstance(row, dict) else dict(zip(names, row)) for row in rows]


async def holder_of_class(tools, dump, leaked):
    """Who holds the largest object of a class: the application's reference nearest to it, else the runtime's."""
    table = leaked.replace('"', '""')
    sql = f'SELECT object FROM "{table}" ORDER BY retained_bytes DESC LIMIT 1'
    rows = rows_of(await tools.ask("query", dump=dump, sql=sql))
    if not rows:
        return {"holder": "", "class": leaked}
    explained = await tools.ask("explain", dump=dump, object=rows[0]["object"])
    steps = [step for path in explained["paths"][:1] for step in path["steps"]]
    references = list(references_of(steps))
    # An inner class of the leaked one only passes the reference on.
    own = [name for name in references if not name.startswith((*RUNTIME, f"{leaked}$"))]
    return {"holder": ", ".join(own[-1:] or references[-2:]), "class": leaked}


def references_of(steps):
    """References on a path by class and field, from the root on; elements of arrays have no name."""
    for step, after in zip(steps, steps[1:]):
        if step["class"].endswith("[]"):
            continue
        owner = step["label"] if step["class"] == "java.lang.Class" else step["class"]
        field = after["reference"] or ""
        yield f"{owner}{field}" if field.startswith("[") else f"{owner}.{field}"


async def grown_owner(tools, dump, before):
    """The owner that retains most of what was added since the earlier dump."""
    compared = await tools.ask("compare", before=before, after=dump, by="owner", top=FINDINGS)
    rows = [row for row in compared.get("owners") or [] if row["delta"]["retained_bytes"] > 0]
    if not rows:
        return None
    most = max(rows, key=lambda row: row["delta"]["retained_bytes"])
    return {"holder": most["owner"], "class": most["class"]}


async def largest(tools, dump):
    """Without any finding: the class of the application that retains most, and who holds it."""
    rows = (await tools.ask("histogram", dump=dump, sort="retained_bytes", top=20))["rows"]
    own = [row["class"] for row in rows if not row["class"].startswith((*RUNTIME, "(")) and "[]" not in row["class"]]
    return await holder_of_class(tools, dump, own[0]) if own else None
