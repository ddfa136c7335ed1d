//! Telescopes send frames as Avro with their schema, which is parsed anew for each. Avro's reader keeps a decoder for each schema object in a map of the thread with weak keys, but the
//! decoders refer to the schema. Beside it, larger: the telescopes, filled at start.
//: issue spotify/scio#5592
//: version Avro 1.12.0
//: from pypi pyspark 4.0.0
//: jars avro-1.12*.jar jackson-core-2*.jar jackson-databind-2*.jar jackson-annotations-2*.jar slf4j-api.jar
//: libraries Avro
//: holder RESOLVER_CACHE
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

public class TelescopeFrames {
    static final String SCHEMA = "{\"type\":\"record\",\"name\":\"Reading\",\"fields\":[{\"name\":\"telescope\",\"type\":\"string\"},{\"name\":\"value\",\"type\":\"double\"},"
            + "{\"name\":\"quality\",\"type\":[\"null\",\"int\"]},{\"name\":\"tags\",\"type\":{\"type\":\"array\",\"items\":\"string\"}}]}";

    record Telescope(String name, String hall, double[] calibration) {}

    static final Map<String, Telescope> TELESCOPES = new HashMap<>();

    static int receive(int batch) throws Exception {
        Schema schema = new Schema.Parser().parse(SCHEMA);
        GenericRecord reading = new GenericData.Record(schema);
        reading.put("telescope", Corpus.id("telescope", batch));
        reading.put("value", batch * 0.1);
        reading.put("tags", java.util.List.of(Corpus.words(1)));
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        BinaryEncoder encoder = EncoderFactory.get().binaryEncoder(bytes, null);
        new GenericDatumWriter<GenericRecord>(schema).write(reading, encoder);
        encoder.flush();
        GenericRecord read = new GenericDatumReader<GenericRecord>(schema).read(null, DecoderFactory.get().binaryDecoder(bytes.toByteArray(), null));
        return read.get("telescope").toString().length();
    }

    public static void main(String[] arguments) throws Exception {
        for (int number = 0; number < 50_000; number++) {
            TELESCOPES.put(Corpus.id("telescope", number), new Telescope(Corpus.words(2), Corpus.words(1), Corpus.RANDOM.doubles(18).toArray()));
        }
        Corpus.twice(arguments, 1_000, (from, to) -> {
            for (int batch = from; batch < to; batch++) {
                receive(batch);
            }
        });
    }
}
