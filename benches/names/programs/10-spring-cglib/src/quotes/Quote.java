package quotes;

record Quote(String customer, double amount, String conditions, long[] payments) {}
