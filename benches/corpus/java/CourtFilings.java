//! A registry of courts logs with Log4j. A clerk pushes the filing on the context stack of the thread, and pops it only where the filing is
//! accepted: the stack of a thread of the pool grows with each rejected one. Large and legitimate: the open cases.
//: jars log4j-api.jar
//: libraries Log4j
//: holder DefaultThreadContextStack\.STACK|MutableThreadContextStack|ThreadContext\.contextStack|threadLocals|ThreadLocalMap
//: set tuned
//: leak 1.2
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.apache.logging.log4j.ThreadContext;

public class CourtFilings {
    static final int CASES = 30_000;

    record Hearing(String room, long at, String judge) {}

    record CourtCase(String number, String title, List<String> parties, List<Hearing> hearings) {}

    record Filing(String number, String caseNumber, String kind, String text, int pages) {}

    static final class Docket {
        final Map<String, CourtCase> cases = new HashMap<>();

        Docket() {
            for (int number = 0; number < CASES; number++) {
                List<String> parties = new ArrayList<>(List.of(Corpus.words(2), Corpus.words(2)));
                List<Hearing> hearings = new ArrayList<>();
                for (int hearing = 0; hearing < 2; hearing++) {
                    hearings.add(new Hearing("room " + Corpus.RANDOM.nextInt(40), 1_795_500_000L + number, Corpus.words(2)));
                }
                String id = Corpus.id("case", number);
                cases.put(id, new CourtCase(id, Corpus.words(6), parties, hearings));
            }
        }
    }

    static final class Clerk {
        private static final Logger LOG = LogManager.getLogger(Clerk.class);
        private final Docket docket;
        private int pages;

        Clerk(Docket docket) {
            this.docket = docket;
        }

        void take(Filing filing) {
            ThreadContext.push("{} of {}: {}, {}", filing.number(), filing.caseNumber(), filing.kind(), filing.text());
            CourtCase courtCase = docket.cases.get(filing.caseNumber());
            if (courtCase == null || filing.pages() > 40) {
                LOG.debug("rejected");
                return;
            }
            synchronized (this) {
                pages += filing.pages();
            }
            LOG.debug("filed in {}", courtCase.title());
            ThreadContext.pop();
        }
    }

    static final Docket DOCKET = new Docket();
    static final ExecutorService CLERKS = Executors.newFixedThreadPool(1);

    public static void main(String[] arguments) throws Exception {
        Clerk clerk = new Clerk(DOCKET);
        Corpus.twice(arguments, 9_000, (from, to) -> {
            for (int number = from; number < to; number++) {
                Filing filing = new Filing(Corpus.id("filing", number), Corpus.id("case", Corpus.RANDOM.nextInt(CASES)), Corpus.words(2),
                        Corpus.words(12), 1 + number * 7 % 60);
                CLERKS.submit(() -> clerk.take(filing)).get();
            }
        });
    }
}
