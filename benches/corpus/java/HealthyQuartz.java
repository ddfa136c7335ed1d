//! Healthy: a hospital plans with Quartz. Jobs of each ward repeat daily and were scheduled at start; a reminder runs once and leaves the store by
//! itself.
//: jars quartz2.jar slf4j-api.jar slf4j-nop.jar
//: libraries Quartz
//: own RAMJobStore|Wards\.beds
//: set tuned
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import org.quartz.DateBuilder;
import org.quartz.Job;
import org.quartz.JobBuilder;
import org.quartz.JobDetail;
import org.quartz.JobExecutionContext;
import org.quartz.Scheduler;
import org.quartz.SimpleScheduleBuilder;
import org.quartz.TriggerBuilder;
import org.quartz.impl.StdSchedulerFactory;

public class HealthyQuartz {
    static final Semaphore DONE = new Semaphore(0);
    static final AtomicInteger REMINDED = new AtomicInteger();

    static final class Bed {
        final String room;
        final String equipment = Corpus.words(8);
        final byte[] plan = new byte[250];

        Bed(int number) {
            room = "W" + number / 200 + "-" + number % 200;
        }
    }

    static final class Wards {
        final List<Bed> beds = new ArrayList<>();

        Wards() {
            for (int number = 0; number < 12_000; number++) {
                beds.add(new Bed(number));
            }
        }
    }

    public static class RoundJob implements Job {
        @Override
        public void execute(JobExecutionContext context) {
            context.setResult(context.getMergedJobDataMap().getString("text"));
        }
    }

    public static class ReminderJob implements Job {
        @Override
        public void execute(JobExecutionContext context) {
            REMINDED.addAndGet(context.getMergedJobDataMap().getString("text").length());
            DONE.release();
        }
    }

    static void daily(Scheduler scheduler, int count) throws Exception {
        for (int number = 0; number < count; number++) {
            JobDetail job = JobBuilder.newJob(RoundJob.class).withIdentity("round-" + number, "ward-" + number % 60)
                    .usingJobData("text", Corpus.words(12)).build();
            scheduler.scheduleJob(job, TriggerBuilder.newTrigger().withIdentity("at-" + number, "ward-" + number % 60)
                    .startAt(DateBuilder.futureDate(1 + number % 24, DateBuilder.IntervalUnit.HOUR))
                    .withSchedule(SimpleScheduleBuilder.repeatHourlyForever(24)).build());
        }
    }

    public static void main(String[] arguments) throws Exception {
        Properties properties = new Properties();
        properties.setProperty("org.quartz.scheduler.instanceName", "hospital");
        properties.setProperty("org.quartz.scheduler.skipUpdateCheck", "true");
        properties.setProperty("org.quartz.threadPool.class", "org.quartz.simpl.SimpleThreadPool");
        properties.setProperty("org.quartz.threadPool.threadCount", "4");
        properties.setProperty("org.quartz.jobStore.class", "org.quartz.simpl.RAMJobStore");
        Scheduler scheduler = new StdSchedulerFactory(properties).getScheduler();
        Wards wards = new Wards();
        daily(scheduler, 4000);
        scheduler.start();
        Corpus.twice(arguments, 1000, (from, to) -> {
            for (int request = from; request < to; request++) {
                Bed bed = wards.beds.get(Corpus.RANDOM.nextInt(12_000));
                JobDetail job = JobBuilder.newJob(ReminderJob.class).withIdentity("reminder-" + request, "reminders")
                        .usingJobData("text", bed.room + ": " + Corpus.words(5)).build();
                scheduler.scheduleJob(job, TriggerBuilder.newTrigger().withIdentity("now-" + request, "reminders").startNow().build());
            }
            DONE.acquire(to - from);
            Thread.sleep(500);
        });
    }
}
