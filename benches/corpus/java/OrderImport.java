//! A nightly import with Hibernate 3. One session stays open for all files and is never cleared: it keeps each order and its loaded state.
//! Beside it: the list of articles that the import checks orders against.
//: jars hibernate3.jar hibernate-commons-annotations.jar geronimo-jpa_2.0_spec.jar dom4j.jar commons-collections3.jar javassist-*.jar antlr.jar jta-1.1.jar h2.jar slf4j-api.jar slf4j-nop.jar
//: libraries Hibernate
//: holder OrderImport\.session|SessionImpl\.persistenceContext|StatefulPersistenceContext\.(entitiesByKey|entityEntries)
//: set tuned
import java.util.HashMap;
import java.util.Map;
import org.hibernate.Session;
import org.hibernate.SessionFactory;
import org.hibernate.cfg.Configuration;

public class OrderImport {
    private static final String MAPPING = "<?xml version='1.0'?>"
            + "<!DOCTYPE hibernate-mapping PUBLIC '-//Hibernate/Hibernate Mapping DTD 3.0//EN' "
            + "'http://www.hibernate.org/dtd/hibernate-mapping-3.0.dtd'><hibernate-mapping default-access='field'>"
            + "<class name='OrderImport$PurchaseOrder' table='purchase_order' lazy='false'>"
            + "<id name='number' type='int'><generator class='assigned'/></id>"
            + "<property name='customer'/><property name='address'/><property name='article'/><property name='note' length='400'/>"
            + "<property name='count' column='pieces'/><property name='total'/></class></hibernate-mapping>";

    static final class PurchaseOrder {
        int number;
        String customer;
        String address;
        String article;
        String note;
        int count;
        double total;

        PurchaseOrder() {}

        PurchaseOrder(int number, Article article) {
            this.number = number;
            this.customer = Corpus.words(2);
            this.address = Corpus.words(3) + " " + number % 90;
            this.article = article.code();
            this.note = Corpus.words(12);
            this.count = 1 + number % 9;
            this.total = count * article.price();
        }
    }

    record Article(String code, String name, double price, String text) {}

    static final Map<String, Article> ARTICLES = new HashMap<>();

    private final SessionFactory factory;
    // One session for the life of the program. It should be cleared after each file.
    private final Session session;

    OrderImport() {
        Configuration configuration = new Configuration().addXML(MAPPING);
        configuration.setProperty("hibernate.connection.driver_class", "org.h2.Driver");
        configuration.setProperty("hibernate.connection.url", "jdbc:h2:mem:orders");
        configuration.setProperty("hibernate.connection.username", "sa");
        configuration.setProperty("hibernate.connection.password", "");
        configuration.setProperty("hibernate.dialect", "org.hibernate.dialect.H2Dialect");
        configuration.setProperty("hibernate.hbm2ddl.auto", "create");
        configuration.setProperty("hibernate.bytecode.use_reflection_optimizer", "false");
        factory = configuration.buildSessionFactory();
        session = factory.openSession();
    }

    void file(int first, int count) {
        session.beginTransaction();
        for (int number = first; number < first + count; number++) {
            Article article = ARTICLES.get(Corpus.id("article", Corpus.RANDOM.nextInt(ARTICLES.size())));
            session.save(new PurchaseOrder(number, article));
        }
        session.flush();
        // Orders of a month ago leave the table; the session still knows them.
        session.createQuery("delete from OrderImport$PurchaseOrder o where o.number < :oldest")
                .setInteger("oldest", first + count - 600).executeUpdate();
        session.getTransaction().commit();
    }

    public static void main(String[] arguments) throws Exception {
        for (int number = 0; number < 19_000; number++) {
            String code = Corpus.id("article", number);
            ARTICLES.put(code, new Article(code, Corpus.words(3), 1 + number % 200, Corpus.words(50)));
        }
        OrderImport load = new OrderImport();
        Corpus.twice(arguments, 40, (from, to) -> {
            for (int file = from; file < to; file++) {
                load.file(file * 250, 250);
            }
        });
    }
}
