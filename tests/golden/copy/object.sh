heaplens object fixtures/leak-after.hprof.gz 0xfe03f300 --top 100
