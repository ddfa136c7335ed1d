package bench;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Starts one program, prints READY and then obeys commands from standard input.
 *
 * The recorder looks at the process between READY and the first command, so nothing that measures
 * (JMX, JSON) is loaded before: it would be part of the heap and of the metaspace.
 */
public final class Main {
    public static void main(String[] args) throws Exception {
        Program program = (Program) Class.forName(args[0]).getDeclaredConstructor().newInstance();
        program.start(Path.of(args[1]));
        System.out.println("READY");
        BufferedReader commands = new BufferedReader(new InputStreamReader(System.in));
        String line;
        while ((line = commands.readLine()) != null && !line.equals("quit")) {
            String[] command = line.split(" ", 2);
            switch (command[0]) {
                case "truth" -> Files.writeString(Path.of(command[1]), Json.text(program.truth()));
                case "fix" -> Files.writeString(Path.of(command[1]), Json.text(fix(program)));
                default -> throw new IllegalArgumentException(line);
            }
            System.out.println("DONE " + command[0]);
        }
        System.exit(0);
    }

    /**
     * Runs the steps of the fix and measures after each.
     *
     * The first step only collects garbage: what it frees has no owner, so it must not be counted
     * as freed by the fix.
     */
    private static Map<String, Object> fix(Program program) throws Exception {
        List<Program.Step> steps = new ArrayList<>();
        steps.add(new Program.Step("collect garbage", () -> {}));
        steps.addAll(program.fix());
        Map<String, Object> before = Measure.now();
        Map<String, Object> start = before;
        Map<String, Object> collected = null;
        List<Object> rows = new ArrayList<>();
        for (Program.Step step : steps) {
            step.action().run();
            Measure.collect();
            Map<String, Object> after = Measure.now();
            Map<String, Object> row = new LinkedHashMap<>();
            row.put("step", step.name());
            row.put("freed", Measure.difference(before, after));
            row.put("after", after);
            rows.add(row);
            before = after;
            if (collected == null) {
                collected = after;
            }
        }
        Map<String, Object> all = new LinkedHashMap<>();
        all.put("before", start);
        all.put("steps", rows);
        all.put("freed_by_fix", Measure.difference(collected, before));
        return all;
    }
}
