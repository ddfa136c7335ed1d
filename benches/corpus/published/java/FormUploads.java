//! Forms with long texts come to a server of Netty, which writes them into temporary files and names each file for deletion at the end of the virtual machine. The names stay
//! after the files are gone. Beside it, larger: the offices, filled at start.
//: issue netty/netty#10351
//: version Netty 4.1.51
//: from pypi pyspark 3.1.1
//: jars netty-all-4.1.51*.jar
//: libraries Netty
//: holder DeleteOnExitHook
//: set tuned
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.DefaultFullHttpRequest;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.multipart.DefaultHttpDataFactory;
import io.netty.handler.codec.http.multipart.HttpPostRequestDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

public class FormUploads {
    record Bureau(String name, String town, int[] hours) {}

    static final class Forms {
        final List<Bureau> bureaus = new ArrayList<>();
        final DefaultHttpDataFactory factory = new DefaultHttpDataFactory(1_024);

        Forms() {
            factory.setDeleteOnExit(true);
            for (int number = 0; number < 9_000; number++) {
                bureaus.add(new Bureau(Corpus.words(2), Corpus.words(1), Corpus.RANDOM.ints(14, 6, 20).toArray()));
            }
        }

        int receive(int number) throws Exception {
            String body = "person=" + Corpus.id("person", number) + "&text=" + "x".repeat(1_200);
            DefaultFullHttpRequest request = new DefaultFullHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.POST, "/forms",
                    Unpooled.copiedBuffer(body, StandardCharsets.UTF_8));
            request.headers().set("Content-Type", "application/x-www-form-urlencoded");
            HttpPostRequestDecoder decoder = new HttpPostRequestDecoder(factory, request);
            int fields = decoder.getBodyHttpDatas().size();
            factory.cleanRequestHttpData(request);
            decoder.destroy();
            request.release();
            return fields;
        }
    }

    static Forms forms;

    public static void main(String[] arguments) throws Exception {
        forms = new Forms();
        Corpus.twice(arguments, 1_200, (from, to) -> {
            for (int number = from; number < to; number++) {
                forms.receive(number);
            }
        });
    }
}
