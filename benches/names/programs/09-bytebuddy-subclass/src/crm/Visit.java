package crm;

record Visit(String customer, String notes, long[] minutes) {}
