package geo;

import names.Run;

public final class Deliveries {
    private static final Deliveries OFFICE = new Deliveries();

    private final Geocoder geocoder = new Geocoder();
    private double way;

    private void drive(int from, int to) {
        for (int parcel = from; parcel < to; parcel++) {
            way += geocoder.find(parcel + " " + Run.words(2)).latitude();
        }
    }

    public static void main(String[] arguments) throws Exception {
        Run.begin();
        OFFICE.drive(0, 2_000);
        Run.before();
        OFFICE.drive(2_000, 20_000);
        Run.end();
    }
}
