//! Each import of a library adds a listener to the Spring context for its progress; the context keeps it. The catalogue, a
//! singleton bean, is large and legitimate.
//: jars spring3-core.jar spring3-beans.jar spring3-context.jar spring3-aop.jar spring3-expression.jar jcl-over-slf4j.jar slf4j-api.jar slf4j-nop.jar
//: libraries Spring
//: holder defaultRetriever|applicationListeners
//: set tuned
//: leak 11.3
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.context.ApplicationEvent;
import org.springframework.context.ApplicationListener;
import org.springframework.context.support.GenericApplicationContext;

/** Imports of records from other libraries; a page shows the progress of each. */
public class ImportProgressListeners {
    record Holding(String shelf, int year) {}

    static final class Title {
        final String signature;
        final String name = Corpus.words(5);
        final String author = Corpus.words(2);
        final Holding[] holdings = new Holding[2];

        Title(String signature) {
            this.signature = signature;
            for (int copy = 0; copy < holdings.length; copy++) {
                holdings[copy] = new Holding("shelf-" + Corpus.RANDOM.nextInt(900), 1950 + Corpus.RANDOM.nextInt(75));
            }
        }
    }

    public static final class Catalogue {
        private final Map<String, Title> titles = new HashMap<>();

        public Catalogue() {
            for (int number = 0; number < 60_000; number++) {
                String signature = Corpus.id("title", number);
                titles.put(signature, new Title(signature));
            }
        }

        boolean knows(String signature) {
            return titles.containsKey(signature);
        }
    }

    static final class ImportDone extends ApplicationEvent {
        final int known;

        ImportDone(String job, int known) {
            super(job);
            this.known = known;
        }
    }

    /** What the page shows: the records of one import and how far it is. */
    static final class ProgressPage implements ApplicationListener<ImportDone> {
        private final String job;
        private final List<String> records;
        private int known;

        ProgressPage(String job, List<String> records) {
            this.job = job;
            this.records = records;
        }

        @Override
        public void onApplicationEvent(ImportDone event) {
            if (event.getSource().equals(job)) {
                known = event.known;
            }
        }
    }

    static final class Importer {
        private final GenericApplicationContext context;
        private final Catalogue catalogue;

        Importer(GenericApplicationContext context) {
            this.context = context;
            this.catalogue = context.getBean(Catalogue.class);
        }

        void run(String job, List<String> records) {
            context.addApplicationListener(new ProgressPage(job, records));
            long known = records.stream().filter(record -> catalogue.knows(record.substring(0, record.indexOf(' ')))).count();
            context.publishEvent(new ImportDone(job, (int) known));
        }
    }

    public static void main(String[] arguments) throws Exception {
        GenericApplicationContext context = new GenericApplicationContext();
        context.registerBeanDefinition("catalogue", new RootBeanDefinition(Catalogue.class));
        context.refresh();
        Importer importer = new Importer(context);
        Corpus.twice(arguments, 600, (from, to) -> {
            for (int number = from; number < to; number++) {
                List<String> records = new ArrayList<>();
                for (int record = 0; record < 60; record++) {
                    records.add(Corpus.id("title", Corpus.RANDOM.nextInt(90_000)) + " " + Corpus.words(10));
                }
                importer.run(Corpus.id("import", number), records);
            }
        });
    }
}
