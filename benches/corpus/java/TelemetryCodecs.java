//! Telemetry of devices. A Gson with its own adapters is kept for each device; the key has no equals, so none is found again.
//! Beside it: the newest readings of each device in rings of fixed length, and the list of sites.
//: jars gson.jar
//: libraries Gson
//: holder Codecs\.byDevice
//: set tuned
import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.TypeAdapter;
import com.google.gson.stream.JsonReader;
import com.google.gson.stream.JsonWriter;
import java.io.IOException;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

public class TelemetryCodecs {
    static final int DEVICES = 600;

    /** Which codec a device needs. Two equal keys are not the same to a map. */
    static final class DeviceKey {
        final String model;
        final int firmware;

        DeviceKey(String model, int firmware) {
            this.model = model;
            this.firmware = firmware;
        }
    }

    record Temperature(double celsius) {}

    static final class Reading {
        String device;
        long at;
        Temperature temperature;
        Map<String, String> labels = new HashMap<>();
    }

    static final class TemperatureAdapter extends TypeAdapter<Temperature> {
        final double offset;

        TemperatureAdapter(double offset) {
            this.offset = offset;
        }

        @Override
        public void write(JsonWriter out, Temperature value) throws IOException {
            out.value(value.celsius() - offset);
        }

        @Override
        public Temperature read(JsonReader in) throws IOException {
            return new Temperature(in.nextDouble() + offset);
        }
    }

    static final class Codecs {
        private final Map<DeviceKey, Gson> byDevice = new ConcurrentHashMap<>();

        Gson get(String model, int firmware) {
            return byDevice.computeIfAbsent(new DeviceKey(model, firmware), key -> new GsonBuilder()
                    .registerTypeAdapter(Temperature.class, new TemperatureAdapter(key.firmware % 3 * 0.1))
                    .serializeNulls()
                    .create());
        }
    }

    static final class Ring {
        final Reading[] readings = new Reading[24];
        int next;

        void add(Reading reading) {
            readings[next++ % readings.length] = reading;
        }
    }

    static final class Collector {
        final Codecs codecs = new Codecs();
        final Map<String, Ring> newest = new LinkedHashMap<>();

        void receive(int message, String json) {
            Reading reading = codecs.get("tx-" + message % 5, message % 8).fromJson(json, Reading.class);
            newest.computeIfAbsent(reading.device, device -> new Ring()).add(reading);
        }
    }

    static String json(int message) {
        return "{\"device\":\"" + Corpus.id("device", message % DEVICES) + "\",\"at\":" + (1_795_000_000L + message)
                + ",\"temperature\":" + (message % 300) / 10.0 + ",\"labels\":{\"site\":\"" + Corpus.words(2)
                + "\",\"line\":\"" + Corpus.words(1) + "\"}}";
    }

    public static void main(String[] arguments) throws Exception {
        Collector collector = new Collector();
        // Readings of the last day, from the archive: one codec for all of them.
        Gson archive = new GsonBuilder().registerTypeAdapter(Temperature.class, new TemperatureAdapter(0)).create();
        for (int message = 0; message < DEVICES * 24; message++) {
            Reading reading = archive.fromJson(json(message), Reading.class);
            collector.newest.computeIfAbsent(reading.device, device -> new Ring()).add(reading);
        }
        Corpus.twice(arguments, 800, (from, to) -> {
            for (int message = from; message < to; message++) {
                collector.receive(message, json(message));
            }
        });
    }
}
