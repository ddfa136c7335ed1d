import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Writes the sources of classes that are all alike: parts of a plug-in and a pricing rule. */
public final class Generate {
    private static final int PARTS = 12;
    private static final int METHODS = 40;
    private static final int STEPS = 100;

    public static void main(String[] args) throws IOException {
        Path plugin = Files.createDirectories(Path.of(args[0], "plugins", "impl"));
        for (int part = 0; part < PARTS; part++) {
            Files.writeString(plugin.resolve("Part" + part + ".java"), part(part));
        }
        Path rules = Files.createDirectories(Path.of(args[0], "rules"));
        Files.writeString(rules.resolve("Discount.java"), rule());
    }

    /** A part of a plug-in: constants and methods make most of the metadata of a class. */
    private static String part(int part) {
        StringBuilder text = new StringBuilder("package plugins.impl;\n");
        text.append("public class Part").append(part).append(" implements Runnable {\n");
        text.append("  public long total;\n  public void run() {\n");
        for (int method = 0; method < METHODS; method++) {
            text.append("    total += export" + method + "(\"row\", " + method + ");\n");
        }
        text.append("  }\n");
        for (int method = 0; method < METHODS; method++) {
            text.append("  long export" + method + "(String name, int row) {\n");
            text.append("    String line = \"part " + part + " column " + method + ": \" + name;\n");
            text.append("    return line.length() * " + (method * 31L + part) + "L + row;\n  }\n");
        }
        return text.append("}\n").toString();
    }

    /** A rule with arithmetic and branches that the compilers cannot fold away. */
    private static String rule() {
        StringBuilder text = new StringBuilder("package rules;\n");
        text.append("public class Discount implements java.util.function.LongUnaryOperator {\n");
        text.append("  public long applyAsLong(long price) {\n    long sum = price;\n");
        for (int step = 0; step < STEPS; step++) {
            text.append("    if ((sum & " + (1 << step % 12) + ") != 0) sum = sum * " + (step * 7 + 3));
            text.append(" + price / " + (step + 2) + "; else sum ^= price << " + (step % 13) + ";\n");
        }
        return text.append("    return sum;\n  }\n}\n").toString();
    }
}
