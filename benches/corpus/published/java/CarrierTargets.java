//! A shop asks carriers by a Jersey client, and gives each request a property. The client gets a new runtime for each of these targets, and keeps it in its hooks for the end.
//: issue eclipse-ee4j/jersey#3058
//: version Jersey 2.22.2
//: from pypi pyspark 2.1.2
//: jars jersey-client*.jar jersey-common*.jar jersey-guava*.jar javax.ws.rs-api*.jar hk2-*.jar javax.inject*.jar javax.annotation-api*.jar aopalliance-repackaged*.jar javassist*.jar
//: libraries Jersey
//: options --add-opens=java.base/java.lang=ALL-UNNAMED
//: holder JerseyClient\.shutdownHooks|shutdownHooks|Carriers\.client
//: set tuned
import javax.ws.rs.client.Client;
import javax.ws.rs.client.ClientBuilder;
import javax.ws.rs.client.Invocation;
import javax.ws.rs.client.WebTarget;

public class CarrierTargets {
    static final class Carriers {
        final Client client = ClientBuilder.newClient();
        final WebTarget parcels = client.target("http://carrier.example/parcels");
        final long[][] distances = new long[500][800];
        int built;

        void request(int parcel) {
            Invocation invocation = parcels.path(Corpus.id("parcel", parcel)).property("trace", Corpus.id("trace", parcel)).request().buildGet();
            built += invocation == null ? 0 : 1;
        }
    }

    public static void main(String[] arguments) throws Exception {
        Carriers carriers = new Carriers();
        Corpus.twice(arguments, 120, (from, to) -> {
            for (int parcel = from; parcel < to; parcel++) {
                carriers.request(parcel);
            }
        });
    }
}
