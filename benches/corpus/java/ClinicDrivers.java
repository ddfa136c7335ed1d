//! Clinics send readings through plug-ins with a class loader each. A plug-in registers a driver at DriverManager when a clinic signs in and does not
//! deregister it when the clinic signs out: its class stays, with the tables of its static fields. Beside it: the catalogue of tests, and the last readings.
//: jars
//: libraries JDBC
//: holder DriverManager\.registeredDrivers
//: set tuned
//: leak 4.5
import java.io.InputStream;
import java.sql.Connection;
import java.sql.Driver;
import java.sql.DriverManager;
import java.sql.DriverPropertyInfo;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Properties;
import java.util.logging.Logger;

public class ClinicDrivers {
    /** Loaded anew by each plug-in. */
    public static class ReadingDriver implements Driver {
        static final List<String> UNITS = new ArrayList<>();

        static {
            for (int number = 0; number < 120; number++) {
                UNITS.add("unit " + number + " of " + Thread.currentThread().getName() + " " + System.nanoTime());
            }
        }

        @Override
        public Connection connect(String url, Properties properties) {
            return null;
        }

        @Override
        public boolean acceptsURL(String url) {
            return url.startsWith("jdbc:reading:") && !UNITS.isEmpty();
        }

        @Override
        public DriverPropertyInfo[] getPropertyInfo(String url, Properties properties) {
            return new DriverPropertyInfo[0];
        }

        @Override
        public int getMajorVersion() {
            return 1;
        }

        @Override
        public int getMinorVersion() {
            return 4;
        }

        @Override
        public boolean jdbcCompliant() {
            return false;
        }

        @Override
        public Logger getParentLogger() {
            return Logger.getGlobal();
        }
    }

    static final class PluginLoader extends ClassLoader {
        final String clinic;

        PluginLoader(String clinic) {
            super(ClinicDrivers.class.getClassLoader());
            this.clinic = clinic;
        }

        Driver driver() throws Exception {
            String name = "ClinicDrivers$ReadingDriver";
            try (InputStream stream = ClinicDrivers.class.getResourceAsStream(name + ".class")) {
                byte[] code = stream.readAllBytes();
                return (Driver) defineClass(name, code, 0, code.length).getDeclaredConstructor().newInstance();
            }
        }
    }

    record LaboratoryTest(String code, String name, String method, double low, double high) {}

    record Reading(String clinic, LaboratoryTest test, double value) {}

    public static void main(String[] arguments) throws Exception {
        List<LaboratoryTest> tests = new ArrayList<>();
        for (int number = 0; number < 26_000; number++) {
            tests.add(new LaboratoryTest(Corpus.id("test", number), Corpus.words(4), Corpus.words(8), number, number * 2.5));
        }
        Deque<Reading> last = new ArrayDeque<>();
        Corpus.twice(arguments, 150, (from, to) -> {
            for (int request = from; request < to; request++) {
                String clinic = Corpus.id("clinic", request);
                DriverManager.registerDriver(new PluginLoader(clinic).driver());
                for (int reading = 0; reading < 40; reading++) {
                    last.add(new Reading(clinic, tests.get(Corpus.RANDOM.nextInt(tests.size())), Corpus.RANDOM.nextDouble()));
                    if (last.size() > 3_000) {
                        last.remove();
                    }
                }
            }
        });
    }
}
