package crawler;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketAddress;
import java.nio.channels.SocketChannel;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/** Connections to sites. A lease that is never given back stays open. */
final class ConnectionPool {
    static final Deque<Lease> leased = new ArrayDeque<>();
    static final List<SocketChannel> watched = new ArrayList<>();

    static void lease(String site, SocketAddress address) throws IOException {
        Socket socket = new Socket();
        socket.connect(address);
        leased.add(new Lease(site, socket));
    }

    static void watch(InetSocketAddress address) throws IOException {
        watched.add(SocketChannel.open(address));
    }

    static void closeLeases() {
        leased.forEach(Lease::close);
        leased.clear();
    }

    static final class Lease {
        private final String site;
        private final Socket socket;

        Lease(String site, Socket socket) {
            this.site = site;
            this.socket = socket;
        }

        void close() {
            try {
                socket.close();
            } catch (IOException e) {
                throw new IllegalStateException(site, e);
            }
        }
    }
}
