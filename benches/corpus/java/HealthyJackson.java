//! Healthy: a gateway of sensors reads and writes JSON with Jackson. The description of each device is kept as a tree, loaded at start; messages
//! are read into objects and dropped.
//: jars jackson-core-2*.jar jackson-databind-2*.jar jackson-annotations-2*.jar
//: libraries Jackson
//: own Devices\.byNumber|Gateway\.averages
//: set tuned
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

public class HealthyJackson {
    public static class Reading {
        public String device;
        public String quantity;
        public double value;
        public long time;
    }

    public static class Message {
        public String gateway;
        public List<Reading> readings = new ArrayList<>();
        public Map<String, String> labels = new HashMap<>();
    }

    static final class Devices {
        final Map<String, JsonNode> byNumber = new HashMap<>();

        Devices(ObjectMapper mapper) throws Exception {
            for (int number = 0; number < 12_000; number++) {
                ObjectNode device = mapper.createObjectNode();
                device.put("title", Corpus.words(3)).put("site", Corpus.words(2)).put("firmware", "4." + number % 30);
                ObjectNode limits = device.putObject("limits");
                for (String quantity : List.of("temperature", "humidity", "pressure", "voltage")) {
                    limits.putObject(quantity).put("low", Corpus.RANDOM.nextInt(20)).put("high", 40 + Corpus.RANDOM.nextInt(60));
                }
                byNumber.put(Corpus.id("device", number), mapper.readTree(mapper.writeValueAsBytes(device)));
            }
        }
    }

    static final class Gateway {
        final ObjectMapper mapper = new ObjectMapper();
        final Devices devices = new Devices(mapper);
        final double[] averages = new double[12_000];
        int alarms;

        Gateway() throws Exception {}

        byte[] received(byte[] json) throws Exception {
            Message message = mapper.readValue(json, Message.class);
            for (Reading reading : message.readings) {
                JsonNode limits = devices.byNumber.get(reading.device).path("limits").path(reading.quantity);
                if (reading.value < limits.path("low").asInt() || reading.value > limits.path("high").asInt()) {
                    alarms++;
                }
                int number = Integer.parseInt(reading.device.substring(7), 16);
                averages[number] = averages[number] * 0.9 + reading.value * 0.1;
            }
            return mapper.writeValueAsBytes(Map.of("accepted", message.readings.size(), "alarms", alarms));
        }
    }

    static Message message(int number) {
        Message message = new Message();
        message.gateway = Corpus.id("gateway", number % 40);
        message.labels.put("site", Corpus.words(2));
        for (int at = 0; at < 10; at++) {
            Reading reading = new Reading();
            reading.device = Corpus.id("device", Corpus.RANDOM.nextInt(12_000));
            reading.quantity = at % 2 == 0 ? "temperature" : "pressure";
            reading.value = Corpus.RANDOM.nextDouble() * 100;
            reading.time = 1000L * number;
            message.readings.add(reading);
        }
        return message;
    }

    public static void main(String[] arguments) throws Exception {
        Gateway gateway = new Gateway();
        Corpus.twice(arguments, 8000, (from, to) -> {
            for (int request = from; request < to; request++) {
                gateway.received(gateway.mapper.writeValueAsBytes(message(request)));
            }
        });
    }
}
