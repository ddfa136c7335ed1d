//! Wind turbines write to one Parquet file for the whole day, with validation. The consumer that validates adds the number of each written field to `previousField`, where it
//! was to replace the one before. Beside it, larger: the turbines with their curves, filled at start.
//: issue apache/parquet-java#3621
//: version Parquet 1.13.1 with validation on
//: from pypi pyspark 3.5.3
//: jars parquet-column-*.jar parquet-common-*.jar parquet-encoding-*.jar parquet-format-structures-*.jar parquet-hadoop-1*.jar parquet-jackson-*.jar hadoop-client-api-*.jar hadoop-client-runtime-*.jar slf4j-api-2*.jar commons-logging-*.jar commons-pool-1*.jar
//: libraries Parquet
//: options --add-opens=java.base/java.lang=ALL-UNNAMED
//: heap 512m
//: holder previousField|ValidatingRecordConsumer
//: set aside
import java.io.IOException;
import java.io.OutputStream;
import java.util.HashMap;
import java.util.Map;
import org.apache.parquet.example.data.Group;
import org.apache.parquet.example.data.simple.SimpleGroupFactory;
import org.apache.parquet.hadoop.ParquetWriter;
import org.apache.parquet.hadoop.example.ExampleParquetWriter;
import org.apache.parquet.io.OutputFile;
import org.apache.parquet.io.PositionOutputStream;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.MessageTypeParser;

public class TurbineParquet {
    private static final int SENSORS = 40;

    record Turbine(String code, String park, String maker, double[] curve) {}

    /** A store that takes the file; here it only counts. */
    static final class Store extends PositionOutputStream {
        private final OutputStream target = OutputStream.nullOutputStream();
        private long written;

        @Override
        public long getPos() {
            return written;
        }

        @Override
        public void write(int value) throws IOException {
            target.write(value);
            written++;
        }

        @Override
        public void write(byte[] bytes, int from, int count) throws IOException {
            target.write(bytes, from, count);
            written += count;
        }
    }

    static final class StoreFile implements OutputFile {
        @Override
        public PositionOutputStream create(long blockSize) {
            return new Store();
        }

        @Override
        public PositionOutputStream createOrOverwrite(long blockSize) {
            return new Store();
        }

        @Override
        public boolean supportsBlockSize() {
            return false;
        }

        @Override
        public long defaultBlockSize() {
            return 0;
        }
    }

    static final Map<String, Turbine> TURBINES = new HashMap<>();

    public static void main(String[] arguments) throws Exception {
        for (int number = 0; number < 50_000; number++) {
            String code = Corpus.id("turbine", number);
            TURBINES.put(code, new Turbine(code, Corpus.words(2), Corpus.words(1), Corpus.RANDOM.doubles(40).toArray()));
        }
        StringBuilder text = new StringBuilder("message reading { required binary turbine (UTF8); required int64 time;");
        for (int sensor = 0; sensor < SENSORS; sensor++) {
            text.append(" required int32 sensor").append(sensor).append(" (UINT_8);");
        }
        MessageType schema = MessageTypeParser.parseMessageType(text.append(" }").toString());
        SimpleGroupFactory groups = new SimpleGroupFactory(schema);
        ParquetWriter<Group> writer = ExampleParquetWriter.builder(new StoreFile()).withType(schema).withValidation(true).build();
        Corpus.twice(arguments, 40_000, (from, to) -> {
            for (int number = from; number < to; number++) {
                Turbine turbine = TURBINES.get(Corpus.id("turbine", Corpus.RANDOM.nextInt(50_000)));
                Group group = groups.newGroup();
                group.add(0, turbine.code());
                group.add(1, 1_764_000_000L + number);
                for (int sensor = 0; sensor < SENSORS; sensor++) {
                    group.add(2 + sensor, Corpus.RANDOM.nextInt(200));
                }
                writer.write(group);
            }
        });
    }
}
