//! A node of a grid starts a browser for each test and stops it afterwards. Each session registers itself with JMX, and is never unregistered. The browser here is a small server
//! that answers as a driver does.
//: issue SeleniumHQ/selenium#6808
//: version Selenium 3.141.59
//: from npm selenium-server 3.141.59
//: jars selenium-server-standalone*.jar
//: libraries Selenium
//: holder domainTb|Repository|JmxMBeanServer|mbsInterceptor|MBeanServerFactory|platformMBeanServer
//: set tuned
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.sun.net.httpserver.HttpServer;
import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.util.EnumSet;
import java.util.logging.LogManager;
import org.openqa.selenium.ImmutableCapabilities;
import org.openqa.selenium.grid.session.ActiveSession;
import org.openqa.selenium.grid.session.remote.ServicedSession;
import org.openqa.selenium.remote.Dialect;
import org.openqa.selenium.remote.service.DriverService;

public class GridSessions {
    static int port;
    static int sessions;

    /** A driver that runs already. */
    public static class RunningDriver extends DriverService {
        public RunningDriver() throws IOException {
            super(new File("/bin/true"), port, ImmutableList.of(), ImmutableMap.of());
        }

        public static RunningDriver createDefaultService() throws IOException {
            return new RunningDriver();
        }

        @Override
        protected URL getUrl(int ignored) throws IOException {
            return new URL("http://127.0.0.1:" + port);
        }

        @Override
        public void start() {}

        @Override
        public void stop() {}
    }

    public static void main(String[] arguments) throws Exception {
        LogManager.getLogManager().reset();
        HttpServer browser = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        browser.createContext("/", exchange -> {
            exchange.getRequestBody().readAllBytes();
            byte[] answer = ("{\"value\":{\"sessionId\":\"" + Corpus.id("session", sessions++) + Long.toHexString(Corpus.RANDOM.nextLong())
                    + "\",\"capabilities\":{\"browserName\":\"chrome\",\"platformName\":\"linux\",\"browserVersion\":\"99." + sessions + "\"}}}").getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().set("Content-Type", "application/json; charset=utf-8");
            exchange.sendResponseHeaders(200, answer.length);
            exchange.getResponseBody().write(answer);
            exchange.close();
        });
        browser.start();
        port = browser.getAddress().getPort();
        ServicedSession.Factory factory = new ServicedSession.Factory(capabilities -> true, RunningDriver.class.getName());
        Corpus.twice(arguments, 400, (from, to) -> {
            for (int number = from; number < to; number++) {
                ActiveSession session = factory.apply(EnumSet.of(Dialect.W3C), new ImmutableCapabilities("browserName", "chrome")).orElseThrow();
                session.stop();
            }
        });
    }
}
