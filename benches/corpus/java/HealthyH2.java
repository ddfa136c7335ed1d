//! Healthy: a warehouse with an H2 database in memory. Stock was loaded at start; a shipment is inserted, sent and deleted; statements and results
//! are closed.
//: jars h2.jar
//: libraries H2
//: own Warehouse\.|MVStore|MVMap
//: set tuned
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

public class HealthyH2 {
    static final class Location {
        final String aisle;
        final String label = Corpus.words(3);
        final double[] size = {Corpus.RANDOM.nextDouble(), Corpus.RANDOM.nextDouble(), Corpus.RANDOM.nextDouble()};

        Location(int number) {
            aisle = "A" + number / 100 + "-" + number % 100;
        }
    }

    static final class Warehouse {
        final Connection connection;
        final List<Location> locations = new ArrayList<>();

        Warehouse() throws Exception {
            connection = DriverManager.getConnection("jdbc:h2:mem:warehouse");
            for (int number = 0; number < 15_000; number++) {
                locations.add(new Location(number));
            }
            try (Statement statement = connection.createStatement()) {
                statement.execute("create table stock (id int primary key, title varchar(80), place varchar(20), amount int)");
                statement.execute("create table shipment (id int primary key, stock int, address varchar(80))");
            }
            try (PreparedStatement insert = connection.prepareStatement("insert into stock values (?, ?, ?, ?)")) {
                for (int number = 0; number < 40_000; number++) {
                    insert.setInt(1, number);
                    insert.setString(2, Corpus.words(4));
                    insert.setString(3, locations.get(number % locations.size()).aisle);
                    insert.setInt(4, Corpus.RANDOM.nextInt(500));
                    insert.executeUpdate();
                }
            }
        }

        void ship(int number) throws Exception {
            int stock = Corpus.RANDOM.nextInt(40_000);
            try (PreparedStatement insert = connection.prepareStatement("insert into shipment values (?, ?, ?)")) {
                insert.setInt(1, number);
                insert.setInt(2, stock);
                insert.setString(3, Corpus.words(5));
                insert.executeUpdate();
            }
            try (PreparedStatement select = connection.prepareStatement(
                    "select s.title, h.address from shipment h join stock s on s.id = h.stock where h.id = ?")) {
                select.setInt(1, number);
                try (ResultSet rows = select.executeQuery()) {
                    rows.next();
                    rows.getString(2);
                }
            }
            try (PreparedStatement delete = connection.prepareStatement("delete from shipment where id = ?")) {
                delete.setInt(1, number);
                delete.executeUpdate();
            }
        }
    }

    public static void main(String[] arguments) throws Exception {
        Warehouse warehouse = new Warehouse();
        Corpus.twice(arguments, 6000, (from, to) -> {
            for (int request = from; request < to; request++) {
                warehouse.ship(request);
            }
        });
    }
}
