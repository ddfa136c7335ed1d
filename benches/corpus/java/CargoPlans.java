//! A shipping line plans stowage in beans of Guice. The plans of voyages are in a WeakHashMap, but each plan has its voyage, so that no key is freed.
//! Beside it: the ports with their tides (Joda-Time), the rates that are read anew in the middle, and a bounded list of the last offers.
//: jars guice.jar atinject-jsr330-api.jar aopalliance.jar guava.jar joda-time-2*.jar
//: libraries Guice, Joda-Time
//: holder VoyagePlanner\.plans
//: set tuned
//: options --add-opens=java.base/java.lang=ALL-UNNAMED
import com.google.inject.AbstractModule;
import com.google.inject.Guice;
import com.google.inject.Injector;
import com.google.inject.Inject;
import com.google.inject.Singleton;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.WeakHashMap;
import org.joda.time.DateTime;
import org.joda.time.DateTimeZone;

public class CargoPlans {
    record Tide(DateTime high, double metres) {}

    record Port(String code, String name, List<Tide> tides) {}

    record Bay(String code, int tonnes, String goods, DateTime loaded) {}

    static final class Voyage {
        final String number;
        final String ship;
        final Port from;
        final Port to;

        Voyage(String number, String ship, Port from, Port to) {
            this.number = number;
            this.ship = ship;
            this.from = from;
            this.to = to;
        }
    }

    static final class StowagePlan {
        final Voyage voyage;
        final List<Bay> bays = new ArrayList<>();

        StowagePlan(Voyage voyage) {
            this.voyage = voyage;
        }
    }

    @Singleton
    static final class Ports {
        static final DateTime START = new DateTime(2026, 1, 1, 0, 0, DateTimeZone.UTC);
        private final List<Port> all = new ArrayList<>();

        Ports() {
            for (int number = 0; number < 2_600; number++) {
                List<Tide> tides = new ArrayList<>();
                for (int tide = 0; tide < 50; tide++) {
                    tides.add(new Tide(START.plusMinutes(tide * 745 + number), Corpus.RANDOM.nextInt(900) / 100.0));
                }
                all.add(new Port(Corpus.id("port", number), Corpus.words(2), tides));
            }
        }

        Port any() {
            return all.get(Corpus.RANDOM.nextInt(all.size()));
        }
    }

    @Singleton
    static final class Rates {
        private volatile Map<String, Double> byRoute = read();

        private static Map<String, Double> read() {
            Map<String, Double> read = new HashMap<>();
            for (int route = 0; route < 32_000; route++) {
                read.put(Corpus.id("route", route), 20 + Corpus.RANDOM.nextInt(90_000) / 100.0);
            }
            return read;
        }

        void refresh() {
            byRoute = read();
        }

        double of(int route) {
            return byRoute.get(Corpus.id("route", route % 32_000));
        }
    }

    @Singleton
    static final class VoyagePlanner {
        private final Map<Voyage, StowagePlan> plans = new WeakHashMap<>();

        StowagePlan plan(Voyage voyage) {
            return plans.computeIfAbsent(voyage, v -> {
                StowagePlan plan = new StowagePlan(v);
                for (int bay = 0; bay < 14; bay++) {
                    plan.bays.add(new Bay("bay " + bay + " of " + v.ship, 10 + Corpus.RANDOM.nextInt(400), Corpus.words(3), Ports.START.plusHours(bay)));
                }
                return plan;
            });
        }
    }

    @Singleton
    static final class OfferDesk {
        private final Ports ports;
        private final Rates rates;
        private final VoyagePlanner planner;
        private final ArrayDeque<String> lastOffers = new ArrayDeque<>();

        @Inject
        OfferDesk(Ports ports, Rates rates, VoyagePlanner planner) {
            this.ports = ports;
            this.rates = rates;
            this.planner = planner;
        }

        void offer(int request) {
            if (request % 900 == 899) {
                rates.refresh();
            }
            Voyage voyage = new Voyage(Corpus.id("voyage", request), Corpus.words(2), ports.any(), ports.any());
            StowagePlan plan = planner.plan(voyage);
            int tonnes = plan.bays.stream().mapToInt(Bay::tonnes).sum();
            lastOffers.add(voyage.number + " " + voyage.from.name() + " to " + voyage.to.name() + ": " + tonnes * rates.of(request));
            if (lastOffers.size() > 700) {
                lastOffers.poll();
            }
        }
    }

    public static void main(String[] arguments) throws Exception {
        Injector injector = Guice.createInjector(new AbstractModule() {
            @Override
            protected void configure() {
                bind(OfferDesk.class);
            }
        });
        OfferDesk desk = injector.getInstance(OfferDesk.class);
        Corpus.twice(arguments, 2_200, (from, to) -> {
            for (int request = from; request < to; request++) {
                desk.offer(request);
            }
        });
    }
}
