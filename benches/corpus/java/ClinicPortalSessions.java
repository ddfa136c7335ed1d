//! Tomcat sessions without a timeout: kiosks ignore cookies, so each request makes a session. The catalogue of drugs is large and
//! legitimate.
//: jars tomcat10-embed-core.jar
//: libraries Tomcat
//: holder (ManagerBase|StandardManager)\.sessions
//: set tuned
//: leak 8.1
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpSession;
import java.io.IOException;
import java.io.InputStream;
import java.io.Serializable;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.catalina.core.StandardContext;
import org.apache.catalina.startup.Tomcat;
import org.apache.tomcat.SimpleInstanceManager;

/** The portal of a clinic: kiosks in the hall ask for appointments of a patient. */
public class ClinicPortalSessions {
    static final class Drug {
        final String code;
        final String name = Corpus.words(2);
        final String leaflet = Corpus.words(40);
        final int[] interactions = Corpus.RANDOM.ints(8, 0, 40_000).toArray();

        Drug(int number) {
            code = Corpus.id("drug", number);
        }
    }

    static final class Appointment implements Serializable {
        final String doctor = Corpus.words(2);
        final String reason = Corpus.words(6);
        final long time = 1_790_000_000_000L + Corpus.RANDOM.nextInt();
    }

    static final class Patient implements Serializable {
        final String number;
        final String address = Corpus.words(5);
        final List<Appointment> appointments = new ArrayList<>();

        Patient(String number) {
            this.number = number;
            for (int appointment = 0; appointment < 6; appointment++) {
                appointments.add(new Appointment());
            }
        }
    }

    static final class PortalServlet extends HttpServlet {
        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
            HttpSession session = request.getSession(true);
            Patient patient = new Patient(request.getParameter("patient"));
            session.setAttribute("patient", patient);
            session.setAttribute("language", request.getHeader("Accept-Language"));
            Drug drug = DRUGS.get(Corpus.id("drug", Corpus.RANDOM.nextInt(DRUGS.size())));
            response.setContentType("text/plain");
            response.getWriter().println(patient.appointments.get(0).doctor + ": " + drug.name);
        }
    }

    static final Map<String, Drug> DRUGS = new HashMap<>();

    static void ask(int port, int patient) throws IOException {
        URI address = URI.create("http://localhost:" + port + "/portal/appointments?patient=" + Corpus.id("patient", patient));
        HttpURLConnection connection = (HttpURLConnection) address.toURL().openConnection();
        connection.setRequestProperty("Accept-Language", "de-CH,de;q=0.9");
        try (InputStream answer = connection.getInputStream()) {
            answer.readAllBytes();
        }
    }

    public static void main(String[] arguments) throws Exception {
        for (int number = 0; number < 40_000; number++) {
            Drug drug = new Drug(number);
            DRUGS.put(drug.code, drug);
        }
        Path base = Files.createDirectories(Path.of(arguments[0]).toAbsolutePath().resolveSibling("base"));
        Tomcat tomcat = new Tomcat();
        tomcat.setBaseDir(base.toString());
        tomcat.setPort(0);
        StandardContext context = new StandardContext();
        context.setName("");
        context.setPath("");
        context.setDocBase(base.toString());
        context.setInstanceManager(new SimpleInstanceManager());
        context.addLifecycleListener(event -> context.setConfigured(true));
        context.setSessionTimeout(-1);
        Tomcat.addServlet(context, "portal", new PortalServlet());
        context.addServletMappingDecoded("/portal/*", "portal");
        tomcat.getHost().addChild(context);
        tomcat.getConnector();
        tomcat.start();
        int port = tomcat.getConnector().getLocalPort();
        Corpus.twice(arguments, 1_500, (from, to) -> {
            for (int number = from; number < to; number++) {
                ask(port, number);
            }
        });
    }
}
