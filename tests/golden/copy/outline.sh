heaplens threads fixtures/leak-after.hprof.gz --sort retained_bytes --top 1
