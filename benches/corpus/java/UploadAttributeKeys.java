//! Netty keeps each attribute key for ever; this photo store makes a key of the name of each upload. A bounded cache of
//! thumbnails is large and legitimate.
//: jars netty-common*.jar netty-buffer*.jar netty-transport-4*.jar netty-resolver*.jar
//: libraries Netty
//: holder AttributeKey(\$1)?\.(pool|constants)|ConstantPool\.constants
//: set tuned
//: leak 14.0
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.util.AttributeKey;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;

/** A store of photos: clients send some uploads over a connection, then close it. */
public class UploadAttributeKeys {
    static final class Upload {
        final String name;
        final int bytes;
        boolean stored;

        Upload(String name, int bytes) {
            this.name = name;
            this.bytes = bytes;
        }
    }

    static final class Thumbnail {
        final String name;
        final byte[] pixels = new byte[6_000];

        Thumbnail(String name) {
            this.name = name;
            Corpus.RANDOM.nextBytes(pixels);
        }
    }

    /** The thumbnails seen last, never more than `limit`. */
    static final class Thumbnails extends LinkedHashMap<String, Thumbnail> {
        private final int limit;

        Thumbnails(int limit) {
            super(16, 0.75f, true);
            this.limit = limit;
        }

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Thumbnail> eldest) {
            return size() > limit;
        }
    }

    static final class UploadHandler extends SimpleChannelInboundHandler<ByteBuf> {
        @Override
        protected void channelRead0(ChannelHandlerContext context, ByteBuf data) {
            String name = data.toString(StandardCharsets.UTF_8);
            AttributeKey<Upload> key = AttributeKey.valueOf("upload:" + name);
            context.channel().attr(key).set(new Upload(name, 100_000 + Corpus.RANDOM.nextInt(900_000)));
            finish(context, key);
        }

        private void finish(ChannelHandlerContext context, AttributeKey<Upload> key) {
            Upload upload = context.channel().attr(key).getAndSet(null);
            upload.stored = true;
            stored++;
            if (stored % 5 == 0) {
                THUMBNAILS.put(upload.name, new Thumbnail(upload.name));
            }
        }
    }

    static final Thumbnails THUMBNAILS = new Thumbnails(3_000);
    static long stored;

    public static void main(String[] arguments) throws Exception {
        for (int number = 0; number < 3_000; number++) {
            String name = "albums/popular/" + Corpus.id("img", number) + ".jpg";
            THUMBNAILS.put(name, new Thumbnail(name));
        }
        Corpus.twice(arguments, 2_500, (from, to) -> {
            for (int number = from; number < to; number++) {
                EmbeddedChannel connection = new EmbeddedChannel(new UploadHandler());
                String album = "albums/" + Corpus.words(3).replace(' ', '-') + "/" + Corpus.id("batch", number);
                for (int photo = 0; photo < 12; photo++) {
                    String name = album + "/IMG_" + (1000 + photo) + ".jpg";
                    connection.writeInbound(Unpooled.copiedBuffer(name, StandardCharsets.UTF_8));
                }
                connection.finishAndReleaseAll();
            }
        });
    }
}
