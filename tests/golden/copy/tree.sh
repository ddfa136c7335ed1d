heaplens objects fixtures/leak-after.hprof.gz --object 0xfe03f300 --object 0xfe0c8bf8
