package audit;

record Entry(String action, String detail, long[] before) {}
