package geo;

record Place(String address, double latitude, double longitude, String district, long[] outline) {}
