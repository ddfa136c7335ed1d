heaplens histogram fixtures/leak-after.hprof.gz --owners --top 4
