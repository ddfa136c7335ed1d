package portal;

import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.file.Files;
import names.Run;
import org.apache.catalina.core.StandardContext;
import org.apache.catalina.startup.Tomcat;
import org.apache.tomcat.SimpleInstanceManager;

public final class Portal {
    private static void visit(int port, int from, int to) throws Exception {
        for (int number = from; number < to; number++) {
            HttpURLConnection connection = (HttpURLConnection) URI.create("http://127.0.0.1:" + port + "/portal?patient=" + Run.id("patient", number)).toURL().openConnection();
            try (InputStream answer = connection.getInputStream()) {
                answer.readAllBytes();
            }
        }
    }

    public static void main(String[] arguments) throws Exception {
        Run.begin();
        Tomcat tomcat = new Tomcat();
        tomcat.setBaseDir(Files.createTempDirectory("portal").toString());
        tomcat.setPort(0);
        tomcat.getConnector();
        StandardContext context = new StandardContext();
        context.setName("");
        context.setPath("");
        context.setInstanceManager(new SimpleInstanceManager());
        context.addLifecycleListener(event -> context.setConfigured(true));
        context.setSessionTimeout(-1);
        Tomcat.addServlet(context, "portal", new PortalServlet());
        context.addServletMappingDecoded("/portal", "portal");
        tomcat.getHost().addChild(context);
        tomcat.start();
        int port = tomcat.getConnector().getLocalPort();
        visit(port, 0, 1_000);
        Run.before();
        visit(port, 1_000, 9_000);
        Run.end();
        tomcat.stop();
    }
}
