package imports;

import names.Run;
import org.hibernate.Session;
import org.hibernate.SessionFactory;
import org.hibernate.cfg.Configuration;

/** Imports the orders of the night. */
public final class OrderImport {
    private static final String MAPPING = "<?xml version='1.0'?>"
            + "<!DOCTYPE hibernate-mapping PUBLIC '-//Hibernate/Hibernate Mapping DTD 3.0//EN' "
            + "'http://www.hibernate.org/dtd/hibernate-mapping-3.0.dtd'><hibernate-mapping default-access='field'>"
            + "<class name='imports.PurchaseOrder' table='purchase_order' lazy='false'>"
            + "<id name='number' type='int'><generator class='assigned'/></id>"
            + "<property name='customer'/><property name='address'/><property name='note' length='400'/>"
            + "<property name='total'/></class></hibernate-mapping>";

    private final SessionFactory factory;
    // One session for all files, never cleared: it keeps each order and its loaded state.
    private final Session session;

    private OrderImport(String database) {
        Configuration configuration = new Configuration().addXML(MAPPING);
        configuration.setProperty("hibernate.connection.driver_class", "org.h2.Driver");
        configuration.setProperty("hibernate.connection.url", database);
        configuration.setProperty("hibernate.connection.username", "sa");
        configuration.setProperty("hibernate.connection.password", "");
        configuration.setProperty("hibernate.dialect", "org.hibernate.dialect.H2Dialect");
        configuration.setProperty("hibernate.hbm2ddl.auto", "create");
        configuration.setProperty("hibernate.bytecode.use_reflection_optimizer", "false");
        factory = configuration.buildSessionFactory();
        session = factory.openSession();
    }

    private void load(int from, int to) {
        for (int file = from; file < to; file += 500) {
            session.beginTransaction();
            for (int number = file; number < file + 500; number++) {
                session.save(new PurchaseOrder(number));
            }
            session.flush();
            session.getTransaction().commit();
        }
    }

    public static void main(String[] arguments) throws Exception {
        Run.begin();
        // The tables lie in a file: in memory they would be as large as the session.
        OrderImport orders = new OrderImport("jdbc:h2:" + java.nio.file.Files.createTempDirectory("orders") + "/orders;CACHE_SIZE=256");
        orders.load(0, 1_500);
        Run.before();
        orders.load(1_500, 15_000);
        Run.end();
        orders.session.close();
    }
}
