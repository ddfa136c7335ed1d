//! A scheduler gives each job a logger of its own with Log4j 1.2, below one name for all. The hierarchy of loggers is a table without an end: it keeps each logger, and a
//! list of all of them at the name above. Beside it, larger: the tasks that jobs are made of, filled at start.
//: issue ow2-proactive/scheduling#2879
//: version Log4j 1.2.17, called as ProActive Scheduling did
//: from pypi pyspark 2.1.2
//: jars log4j-1.2.17.jar
//: libraries Log4j 1
//: holder Hierarchy\.ht|\bht\b|ProvisionNode
//: set aside
import java.util.ArrayList;
import java.util.List;
import org.apache.log4j.AppenderSkeleton;
import org.apache.log4j.Level;
import org.apache.log4j.LogManager;
import org.apache.log4j.Logger;
import org.apache.log4j.spi.LoggingEvent;

public class BatchJobLoggers {
    record Task(String name, String command, String owner, int minutes, List<String> needs) {}

    /** Sends the lines of a job to its owner; here it counts them. */
    static final class Forwarder extends AppenderSkeleton {
        final String job;
        final String owner;
        int lines;

        Forwarder(String job, String owner) {
            this.job = job;
            this.owner = owner;
        }

        @Override
        protected void append(LoggingEvent event) {
            lines++;
        }

        @Override
        public void close() {
            closed = true;
        }

        @Override
        public boolean requiresLayout() {
            return false;
        }
    }

    static final List<Task> TASKS = new ArrayList<>();

    static void run(int number) {
        String job = Corpus.id("job", number);
        Logger logger = Logger.getLogger("scheduler.logforwarder." + job);
        Task task = TASKS.get(Corpus.RANDOM.nextInt(TASKS.size()));
        Forwarder forwarder = new Forwarder(job, task.owner());
        logger.addAppender(forwarder);
        logger.setAdditivity(false);
        for (int line = 0; line < 4; line++) {
            logger.info(task.name() + ": " + Corpus.words(8));
        }
        logger.removeAllAppenders();
    }

    public static void main(String[] arguments) throws Exception {
        Logger.getRootLogger().setLevel(Level.INFO);
        LogManager.getLoggerRepository().setThreshold(Level.INFO);
        for (int number = 0; number < 60_000; number++) {
            TASKS.add(new Task(Corpus.id("task", number), Corpus.words(8), Corpus.words(2), number % 90, List.of(Corpus.words(1), Corpus.words(1))));
        }
        Corpus.twice(arguments, 20_000, (from, to) -> {
            for (int number = from; number < to; number++) {
                run(number);
            }
        });
    }
}
