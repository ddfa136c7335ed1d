//! An agency for excursions reads Derby through Commons DBCP, which pools prepared statements without a bound. Each search has the place and the
//! day in its text, so the pool keeps a statement for each search. Large and legitimate: the guests and the tables of the database.
//: jars commons-dbcp2.jar commons-pool2.jar commons-logging-1*.jar derby.jar
//: libraries Commons DBCP, Commons Pool, Derby
//: holder PoolingConnection\.pstmtPool|GenericKeyedObjectPool\.(poolMap|poolKeyList)|GenericLanguageConnectionContext\.acts|Excursions\.source
//: set tuned
//: options -Dderby.stream.error.file=/dev/null -Dderby.language.statementCacheSize=50
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.commons.dbcp2.BasicDataSource;

public class ExcursionSearch {
    static final int PLACES = 400;

    record Trip(String name, int day, int seats) {}

    record Guest(String number, String name, String address, List<String> wishes) {}

    static final class Guests {
        final Map<String, Guest> byNumber = new HashMap<>();

        Guests() {
            for (int number = 0; number < 40_000; number++) {
                byNumber.put(Corpus.id("guest", number), new Guest(Corpus.id("guest", number), Corpus.words(2), Corpus.words(6),
                        List.of(Corpus.words(2), Corpus.words(3))));
            }
        }
    }

    static final class Excursions {
        private final BasicDataSource source = new BasicDataSource();

        Excursions() throws Exception {
            source.setUrl("jdbc:derby:memory:excursions;create=true");
            source.setPoolPreparedStatements(true);
            source.setMaxTotal(1);
            try (Connection connection = source.getConnection(); Statement statement = connection.createStatement()) {
                statement.execute("create table trip (number int primary key, name varchar(80), place varchar(40), day_of_year int, seats int)");
                statement.execute("create index trip_place on trip (place, day_of_year)");
            }
            try (Connection connection = source.getConnection();
                    PreparedStatement insert = connection.prepareStatement("insert into trip values (?, ?, ?, ?, ?)")) {
                connection.setAutoCommit(false);
                for (int number = 0; number < 8_000; number++) {
                    insert.setInt(1, number);
                    insert.setString(2, Corpus.words(4));
                    insert.setString(3, "place " + number % PLACES);
                    insert.setInt(4, Corpus.RANDOM.nextInt(365));
                    insert.setInt(5, 8 + Corpus.RANDOM.nextInt(40));
                    insert.executeUpdate();
                }
                connection.commit();
            }
        }

        List<Trip> search(String place, int day, int seats) throws Exception {
            List<Trip> trips = new ArrayList<>();
            String query = "select name, day_of_year, seats from trip where place = '" + place + "' and day_of_year >= " + day
                    + " and seats >= ? order by day_of_year";
            try (Connection connection = source.getConnection(); PreparedStatement select = connection.prepareStatement(query)) {
                select.setInt(1, seats);
                try (ResultSet rows = select.executeQuery()) {
                    while (rows.next()) {
                        trips.add(new Trip(rows.getString(1), rows.getInt(2), rows.getInt(3)));
                    }
                }
            }
            return trips;
        }
    }

    static final Guests GUESTS = new Guests();

    public static void main(String[] arguments) throws Exception {
        Excursions excursions = new Excursions();
        Corpus.twice(arguments, 350, (from, to) -> {
            for (int number = from; number < to; number++) {
                Guest guest = GUESTS.byNumber.get(Corpus.id("guest", number * 71 % 40_000));
                excursions.search("place " + number * 7 % PLACES, number * 13 % 365, guest.wishes().size());
            }
        });
    }
}
