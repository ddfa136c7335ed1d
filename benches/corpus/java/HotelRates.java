//! A hotel search. Rates are cached with Caffeine by hotel, dates and the instant of the search, without a bound.
//! Beside it: descriptions of hotels in a Caffeine cache that is at its bound, and the index of cities.
//: jars caffeine.jar
//: libraries Caffeine
//: holder RateService\.quotes
//: set tuned
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.LoadingCache;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

public class HotelRates {
    static final int HOTELS = 30_000;

    record Hotel(int number, String name, String city, String description, List<String> facilities) {}

    record RateKey(int hotel, LocalDate arrival, int nights, long searchedAt) {}

    record Rate(String room, BigDecimal price, String currency, boolean breakfast) {}

    record Quote(RateKey key, List<Rate> rates, String supplier) {}

    static final class HotelDirectory {
        final LoadingCache<Integer, Hotel> hotels =
                Caffeine.newBuilder().maximumSize(12_000).executor(Runnable::run).build(HotelDirectory::read);
        final TreeMap<String, int[]> byCity = new TreeMap<>();

        HotelDirectory() {
            for (int city = 0; city < 3_000; city++) {
                int[] numbers = new int[40];
                for (int at = 0; at < numbers.length; at++) {
                    numbers[at] = Corpus.RANDOM.nextInt(HOTELS);
                }
                byCity.put(Corpus.words(1) + " " + city, numbers);
            }
            for (int number = 0; number < HOTELS; number++) {
                hotels.get(number);
            }
        }

        static Hotel read(int number) {
            List<String> facilities = new ArrayList<>();
            for (int at = 0; at < 5; at++) {
                facilities.add(Corpus.words(1));
            }
            return new Hotel(number, "Hotel " + Corpus.words(2), Corpus.words(1), Corpus.words(70), facilities);
        }
    }

    static final class RateService {
        private final LoadingCache<RateKey, Quote> quotes = Caffeine.newBuilder().recordStats().build(this::ask);

        private Quote ask(RateKey key) {
            List<Rate> rates = new ArrayList<>();
            for (int room = 0; room < 4; room++) {
                BigDecimal price = BigDecimal.valueOf(4_000 + Corpus.RANDOM.nextInt(30_000), 2);
                rates.add(new Rate(Corpus.words(2), price, "EUR", room % 2 == 0));
            }
            return new Quote(key, rates, "supplier-" + key.hotel() % 9);
        }

        Quote best(int hotel, LocalDate arrival, int nights, long searchedAt) {
            return quotes.get(new RateKey(hotel, arrival, nights, searchedAt));
        }
    }

    static final HotelDirectory DIRECTORY = new HotelDirectory();
    static final RateService RATES = new RateService();

    public static void main(String[] arguments) throws Exception {
        LocalDate today = LocalDate.of(2026, 11, 24);
        Corpus.twice(arguments, 6_000, (from, to) -> {
            for (int search = from; search < to; search++) {
                Hotel hotel = DIRECTORY.hotels.get(Corpus.RANDOM.nextInt(HOTELS));
                LocalDate arrival = today.plusDays(Corpus.RANDOM.nextInt(200));
                RATES.best(hotel.number(), arrival, 1 + search % 14, 1_795_500_000_000L + search * 37L);
            }
        });
    }
}
