package bench;

import java.util.List;
import java.util.Map;

/** Writes maps, lists, strings and numbers as JSON. */
final class Json {
    static String text(Object value) {
        StringBuilder out = new StringBuilder();
        write(value, "\n", out);
        return out.append('\n').toString();
    }

    private static void write(Object value, String indent, StringBuilder out) {
        if (value instanceof Map<?, ?> map) {
            String separator = "{";
            for (Map.Entry<?, ?> entry : map.entrySet()) {
                out.append(separator).append(indent).append("  ");
                write(entry.getKey(), indent, out);
                out.append(": ");
                write(entry.getValue(), indent + "  ", out);
                separator = ",";
            }
            out.append(map.isEmpty() ? "{}" : indent + "}");
        } else if (value instanceof List<?> list) {
            String separator = "[";
            for (Object item : list) {
                out.append(separator).append(indent).append("  ");
                write(item, indent + "  ", out);
                separator = ",";
            }
            out.append(list.isEmpty() ? "[]" : indent + "]");
        } else if (value instanceof String text) {
            out.append('"').append(text.replace("\\", "\\\\").replace("\"", "\\\"")).append('"');
        } else {
            out.append(value);
        }
    }
}
