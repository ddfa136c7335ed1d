heaplens paths fixtures/leak-after.hprof.gz 0xfe03f300
