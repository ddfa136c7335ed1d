package crawler;

import bench.Program;
import bench.Truth;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Descriptors: 300 leased sockets, 40 watched channels, 120 files and 30 indexes. The other end is the program itself. */
public final class Connections implements Program {
    private static final int LEASED = 300;
    private static final int WATCHED = 40;
    private static final int PAGES = 120;
    private static final int INDEXES = 30;
    private static final PageArchive archive = new PageArchive();
    private static final List<Socket> site = new ArrayList<>();
    private static final List<Object> closed = new ArrayList<>();

    @Override
    public void start(Path work) throws Exception {
        ServerSocket server = new ServerSocket(0, 1024, InetAddress.getLoopbackAddress());
        InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), server.getLocalPort());
        for (int index = 0; index < LEASED; index++) {
            ConnectionPool.lease("site-" + index, address);
            site.add(server.accept());
        }
        for (int index = 0; index < WATCHED; index++) {
            ConnectionPool.watch(address);
            site.add(server.accept());
        }
        for (int index = 0; index < PAGES; index++) {
            archive.open(work, "page-" + index);
            closed.add(archive.closed(work));
        }
        for (int index = 0; index < INDEXES; index++) {
            archive.openIndex(work, "index-" + index);
        }
    }

    @Override
    public List<Step> fix() {
        return List.of(new Step("close crawler.ConnectionPool.leased", ConnectionPool::closeLeases));
    }

    @Override
    public Map<String, Object> truth() {
        return new Truth("descriptors", "crawler.ConnectionPool.leased", null)
                .and("leased", LEASED)
                .and("watched", WATCHED)
                .and("accepted", LEASED + WATCHED)
                .and("server_sockets", 1)
                .and("pages", PAGES)
                .and("indexes", INDEXES)
                .and("closed_files", PAGES);
    }
}
