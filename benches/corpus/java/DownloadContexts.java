//! An archive hands out documents with the HTTP server of the JDK. Each download gets a context of its own, which is not removed after the download.
//! Beside it: the register of documents, and the log of the last downloads.
//: jars
//: libraries jdk.httpserver
//: holder ContextList.list|ServerImpl\.contexts|Archive\.server
//: set tuned
//: leak 3.6
import com.sun.net.httpserver.HttpServer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

public class DownloadContexts {
    record Document(String title, String summary, String[] keywords, int pages) {}

    record Access(String path, String reader, long at) {}

    static final class Archive {
        private final ConcurrentHashMap<Integer, Document> documents = new ConcurrentHashMap<>();
        private final Deque<Access> lastAccesses = new ArrayDeque<>();
        private final HttpServer server;

        Archive() throws Exception {
            for (int number = 0; number < 12_000; number++) {
                documents.put(number, new Document(Corpus.words(5), Corpus.words(18), Corpus.words(4).split(" "), Corpus.RANDOM.nextInt(400)));
            }
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 16);
            ExecutorService workers = Executors.newFixedThreadPool(2);
            server.setExecutor(workers);
            server.start();
        }

        URI offer(int request) {
            Document document = documents.get(Corpus.RANDOM.nextInt(12_000));
            String path = "/download/" + Corpus.id("ticket", request);
            byte[] answer = (document.title() + "\n" + document.summary() + "\n" + Corpus.words(60)).getBytes();
            server.createContext(path, exchange -> {
                exchange.sendResponseHeaders(200, answer.length);
                exchange.getResponseBody().write(answer);
                exchange.close();
            });
            lastAccesses.add(new Access(path, Corpus.words(2), 1_764_000_000_000L + request));
            if (lastAccesses.size() > 1_000) {
                lastAccesses.remove();
            }
            return URI.create("http://127.0.0.1:" + server.getAddress().getPort() + path);
        }
    }

    public static void main(String[] arguments) throws Exception {
        Archive archive = new Archive();
        HttpClient client = HttpClient.newHttpClient();
        Corpus.twice(arguments, 1_500, (from, to) -> {
            for (int request = from; request < to; request++) {
                URI offered = archive.offer(request);
                if (request % 10 == 0) {
                    client.send(HttpRequest.newBuilder(offered).build(), HttpResponse.BodyHandlers.ofByteArray());
                }
            }
        });
    }
}
