"""Programs with a known order of allocation, as lists of phases (see java/Programs.java), and the collectors that run them.

Each structure of a program has a class of its own, so that its objects and its finding can be told apart.
"""
TUNED = {
    # A table filled at start, and a leak in another kind of structure.
    "list-map": "fill 24000 Row list; live 8000 Session concurrent",
    "map-list": "fill 24000 Row map; live 8000 Listener list",
    "array-queue": "fill 24000 Row forward; live 8000 Event queue",
    "numbered": "fill 24000 Numbered numbers; live 8000 Event list",
    "tree-identity": "fill 24000 Row tree; live 8000 Session identity",
    "linked-stack": "fill 24000 Numbered linked; live 8000 Link stack",
    "skip-blocking": "fill 16000 Numbered skip; live 8000 Row blocking",
    # Two that grow, at different rates.
    "two-leaks": "live 16000 Session concurrent Blob list/5",
    "three-leaks": "live 8000 Session map Row linked/2 Event deque/4",
    # One stops before the other begins.
    "stopped": "live 8000 Row list; live 8000 Listener vector",
    "stopped-numbered": "live 8000 Numbered list; gc; live 8000 Numbered list; live 4000 Blob set",
    # Promotion: collections between the phases.
    "promoted": "fill 12000 Row map; gc; gc; live 6000 Session list",
    "collected-late": "fill 12000 Row list; live 6000 Event map; gc; live 200 Blob list-2",
    # Humongous arrays at start, and at the end.
    "pictures-first": "fill 40 Picture list; fill 8000 Row map; live 6000 Listener queue",
    "pictures-last": "fill 16000 Row ordered; live 8000 Event list Picture list-2/200",
    # Filled lazily, in any order, from the end.
    "lazy": "fill 12000 Row list; live 20000 Session lazy Event queue/5",
    "anywhere": "live 16000 Row anywhere; live 6000 Listener list",
    "backward": "live 16000 Numbered backward; live 6000 Session map",
    # Removal and reuse.
    "dropped": "fill 30000 Row map; drop 60 map; live 8000 Session map-2",
    "dropped-list": "live 16000 Event list; drop 50 list; live 8000 Blob concurrent",
    "lru": "fill 16000 Row list; live 16000 Blob lru Event queue/3",
    "ring": "fill 16000 Numbered map; live 16000 Row ring Session list/4",
    # Numbers and times that are not in the order of allocation.
    "falling": "fill 16000 Ticket list; live 8000 Session concurrent",
    "falling-leak": "fill 16000 Row list; live 8000 Ticket map",
    "deadlines": "fill 16000 Deadline list; live 8000 Event concurrent",
    "orders-newest-first": "fill 16000 Order list; live 8000 Session queue",
    "visits-in-order": "live 6000 Session map; fill 16000 Visit list; live 3000 Event list-2",
}
ASIDE = {
    "ordered-deque": "fill 24000 Row ordered; live 8000 Blob lru Event deque",
    "set-chain": "fill 24000 Row set; live 8000 Link chain",
    "blocks": "fill 18000 Numbered lists; live 8000 Blob lists-2",
    "late-table": "live 8000 Session concurrent; fill 8000 Row list; live 6000 Listener list-2",
    "late-large-table": "live 4000 Event list; fill 30000 Row map; gc; live 4000 Session queue",
    "growing-alike": "live 12000 Row list Session map Listener queue",
    "backward-leak": "fill 16000 Row map; live 12000 Numbered backward",
    "pictures-between": "fill 8000 Row map; fill 30 Picture list; live 8000 Event concurrent; fill 30 Blob vector",
    "dropped-often": "fill 16000 Row map; drop 70 map; fill 16000 Row map; drop 70 map; live 8000 Session list",
    "visits-late": "fill 12000 Row list; live 8000 Visit map",
    "orders-leak": "fill 12000 Numbered tree; live 8000 Order linked",
    "deadlines-leak": "fill 12000 Numbered list; live 8000 Deadline blocking",
    "refilled": "fill 12000 Row list; drop 90 list; live 8000 Event map; fill 12000 Row list",
}
SETS = {"tuned": TUNED, "aside": ASIDE}

# Name, release, options, megabytes of garbage, threads, only live objects, by jcmd.
COLLECTORS = [
    ("serial", "17", "-XX:+UseSerialGC -Xmx200m", 400, 1, True, False),
    ("serial little garbage", "25", "-XX:+UseSerialGC -Xmx200m -Xmn120m", 40, 4, True, False),
    ("serial all objects", "17", "-XX:+UseSerialGC -Xmx200m", 400, 1, False, False),
    ("g1", "17", "-XX:+UseG1GC", 400, 1, True, False),
    ("g1", "25", "-XX:+UseG1GC", 400, 4, True, False),
    ("g1 small heap", "17", "-XX:+UseG1GC -Xmx200m", 400, 4, True, True),
    ("g1 small young", "25", "-XX:+UseG1GC -Xmx200m -Xmn8m", 400, 1, True, False),
    ("g1 large heap", "25", "-XX:+UseG1GC -Xms2g -Xmn1g", 40, 1, True, True),
    ("g1 all objects", "17", "-XX:+UseG1GC -Xmx200m", 400, 1, False, False),
    ("parallel", "17", "-XX:+UseParallelGC -Xmx200m", 400, 1, True, False),
    ("parallel", "25", "-XX:+UseParallelGC -Xmx200m", 200, 4, True, True),
    ("z", "17", "-XX:+UseZGC -Xmx200m", 400, 1, True, False),
    ("z", "25", "-XX:+UseZGC -Xmx200m", 400, 4, True, False),
    ("shenandoah", "17", "-XX:+UseShenandoahGC -Xmx200m", 400, 1, True, False),
    ("shenandoah", "25", "-XX:+UseShenandoahGC -Xmx200m", 400, 4, True, False),
]
