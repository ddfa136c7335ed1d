//! A theatre makes reports of seats with Quartz. A job listener tells the page that its report is ready, and stays at the scheduler after the
//! job. Large and legitimate: the plays with their seats, and the daily jobs of the houses.
//: jars quartz2.jar slf4j-api.jar slf4j-nop.jar
//: libraries Quartz
//: holder ListenerManagerImpl\.(globalJobListeners|globalJobListenersMatchers)|QuartzScheduler\.listenerManager
//: set tuned
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.LinkedBlockingQueue;
import org.quartz.Job;
import org.quartz.JobBuilder;
import org.quartz.JobDetail;
import org.quartz.JobExecutionContext;
import org.quartz.JobExecutionException;
import org.quartz.Scheduler;
import org.quartz.SimpleScheduleBuilder;
import org.quartz.TriggerBuilder;
import org.quartz.impl.StdSchedulerFactory;
import org.quartz.impl.matchers.KeyMatcher;
import org.quartz.listeners.JobListenerSupport;

public class TheatreReports {
    record Play(String number, String title, String house, List<String> cast, byte[] seats) {}

    static final List<Play> PLAYS = new ArrayList<>();
    static final LinkedBlockingQueue<String> READY = new LinkedBlockingQueue<>();

    /** Counts sold seats. */
    public static final class SeatReport implements Job {
        @Override
        public void execute(JobExecutionContext context) {
            int sold = 0;
            for (byte seat : PLAYS.get(context.getMergedJobDataMap().getInt("play")).seats()) {
                sold += seat;
            }
            context.setResult(sold);
        }
    }

    static final class ReportPage {
        private final String number;
        private final List<String> columns = new ArrayList<>();
        private final StringBuilder html = new StringBuilder();

        ReportPage(String number) {
            this.number = number;
            for (int column = 0; column < 8; column++) {
                columns.add(Corpus.words(2));
            }
        }

        void show(Play play, Object sold) {
            html.append("<h1>").append(play.title()).append("</h1><p>").append(sold).append(" of ").append(play.seats().length);
            columns.forEach(column -> html.append("<td>").append(column).append("</td>"));
        }
    }

    static final class PageListener extends JobListenerSupport {
        private final ReportPage page;
        private final Play play;

        PageListener(ReportPage page, Play play) {
            this.page = page;
            this.play = play;
        }

        @Override
        public String getName() {
            return "page " + page.number;
        }

        @Override
        public void jobWasExecuted(JobExecutionContext context, JobExecutionException error) {
            page.show(play, context.getResult());
            READY.add(page.number);
        }
    }

    public static void main(String[] arguments) throws Exception {
        for (int number = 0; number < 18_000; number++) {
            List<String> cast = new ArrayList<>();
            for (int actor = 0; actor < 6; actor++) {
                cast.add(Corpus.words(2));
            }
            byte[] seats = new byte[300];
            for (int seat = 0; seat < seats.length; seat++) {
                seats[seat] = (byte) Corpus.RANDOM.nextInt(2);
            }
            PLAYS.add(new Play(Corpus.id("play", number), Corpus.words(4), Corpus.words(1), cast, seats));
        }
        Properties properties = new Properties();
        properties.setProperty("org.quartz.scheduler.instanceName", "theatre");
        properties.setProperty("org.quartz.threadPool.class", "org.quartz.simpl.SimpleThreadPool");
        properties.setProperty("org.quartz.threadPool.threadCount", "2");
        properties.setProperty("org.quartz.scheduler.skipUpdateCheck", "true");
        Scheduler scheduler = new StdSchedulerFactory(properties).getScheduler();
        for (int house = 0; house < 500; house++) {
            scheduler.scheduleJob(JobBuilder.newJob(SeatReport.class).withIdentity("house " + house, "daily").usingJobData("play", house).build(),
                    TriggerBuilder.newTrigger().withIdentity("house " + house, "daily")
                            .startAt(new java.util.Date(System.currentTimeMillis() + 7_200_000L))
                            .withSchedule(SimpleScheduleBuilder.repeatHourlyForever(24)).build());
        }
        scheduler.start();
        Corpus.twice(arguments, 1_200, (from, to) -> {
            for (int number = from; number < to; number++) {
                int play = Corpus.RANDOM.nextInt(PLAYS.size());
                JobDetail job = JobBuilder.newJob(SeatReport.class).withIdentity(Corpus.id("report", number), "pages").usingJobData("play", play).build();
                PageListener listener = new PageListener(new ReportPage(Corpus.id("page", number)), PLAYS.get(play));
                scheduler.getListenerManager().addJobListener(listener, KeyMatcher.keyEquals(job.getKey()));
                scheduler.scheduleJob(job, TriggerBuilder.newTrigger().startNow().build());
                READY.take();
            }
        });
    }
}
