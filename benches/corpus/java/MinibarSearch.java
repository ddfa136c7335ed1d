//! Minibars of hotels in a database by Hibernate, with its statistics switched on. Searches are written into the text of the query, and the statistics keep an entry for
//! each text. Beside it: the hotels, the prices of the year, and Hibernate's own cache of plans, which has a bound.
//: jars hibernate3.jar hibernate-commons-annotations.jar geronimo-jpa_2.0_spec.jar dom4j.jar commons-collections3.jar javassist-*.jar antlr.jar jta-1.1.jar h2.jar slf4j-api.jar slf4j-nop.jar
//: libraries Hibernate, H2
//: holder StatisticsImpl\.queryStatistics|SessionFactoryImpl\.statistics
//: set aside
//: heap 256m
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.hibernate.Session;
import org.hibernate.SessionFactory;
import org.hibernate.cfg.Configuration;

public class MinibarSearch {
    private static final String MAPPING = "<?xml version='1.0'?>"
            + "<!DOCTYPE hibernate-mapping PUBLIC '-//Hibernate/Hibernate Mapping DTD 3.0//EN' "
            + "'http://www.hibernate.org/dtd/hibernate-mapping-3.0.dtd'><hibernate-mapping default-access='field'>"
            + "<class name='MinibarSearch$Minibar' table='minibar' lazy='false'>"
            + "<id name='number' type='int'><generator class='assigned'/></id>"
            + "<property name='hotel'/><property name='room'/><property name='content' length='400'/>"
            + "<property name='bottles'/><property name='checked'/></class></hibernate-mapping>";

    static final class Minibar {
        int number;
        String hotel;
        int room;
        String content;
        int bottles;
        int checked;

        Minibar() {}

        Minibar(int number) {
            this.number = number;
            hotel = Corpus.id("hotel", number % 90);
            room = 100 + number % 600;
            content = Corpus.words(14);
            bottles = number % 12;
            checked = number % 365;
        }
    }

    record Hotel(String name, String address, String manager, List<String> floors) {}

    static final class Desk {
        private final SessionFactory factory;
        private final Map<String, Hotel> hotels = new HashMap<>();
        private final double[][] pricesByDay = new double[365][2_000];
        private long found;

        Desk() {
            Configuration configuration = new Configuration().addXML(MAPPING);
            configuration.setProperty("hibernate.connection.driver_class", "org.h2.Driver");
            configuration.setProperty("hibernate.connection.url", "jdbc:h2:mem:minibars");
            configuration.setProperty("hibernate.connection.username", "sa");
            configuration.setProperty("hibernate.connection.password", "");
            configuration.setProperty("hibernate.dialect", "org.hibernate.dialect.H2Dialect");
            configuration.setProperty("hibernate.hbm2ddl.auto", "create");
            configuration.setProperty("hibernate.bytecode.use_reflection_optimizer", "false");
            configuration.setProperty("hibernate.generate_statistics", "true");
            configuration.setProperty("hibernate.query.plan_cache_max_strong_references", "32");
            configuration.setProperty("hibernate.query.plan_cache_max_soft_references", "64");
            factory = configuration.buildSessionFactory();
            for (int number = 0; number < 14_000; number++) {
                hotels.put(Corpus.id("hotel", number), new Hotel(Corpus.words(3), Corpus.words(4), Corpus.words(2), List.of(Corpus.words(2), Corpus.words(2))));
            }
            for (double[] day : pricesByDay) {
                java.util.Arrays.setAll(day, at -> 2 + at % 19 / 2.0);
            }
            Session session = factory.openSession();
            session.beginTransaction();
            for (int number = 0; number < 400; number++) {
                session.save(new Minibar(number));
            }
            session.getTransaction().commit();
            session.close();
        }

        void search(int number) {
            Session session = factory.openSession();
            try {
                session.beginTransaction();
                String query = "from MinibarSearch$Minibar m where m.hotel = '" + Corpus.id("hotel", Corpus.RANDOM.nextInt(90)) + "' and m.room between "
                        + (100 + Corpus.RANDOM.nextInt(300)) + " and " + (400 + Corpus.RANDOM.nextInt(300)) + " and m.bottles < " + (1 + number % 11)
                        + " and m.checked < " + Corpus.RANDOM.nextInt(365) + " and m.content like '%" + Corpus.words(2) + "%' order by m.room, m.checked";
                found += session.createQuery(query).setMaxResults(20).list().size();
                session.getTransaction().commit();
            } finally {
                session.close();
            }
        }
    }

    public static void main(String[] arguments) throws Exception {
        Desk desk = new Desk();
        Corpus.twice(arguments, 1_200, (from, to) -> {
            for (int number = from; number < to; number++) {
                desk.search(number);
            }
        });
    }
}
