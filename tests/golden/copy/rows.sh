heaplens histogram fixtures/leak-after.hprof.gz --top 4
