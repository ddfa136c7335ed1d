//! A carrier tells shops of their parcels with OkHttp. One shop accepts connections and never answers; calls to it wait in the dispatcher, which
//! lets five through. Beside it, much larger: parcels on their way, which come and go, the tracks of the day, and depots.
//: jars okhttp-3*.jar okio-1*.jar
//: libraries OkHttp
//: holder Dispatcher\.(readyAsyncCalls|runningAsyncCalls)|OkHttpClient\.dispatcher|HookSender\.client
//: set tuned
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Phaser;
import java.util.concurrent.TimeUnit;
import okhttp3.Call;
import okhttp3.Callback;
import okhttp3.MediaType;
import okhttp3.OkHttpClient;
import okhttp3.Protocol;
import okhttp3.Request;
import okhttp3.RequestBody;
import okhttp3.Response;
import okhttp3.ResponseBody;

public class ParcelWebhooks {
    static final MediaType JSON = MediaType.parse("application/json");

    static final class Parcel {
        final String number;
        final String shop;
        final String address;
        final List<String> events = new ArrayList<>();

        Parcel(int number) {
            this.number = Corpus.id("parcel", number);
            shop = "shop" + number % 40;
            address = Corpus.words(5);
            events.add("accepted at " + Corpus.words(2));
        }
    }

    static final class HookSender {
        private final OkHttpClient client;
        private final Phaser underWay = new Phaser(1);

        HookSender() {
            CountDownLatch never = new CountDownLatch(1);
            // Stands for the network: one shop keeps its callers waiting.
            client = new OkHttpClient.Builder().readTimeout(0, TimeUnit.SECONDS).addInterceptor(chain -> {
                if (chain.request().url().host().startsWith("shop7.")) {
                    try {
                        never.await();
                    } catch (InterruptedException stopped) {
                        throw new IOException(stopped);
                    }
                }
                return new Response.Builder().request(chain.request()).protocol(Protocol.HTTP_1_1).code(200).message("OK").body(ResponseBody.create(JSON, "{}")).build();
            }).build();
        }

        void send(Parcel parcel, String event) {
            String body = "{\"parcel\":\"" + parcel.number + "\",\"event\":\"" + event + "\",\"address\":\"" + parcel.address + "\",\"text\":\"" + Corpus.words(30) + "\"}";
            Request request = new Request.Builder().url("https://" + parcel.shop + ".example/hooks/parcels").header("X-Signature", Long.toHexString(Corpus.RANDOM.nextLong()))
                    .post(RequestBody.create(JSON, body)).build();
            boolean answered = !parcel.shop.equals("shop7");
            if (answered) {
                underWay.register();
            }
            client.newCall(request).enqueue(new Callback() {
                @Override
                public void onFailure(Call call, IOException error) {
                    parcel.events.add("hook failed: " + error.getMessage());
                    underWay.arriveAndDeregister();
                }

                @Override
                public void onResponse(Call call, Response response) {
                    response.close();
                    underWay.arriveAndDeregister();
                }
            });
            underWay.arriveAndAwaitAdvance();
        }
    }

    static final class Carrier {
        private final HookSender hooks = new HookSender();
        private final Map<String, Parcel> underWay = new HashMap<>();
        private final ArrayDeque<String> order = new ArrayDeque<>();
        private final Map<String, float[]> tracksByVan = new HashMap<>();
        private final List<String[]> depots = new ArrayList<>();

        Carrier() {
            for (int depot = 0; depot < 12_000; depot++) {
                depots.add(new String[] {Corpus.id("depot", depot), Corpus.words(3), Corpus.words(6)});
            }
            for (int van = 0; van < 700; van++) {
                tracksByVan.put(Corpus.id("van", van), new float[2_880]);
            }
            for (int number = 0; number < 30_000; number++) {
                accept(new Parcel(number));
            }
        }

        private void accept(Parcel parcel) {
            underWay.put(parcel.number, parcel);
            order.add(parcel.number);
        }

        void scan(int request) {
            accept(new Parcel(30_000 + request));
            Parcel delivered = underWay.remove(order.poll());
            String event = "delivered by " + depots.get(Corpus.RANDOM.nextInt(depots.size()))[1];
            delivered.events.add(event);
            tracksByVan.get(Corpus.id("van", request % 700))[request % 2_880] = Corpus.RANDOM.nextFloat();
            hooks.send(delivered, event);
        }
    }

    public static void main(String[] arguments) throws Exception {
        Carrier carrier = new Carrier();
        Corpus.twice(arguments, 14_000, (from, to) -> {
            for (int request = from; request < to; request++) {
                carrier.scan(request);
            }
        });
    }
}
