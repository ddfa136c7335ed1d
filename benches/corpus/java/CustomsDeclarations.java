//! Declarations of goods as Avro messages. Forwarders add reference fields of their own, so schemas are registered all the time at the one
//! decoder, which forgets none. Beside it: the tariff as Avro records, the open declarations, which come and go, and duties by day.
//: jars avro-1*.jar jackson-core-2*.jar jackson-databind-2*.jar jackson-annotations-2*.jar slf4j-api.jar slf4j-nop.jar
//: libraries Avro
//: holder DeclarationIntake\.decoder|BinaryMessageDecoder\.codecByFingerprint|GenericDatumReader\.RESOLVER_CACHE
//: set tuned
//: leak 8.1
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.avro.Schema;
import org.apache.avro.SchemaBuilder;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.message.BinaryMessageDecoder;
import org.apache.avro.message.BinaryMessageEncoder;

public class CustomsDeclarations {
    static final Schema DECLARATION = schema(null);
    static final Schema TARIFF = SchemaBuilder.record("Tariff").namespace("org.customs").fields().requiredString("code").requiredString("goods")
            .requiredDouble("duty").requiredString("note").endRecord();

    static Schema schema(String reference) {
        var fields = SchemaBuilder.record("Declaration").namespace("org.customs").fields().requiredString("number").requiredString("forwarder")
                .requiredString("goods").requiredInt("kilograms").requiredString("origin");
        return (reference == null ? fields : fields.requiredString(reference)).endRecord();
    }

    /** What forwarders send: bytes, and before their first message the schema. */
    static final class Forwarder {
        final String name = Corpus.words(2);
        private int release;
        private Schema schema;

        Schema upgrade(int request) {
            schema = schema("ref_" + name.replace(' ', '_') + "_" + Integer.toHexString(request) + "_" + release++);
            return schema;
        }

        ByteBuffer send(int request) throws Exception {
            GenericRecord record = new GenericData.Record(schema);
            record.put("number", Corpus.id("declaration", request));
            record.put("forwarder", name);
            record.put("goods", Corpus.words(4));
            record.put("kilograms", Corpus.RANDOM.nextInt(20_000));
            record.put("origin", Corpus.words(1));
            record.put(schema.getFields().size() - 1, Corpus.words(2));
            return new BinaryMessageEncoder<GenericRecord>(GenericData.get(), schema).encode(record);
        }
    }

    static final class DeclarationIntake {
        private final BinaryMessageDecoder<GenericRecord> decoder = new BinaryMessageDecoder<>(GenericData.get(), DECLARATION);

        void announce(Schema schema) {
            decoder.addSchema(schema);
        }

        GenericRecord read(ByteBuffer message) throws Exception {
            return decoder.decode(message);
        }
    }

    static final class CustomsOffice {
        private final DeclarationIntake intake = new DeclarationIntake();
        private final List<GenericRecord> tariff = new ArrayList<>();
        private final Map<String, GenericRecord> open = new LinkedHashMap<>();
        private final TreeMap<Integer, double[]> dutiesByDay = new TreeMap<>();
        private final List<Forwarder> forwarders = new ArrayList<>();

        CustomsOffice() {
            for (int code = 0; code < 52_000; code++) {
                GenericRecord entry = new GenericData.Record(TARIFF);
                entry.put("code", String.format("%04d.%02d", code / 100, code % 100));
                entry.put("goods", Corpus.words(4));
                entry.put("duty", Corpus.RANDOM.nextInt(3000) / 100.0);
                entry.put("note", Corpus.words(6));
                tariff.add(entry);
            }
            for (int number = 0; number < 150; number++) {
                forwarders.add(new Forwarder());
            }
        }

        void handle(int request) throws Exception {
            Forwarder forwarder = forwarders.get(request % forwarders.size());
            if (forwarder.schema == null || request % 10 == 0) {
                intake.announce(forwarder.upgrade(request));
            }
            GenericRecord declaration = intake.read(forwarder.send(request));
            open.put(declaration.get("number").toString(), declaration);
            // Officers release the oldest ones.
            while (open.size() > 2_500 + request % 200) {
                open.remove(open.keySet().iterator().next());
            }
            dutiesByDay.computeIfAbsent(request / 100, day -> new double[24 * 60])[request % 1440] += (Double) tariff.get(request * 31 % tariff.size()).get("duty");
            if (dutiesByDay.size() > 20) {
                dutiesByDay.pollFirstEntry();
            }
        }
    }

    public static void main(String[] arguments) throws Exception {
        CustomsOffice office = new CustomsOffice();
        Corpus.twice(arguments, 3_000, (from, to) -> {
            for (int request = from; request < to; request++) {
                office.handle(request);
            }
        });
    }
}
