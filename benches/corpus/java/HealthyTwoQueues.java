//! Healthy: documents of a court, in a cache of two parts made by the application: probation and protected, both at their bound. The index of cases was
//! loaded at start.
//: jars
//: libraries JDK
//: own DocumentCache\.(probation|guarded)|Court\.cases
//: set tuned
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

public class HealthyTwoQueues {
    record Case(String number, String court, String[] parties) {}

    record Document(String number, String title, char[] text) {}

    static final class DocumentCache {
        static final int PROBATION = 1_000;
        static final int GUARDED = 2_000;
        final Map<String, Document> probation = new LinkedHashMap<>();
        final Map<String, Document> guarded = new LinkedHashMap<>(16, 0.75f, true);

        Document find(String number) {
            Document document = guarded.get(number);
            if (document == null && (document = probation.remove(number)) != null) {
                guarded.put(number, document);
                if (guarded.size() > GUARDED) {
                    Iterator<Document> eldest = guarded.values().iterator();
                    Document moved = eldest.next();
                    eldest.remove();
                    add(moved);
                }
            }
            return document;
        }

        void add(Document document) {
            probation.put(document.number(), document);
            if (probation.size() > PROBATION) {
                Iterator<Document> eldest = probation.values().iterator();
                eldest.next();
                eldest.remove();
            }
        }
    }

    static final class Court {
        final List<Case> cases = new ArrayList<>();
        final DocumentCache documents = new DocumentCache();

        Court() {
            for (int number = 0; number < 32_000; number++) {
                cases.add(new Case(Corpus.id("case", number), Corpus.words(2), new String[] {Corpus.words(2), Corpus.words(2)}));
            }
        }

        Document read(int request) {
            String number = cases.get((request + (request % 2 == 0 ? 0 : Corpus.RANDOM.nextInt(900))) / 3 % cases.size()).number() + "/" + request / 90_000;
            Document document = documents.find(number);
            if (document == null) {
                document = new Document(number, Corpus.words(5), new char[300 + Corpus.RANDOM.nextInt(700)]);
                documents.add(document);
            }
            return document;
        }
    }

    public static void main(String[] arguments) throws Exception {
        Court court = new Court();
        Corpus.twice(arguments, 70_000, (from, to) -> {
            for (int request = from; request < to; request++) {
                court.read(request);
            }
        });
    }
}
