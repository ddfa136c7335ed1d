//! Jobs of a stream engine log by loggers of their own, named after the job. Log4j's registry keeps each logger after the job has ended. Beside it, larger: the
//! positions of the stream, filled at start.
//: issue hazelcast/hazelcast-jet#2730
//: version Log4j 2.20.0, called as Hazelcast Jet 4.3 did
//: from pypi pyspark 3.5.3
//: jars log4j-api*.jar log4j-core*.jar
//: libraries Log4j
//: holder LoggerRegistry|loggerRegistry
//: set tuned
import java.util.ArrayList;
import java.util.List;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;

public class JobLoggers {
    record Position(String partition, long offset, byte[] key) {}

    static final List<Position> POSITIONS = new ArrayList<>();

    public static void main(String[] arguments) throws Exception {
        for (int number = 0; number < 60_000; number++) {
            POSITIONS.add(new Position(Corpus.id("partition", number), number * 31L, new byte[40]));
        }
        Corpus.twice(arguments, 6_000, (from, to) -> {
            for (int job = from; job < to; job++) {
                for (String part : new String[] {"source", "window", "sink"}) {
                    Logger logger = LogManager.getLogger("jet." + Corpus.id("job", job) + "." + part);
                    logger.debug("{} of {} starts", part, job);
                }
            }
        });
    }
}
