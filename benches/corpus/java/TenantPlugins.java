//! Software for clubs makes a service locator of HK2 for each sign-in of a club, with the club's plugins, and does not shut it down at sign-out.
//! Beside it: the shared locator's members and the rules of leagues, and a pool of image buffers.
//: jars hk2-api-2*.jar hk2-locator-2*.jar hk2-utils-2*.jar jakarta.inject-2*.jar aopalliance-repackaged-2*.jar javassist-3*.jar osgi-resource-locator-1*.jar jakarta.annotation-api-1*.jar
//: libraries HK2
//: holder ServiceLocatorFactoryImpl\.serviceLocators|ServiceLocatorImpl\.children
//: set tuned
//: leak 17.2
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import javax.inject.Inject;
import javax.inject.Singleton;
import org.glassfish.hk2.api.ServiceLocator;
import org.glassfish.hk2.api.ServiceLocatorFactory;
import org.glassfish.hk2.utilities.ServiceLocatorUtilities;
import org.glassfish.hk2.utilities.binding.AbstractBinder;

public class TenantPlugins {
    record Member(String number, String name, String address, List<Integer> fees) {}

    @Singleton
    public static class Members {
        final Map<String, Member> byNumber = new HashMap<>();

        public Members() {
            for (int number = 0; number < 38_000; number++) {
                byNumber.put(Corpus.id("member", number), new Member(Corpus.id("member", number), Corpus.words(2), Corpus.words(5),
                        List.of(Corpus.RANDOM.nextInt(900), Corpus.RANDOM.nextInt(900))));
            }
        }
    }

    @Singleton
    public static class LeagueRules {
        final String[][] paragraphs = new String[120][200];

        public LeagueRules() {
            for (String[] league : paragraphs) {
                for (int paragraph = 0; paragraph < league.length; paragraph++) {
                    league[paragraph] = Corpus.words(9);
                }
            }
        }
    }

    @Singleton
    public static class Club {
        String number;
        final List<String> recent = new ArrayList<>();
    }

    public static class FeePlugin {
        @Inject
        Members members;
        @Inject
        Club club;

        int fees(int request) {
            int fees = 0;
            for (int member = 0; member < 25; member++) {
                Member found = members.byNumber.get(Corpus.id("member", (request * 25 + member) % 38_000));
                club.recent.add(found.name() + ": " + Corpus.words(3));
                fees += found.fees().get(0);
            }
            return fees;
        }
    }

    public static class FixturePlugin {
        @Inject
        LeagueRules rules;
        @Inject
        Club club;

        String fixture(int request) {
            return club.number + " " + rules.paragraphs[request % 120][request % 200];
        }
    }

    static final class ClubServer {
        private final ServiceLocator shared = ServiceLocatorFactory.getInstance().create("shared");
        private final ArrayBlockingQueue<byte[]> imageBuffers = new ArrayBlockingQueue<>(24);

        ClubServer() {
            ServiceLocatorUtilities.bind(shared, new AbstractBinder() {
                @Override
                protected void configure() {
                    bindAsContract(Members.class).in(Singleton.class);
                    bindAsContract(LeagueRules.class).in(Singleton.class);
                }
            });
            for (int buffer = 0; buffer < 24; buffer++) {
                imageBuffers.add(new byte[128 * 1024]);
            }
        }

        void visit(int request) throws Exception {
            ServiceLocator club = ServiceLocatorFactory.getInstance().create(Corpus.id("club", request), shared);
            ServiceLocatorUtilities.bind(club, new AbstractBinder() {
                @Override
                protected void configure() {
                    bindAsContract(Club.class).in(Singleton.class);
                    bindAsContract(FeePlugin.class);
                    bindAsContract(FixturePlugin.class);
                }
            });
            club.getService(Club.class).number = Corpus.id("club", request);
            club.getService(FeePlugin.class).fees(request);
            byte[] badge = imageBuffers.take();
            badge[request % badge.length] = (byte) club.getService(FixturePlugin.class).fixture(request).length();
            imageBuffers.put(badge);
        }
    }

    public static void main(String[] arguments) throws Exception {
        ClubServer server = new ClubServer();
        Corpus.twice(arguments, 120, (from, to) -> {
            for (int request = from; request < to; request++) {
                server.visit(request);
            }
        });
    }
}
