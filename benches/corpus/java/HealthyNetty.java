//! Healthy: an HTTP server of Netty answers from a table of products that was filled at start; each connection is closed, each buffer released.
//: jars netty-buffer-4*.jar netty-codec-4*.jar netty-codec-http-4*.jar netty-common-4*.jar netty-handler-4*.jar netty-resolver-4*.jar netty-transport-4*.jar netty-transport-native-unix-common-4*.jar
//: libraries Netty
//: own Catalogue\.byPath
//: set tuned
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.codec.http.HttpVersion;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;

public class HealthyNetty {
    static final class Product {
        final String title = Corpus.words(4);
        final String text = Corpus.words(30);
        final int cents = Corpus.RANDOM.nextInt(20_000);

        byte[] page() {
            return ("{\"title\":\"" + title + "\",\"cents\":" + cents + ",\"text\":\"" + text + "\"}").getBytes(StandardCharsets.UTF_8);
        }
    }

    static final class Catalogue {
        final Map<String, Product> byPath = new HashMap<>();

        Catalogue(int count) {
            for (int number = 0; number < count; number++) {
                byPath.put("/products/" + number, new Product());
            }
        }
    }

    static final class ProductHandler extends SimpleChannelInboundHandler<FullHttpRequest> {
        private final Catalogue catalogue;

        ProductHandler(Catalogue catalogue) {
            this.catalogue = catalogue;
        }

        @Override
        protected void channelRead0(ChannelHandlerContext context, FullHttpRequest request) {
            Product product = catalogue.byPath.get(request.uri());
            byte[] page = product == null ? new byte[0] : product.page();
            ByteBuf body = context.alloc().buffer(page.length).writeBytes(page);
            HttpResponseStatus status = product == null ? HttpResponseStatus.NOT_FOUND : HttpResponseStatus.OK;
            FullHttpResponse response = new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, status, body);
            response.headers().set("Content-Type", "application/json").set("Content-Length", page.length).set("Connection", "close");
            context.writeAndFlush(response).addListener(ChannelFutureListener.CLOSE);
        }
    }

    static Channel serve(Catalogue catalogue) throws Exception {
        ServerBootstrap bootstrap = new ServerBootstrap().group(new NioEventLoopGroup(1), new NioEventLoopGroup(2));
        bootstrap.channel(NioServerSocketChannel.class).childHandler(new ChannelInitializer<SocketChannel>() {
            @Override
            protected void initChannel(SocketChannel channel) {
                channel.pipeline().addLast(new HttpServerCodec(), new HttpObjectAggregator(65536), new ProductHandler(catalogue));
            }
        });
        return bootstrap.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0)).sync().channel();
    }

    public static void main(String[] arguments) throws Exception {
        Channel server = serve(new Catalogue(24000));
        int port = ((InetSocketAddress) server.localAddress()).getPort();
        Corpus.twice(arguments, 800, (from, to) -> {
            for (int request = from; request < to; request++) {
                URL url = new URL("http", "127.0.0.1", port, "/products/" + Corpus.RANDOM.nextInt(24000));
                HttpURLConnection connection = (HttpURLConnection) url.openConnection();
                try (InputStream body = connection.getInputStream()) {
                    body.readAllBytes();
                }
            }
            Thread.sleep(300);
        });
    }
}
