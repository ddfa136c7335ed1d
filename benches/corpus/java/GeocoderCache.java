//! Parcel routing. A Guava cache of geocoded addresses without a bound: its key is the whole request, with its own token.
//! Beside it: the table of streets of the region, filled at start and much larger.
//: jars guava.jar
//: libraries Guava
//: holder Geocoder\.byUrl
//: set tuned
//: leak 8.7
import com.google.common.cache.Cache;
import com.google.common.cache.CacheBuilder;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

public class GeocoderCache {
    record Street(String name, String district, int postcode, double[] line) {}

    record Address(String street, String house, String town, double latitude, double longitude, String quality) {}

    static final class StreetTable {
        final Map<Integer, List<Street>> byPostcode = new HashMap<>();
        final Map<String, Street> byName = new HashMap<>();

        void load(int count) {
            for (int number = 0; number < count; number++) {
                double[] line = new double[16 + Corpus.RANDOM.nextInt(40)];
                for (int at = 0; at < line.length; at++) {
                    line[at] = 47 + Corpus.RANDOM.nextDouble();
                }
                Street street = new Street(Corpus.words(2) + " " + number, Corpus.words(1), 10000 + number % 900, line);
                byPostcode.computeIfAbsent(street.postcode(), postcode -> new ArrayList<>()).add(street);
                byName.put(street.name(), street);
            }
        }

        Street near(int postcode, int choice) {
            List<Street> streets = byPostcode.get(postcode);
            return streets.get(choice % streets.size());
        }
    }

    static final class Geocoder {
        private final StreetTable table;
        // The token of the request is part of the address: no entry is ever found again.
        private final Cache<String, Address> byUrl = CacheBuilder.newBuilder().recordStats().build();

        Geocoder(StreetTable table) {
            this.table = table;
        }

        Address find(String url, int postcode, int choice) throws Exception {
            return byUrl.get(url, () -> {
                Street street = table.near(postcode, choice);
                return new Address(street.name(), String.valueOf(1 + choice % 90), street.district() + " " + postcode,
                        street.line()[0], street.line()[1], choice % 3 == 0 ? "interpolated" : "rooftop");
            });
        }
    }

    static final class Router {
        final Geocoder geocoder;
        long metres;

        Router(Geocoder geocoder) {
            this.geocoder = geocoder;
        }

        void route(int parcel) throws Exception {
            int postcode = 10000 + Corpus.RANDOM.nextInt(900);
            String url = "https://geo.example.org/v1/search?postcode=" + postcode + "&q=" + Corpus.words(2).replace(' ', '+')
                    + "&limit=1&token=" + Corpus.id("parcel", parcel);
            Address address = geocoder.find(url, postcode, parcel);
            metres += (long) (address.latitude() * 10);
        }
    }

    static Router router;

    public static void main(String[] arguments) throws Exception {
        StreetTable table = new StreetTable();
        table.load(64_000);
        router = new Router(new Geocoder(table));
        Corpus.twice(arguments, 9_700, (from, to) -> {
            for (int parcel = from; parcel < to; parcel++) {
                router.route(parcel);
            }
        });
    }
}
