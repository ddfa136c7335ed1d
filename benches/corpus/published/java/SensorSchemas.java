//! Sensors send Avro with their schema, which is parsed anew for each batch. Avro's fast reader keeps a reader for each schema object in a map with weak keys, but the readers refer to
//! the schema. Beside it, larger: the sensors, filled at start.
//: issue AbsaOSS/ABRiS#379
//: version Avro 1.11.2 with its fast reader on (AVRO-3524)
//: from pypi pyspark 3.5.3
//: jars avro-1.11*.jar jackson-core-2*.jar jackson-databind-2*.jar jackson-annotations-2*.jar slf4j-api.jar
//: libraries Avro
//: options -Dorg.apache.avro.fastread=true
//: holder FastReaderBuilder|readerCache|GenericData\.INSTANCE|GenericData\.fastReaderBuilder
//: set tuned
import java.io.ByteArrayOutputStream;
import java.util.HashMap;
import java.util.Map;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericDatumReader;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.DecoderFactory;
import org.apache.avro.io.EncoderFactory;

public class SensorSchemas {
    static final String SCHEMA = "{\"type\":\"record\",\"name\":\"Reading\",\"fields\":[{\"name\":\"sensor\",\"type\":\"string\"},{\"name\":\"value\",\"type\":\"double\"},"
            + "{\"name\":\"quality\",\"type\":[\"null\",\"int\"]},{\"name\":\"tags\",\"type\":{\"type\":\"array\",\"items\":\"string\"}}]}";

    record Sensor(String name, String hall, double[] calibration) {}

    static final Map<String, Sensor> SENSORS = new HashMap<>();

    static int receive(int batch) throws Exception {
        Schema schema = new Schema.Parser().parse(SCHEMA);
        GenericRecord reading = new GenericData.Record(schema);
        reading.put("sensor", Corpus.id("sensor", batch));
        reading.put("value", batch * 0.1);
        reading.put("tags", java.util.List.of(Corpus.words(1)));
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        BinaryEncoder encoder = EncoderFactory.get().binaryEncoder(bytes, null);
        new GenericDatumWriter<GenericRecord>(schema).write(reading, encoder);
        encoder.flush();
        GenericRecord read = new GenericDatumReader<GenericRecord>(schema).read(null, DecoderFactory.get().binaryDecoder(bytes.toByteArray(), null));
        return read.get("sensor").toString().length();
    }

    public static void main(String[] arguments) throws Exception {
        for (int number = 0; number < 50_000; number++) {
            SENSORS.put(Corpus.id("sensor", number), new Sensor(Corpus.words(2), Corpus.words(1), Corpus.RANDOM.doubles(18).toArray()));
        }
        Corpus.twice(arguments, 1_000, (from, to) -> {
            for (int batch = from; batch < to; batch++) {
                receive(batch);
            }
        });
    }
}
