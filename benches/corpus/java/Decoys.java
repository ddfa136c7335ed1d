import java.math.BigDecimal;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.IntConsumer;

/**
 * Legitimate tables beside a leak, larger than it, and filled before most of it: a program has one of them. `-Dcorpus.decoy=KIND,MB,lazy`
 * names its number, its size, and whether it is filled with the first requests or before them all.
 */
final class Decoys {
    // With its own seed: the values of a program do not depend on its decoy.
    private static final Random RANDOM = new Random(20261129);
    private static final String[] WORDS = ("north alpine express standard premium regional depot sector branch annex valley ridge "
            + "quarter plaza junction terminal gallery pavilion orchard quarry").split(" ");
    // A row and its share of the table, in bytes: about the same for all kinds.
    private static final int ROW = 420;

    private final int rows;
    private final int parts;
    private final IntConsumer add;
    private int part;

    private Decoys(int kind, double megabytes, boolean lazy) {
        rows = (int) (megabytes * 1e6 / ROW);
        parts = lazy ? 3 : 1;
        add = List.<IntConsumer>of(PostalDirectory::add, TariffBook::add, BranchNetwork::add, CalendarOfHolidays::add, SpareParts::add,
                CurrencyHistory::add, DistrictAtlas::add, LegalNotices::add, DeviceCatalogue::add, EmployeeRegister::add).get(kind);
    }

    /** The decoy of this program, or none. */
    static Decoys ofProgram() {
        String[] parts = System.getProperty("corpus.decoy", "").split(",");
        return parts.length == 3 ? new Decoys(Integer.parseInt(parts[0]), Double.parseDouble(parts[1]), parts[2].equals("lazy")) : null;
    }

    boolean isLazy() {
        return parts > 1;
    }

    /** Fills the next part of the table; nothing after the last. */
    void fill() {
        if (part < parts) {
            for (int row = rows * part / parts; row < rows * (part + 1) / parts; row++) {
                add.accept(row);
            }
            part++;
        }
    }

    /** A text of some words, such as a street. */
    static String words(int count) {
        StringBuilder text = new StringBuilder();
        for (int word = 0; word < count; word++) {
            text.append(word == 0 ? "" : " ").append(WORDS[RANDOM.nextInt(WORDS.length)]);
        }
        return text.toString();
    }

    /** An identifier such as `badge-100017`. */
    static String code(String kind, int number) {
        return kind + "-" + (100_000 + number);
    }
}

final class PostalDirectory {
    static final Map<String, Address> addressesByCode = new HashMap<>();

    record Address(String code, String street, String town, String remark, double latitude, double longitude) {}

    static void add(int number) {
        String code = Decoys.code("PC", number);
        addressesByCode.put(code, new Address(code, Decoys.words(4), Decoys.words(3), Decoys.words(6), number / 90.0, number / 180.0));
    }
}

final class TariffBook {
    static final List<Tariff> tariffLines = new ArrayList<>();

    record Tariff(int line, String heading, String text, BigDecimal price, LocalDate from) {}

    static void add(int number) {
        tariffLines.add(new Tariff(number, Decoys.words(6), Decoys.words(18), BigDecimal.valueOf(number, 2), LocalDate.ofEpochDay(18_000 + number % 900)));
    }
}

final class BranchNetwork {
    static final ConcurrentHashMap<Integer, Branch> branchesByNumber = new ConcurrentHashMap<>();

    record Branch(int number, String town, String manager, List<String> hours) {}

    static void add(int number) {
        branchesByNumber.put(number, new Branch(number, Decoys.words(3), Decoys.words(2), List.of(Decoys.words(5), Decoys.words(5), Decoys.words(4))));
    }
}

final class CalendarOfHolidays {
    static final TreeMap<LocalDate, Holiday> holidaysByDate = new TreeMap<>();

    record Holiday(String name, String region, String note) {}

    static void add(int number) {
        holidaysByDate.put(LocalDate.ofEpochDay(number), new Holiday(Decoys.words(7), Decoys.words(4), Decoys.words(10)));
    }
}

final class SpareParts {
    static Part[] partsInStock = new Part[64];

    record Part(String code, String name, int pieces, String shelf) {}

    static void add(int number) {
        if (number == partsInStock.length) {
            partsInStock = java.util.Arrays.copyOf(partsInStock, number * 2);
        }
        partsInStock[number] = new Part(Decoys.code("part", number), Decoys.words(8), number % 70, Decoys.words(16));
    }
}

final class CurrencyHistory {
    static final Map<String, List<Rate>> ratesByCurrency = new LinkedHashMap<>();

    record Rate(LocalDate day, BigDecimal bid, BigDecimal ask, String source) {}

    static void add(int number) {
        ratesByCurrency.computeIfAbsent(Decoys.code("CUR", number % 120), currency -> new ArrayList<>())
                .add(new Rate(LocalDate.ofEpochDay(17_000 + number / 120), BigDecimal.valueOf(number, 4), BigDecimal.valueOf(number + 9L, 4), Decoys.words(22)));
    }
}

final class DistrictAtlas {
    static final Map<Long, double[]> outlinesByDistrict = new HashMap<>();

    static void add(int number) {
        double[] outline = new double[36 + number % 12];
        java.util.Arrays.setAll(outline, at -> number + at / 7.0);
        outlinesByDistrict.put(4_000_000L + number, outline);
    }
}

final class LegalNotices {
    static final List<String> noticeTexts = new ArrayList<>();

    static void add(int number) {
        noticeTexts.add(Decoys.code("notice", number) + ": " + Decoys.words(46));
    }
}

final class DeviceCatalogue {
    static final Map<String, Map<String, String>> propertiesByDevice = new TreeMap<>();

    static void add(int number) {
        Map<String, String> properties = new HashMap<>();
        properties.put("maker", Decoys.words(2));
        properties.put("model", Decoys.words(3));
        propertiesByDevice.put(Decoys.code("device", number), properties);
    }
}

final class EmployeeRegister {
    static final ConcurrentHashMap<String, Employee> employeesByBadge = new ConcurrentHashMap<>();

    static final class Employee {
        final String badge;
        final String name = Decoys.words(2);
        final String address = Decoys.words(5);
        final LocalDate entered;
        final List<String> skills = new ArrayList<>();

        Employee(String badge, int number) {
            this.badge = badge;
            entered = LocalDate.ofEpochDay(15_000 + number % 4_000);
            skills.add(Decoys.words(2));
        }
    }

    static void add(int number) {
        String badge = Decoys.code("badge", number);
        employeesByBadge.put(badge, new Employee(badge, number));
    }
}
