//! Jobs of a logistics firm in Quartz. A job keeps the result of each run in its own data map, which Quartz stores again after the run.
//! Beside it: the table of stops and the plan of the tours, read at start and much larger.
//: jars quartz2.jar slf4j-api.jar slf4j-nop.jar
//: libraries Quartz
//: holder JobDetailImpl\.jobDataMap|JobDataMap|JobWrapper\.jobDetail
//: set tuned
//: leak 0.9
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.Semaphore;
import org.quartz.DisallowConcurrentExecution;
import org.quartz.Job;
import org.quartz.JobBuilder;
import org.quartz.JobDataMap;
import org.quartz.JobExecutionContext;
import org.quartz.JobKey;
import org.quartz.PersistJobDataAfterExecution;
import org.quartz.Scheduler;
import org.quartz.impl.StdSchedulerFactory;

public class NightlyJobs {
    record Stop(int number, String name, double latitude, double longitude, String access) {}

    record Tour(String driver, List<Stop> stops, double[] minutes) {}

    record Delay(String tour, int minutes, String reason) {}

    record Result(int run, List<Delay> delays, String text) {}

    static final List<Stop> STOPS = new ArrayList<>();
    static final List<Tour> TOURS = new ArrayList<>();
    static final Semaphore DONE = new Semaphore(0);

    /** Compares the tours of the day with the plan. */
    @PersistJobDataAfterExecution
    @DisallowConcurrentExecution
    public static final class DelayJob implements Job {
        @Override
        public void execute(JobExecutionContext context) {
            JobDataMap data = context.getJobDetail().getJobDataMap();
            int run = data.containsKey("runs") ? data.getInt("runs") : 0;
            List<Delay> delays = new ArrayList<>();
            for (int at = 0; at < 12; at++) {
                Tour tour = TOURS.get(Corpus.RANDOM.nextInt(TOURS.size()));
                delays.add(new Delay(tour.driver(), Corpus.RANDOM.nextInt(90), Corpus.words(3)));
            }
            data.put("runs", run + 1);
            // The next run wants only the last result. All of them stay.
            data.put("result-" + run, new Result(run, delays, Corpus.words(8)));
            DONE.release();
        }
    }

    static void plan() {
        for (int number = 0; number < 30_000; number++) {
            STOPS.add(new Stop(number, Corpus.words(2) + " " + number % 120, 47 + Corpus.RANDOM.nextDouble(),
                    15 + Corpus.RANDOM.nextDouble(), Corpus.words(18)));
        }
        for (int number = 0; number < 5_000; number++) {
            List<Stop> stops = new ArrayList<>();
            for (int at = 0; at < 45; at++) {
                stops.add(STOPS.get(Corpus.RANDOM.nextInt(STOPS.size())));
            }
            TOURS.add(new Tour(Corpus.id("driver", number % 300), stops, new double[45]));
        }
    }

    public static void main(String[] arguments) throws Exception {
        plan();
        Properties properties = new Properties();
        properties.setProperty("org.quartz.scheduler.instanceName", "nightly");
        properties.setProperty("org.quartz.scheduler.skipUpdateCheck", "true");
        properties.setProperty("org.quartz.threadPool.class", "org.quartz.simpl.SimpleThreadPool");
        properties.setProperty("org.quartz.threadPool.threadCount", "2");
        properties.setProperty("org.quartz.jobStore.class", "org.quartz.simpl.RAMJobStore");
        Scheduler scheduler = new StdSchedulerFactory(properties).getScheduler();
        JobKey delays = JobKey.jobKey("delays", "tours");
        scheduler.addJob(JobBuilder.newJob(DelayJob.class).withIdentity(delays).storeDurably().build(), false);
        scheduler.start();
        Corpus.twice(arguments, 220, (from, to) -> {
            for (int run = from; run < to; run++) {
                scheduler.triggerJob(delays);
                DONE.acquire();
            }
            // The store takes the data of the last run a moment after the job has ended.
            Thread.sleep(300);
        });
    }
}
