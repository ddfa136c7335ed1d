//! A calculator for each quote of an energy supplier listens to the settings (Commons Configuration) and never stops to.
//! Beside it, much larger: the settings themselves, which are changed at times, the load profiles, and a cache of offers with a bound.
//: jars commons-configuration.jar commons-lang.jar commons-logging.jar commons-collections3.jar
//: libraries Commons Configuration
//: holder EventSource\.listeners|PropertiesConfiguration\.listeners
//: set tuned
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.commons.configuration.PropertiesConfiguration;
import org.apache.commons.configuration.event.ConfigurationEvent;
import org.apache.commons.configuration.event.ConfigurationListener;

public class TariffSettings {
    record Offer(String customer, double yearly, String text, double[] months) {}

    /** The last offers, so that a page that is opened again need not be calculated. */
    static final class Offers extends LinkedHashMap<String, Offer> {
        Offers() {
            super(16, 0.75f, true);
        }

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Offer> eldest) {
            return size() > 9_000;
        }
    }

    static final class Calculator implements ConfigurationListener {
        private final String customer;
        private final int usage;
        private final String[] steps;
        private double cents;

        Calculator(PropertiesConfiguration settings, String customer, int usage) {
            this.customer = customer;
            this.usage = usage;
            steps = new String[] {Corpus.words(3), Corpus.words(2), Corpus.words(2)};
            cents = settings.getDouble("tariff." + usage % 20_000 + ".cents");
            settings.addConfigurationListener(this);
        }

        @Override
        public void configurationChanged(ConfigurationEvent event) {
            if (!event.isBeforeUpdate() && event.getPropertyName().equals("tariff." + usage % 20_000 + ".cents")) {
                cents = Double.parseDouble(event.getPropertyValue().toString());
            }
        }

        Offer offer(float[] profile) {
            double[] months = new double[12];
            for (int hour = 0; hour < profile.length; hour++) {
                months[hour * 12 / profile.length] += profile[hour] * usage * cents / 100;
            }
            double yearly = 0;
            for (double month : months) {
                yearly += month;
            }
            return new Offer(customer, yearly, String.join(", ", steps) + " " + Corpus.words(12), months);
        }
    }

    static final class QuoteService {
        private final PropertiesConfiguration settings = new PropertiesConfiguration();
        private final float[][] profiles = new float[500][];
        private final Offers offers = new Offers();

        QuoteService() {
            for (int tariff = 0; tariff < 20_000; tariff++) {
                settings.setProperty("tariff." + tariff + ".cents", String.valueOf(18 + Corpus.RANDOM.nextInt(2_000) / 100.0));
                settings.setProperty("tariff." + tariff + ".title", Corpus.words(5));
            }
            for (int profile = 0; profile < profiles.length; profile++) {
                profiles[profile] = new float[8_760];
                for (int hour = 0; hour < 8_760; hour++) {
                    profiles[profile][hour] = Corpus.RANDOM.nextFloat() / 8_760;
                }
            }
            // Yesterday's offers.
            for (int quote = 0; quote < 9_000; quote++) {
                String customer = Corpus.id("visitor", quote);
                offers.put(customer, new Offer(customer, quote, Corpus.words(19), new double[12]));
            }
        }

        void quote(int request) {
            String customer = Corpus.id("customer", request);
            offers.put(customer, new Calculator(settings, customer, 900 + Corpus.RANDOM.nextInt(5_000)).offer(profiles[request % profiles.length]));
            if (request % 500 == 499) {
                settings.setProperty("tariff." + request + ".cents", String.valueOf(20 + request % 9));
            }
        }
    }

    public static void main(String[] arguments) throws Exception {
        QuoteService service = new QuoteService();
        Corpus.twice(arguments, 1_700, (from, to) -> {
            for (int request = from; request < to; request++) {
                service.quote(request);
            }
        });
    }
}
