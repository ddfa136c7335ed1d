//! Analysts write SQL of many forms. Spark's parser keeps the automaton of all inputs it has met, for ever. Beside it, larger: the ledger, filled at start.
//: issue apache/spark#45526
//: version Spark 3.1.1 (SPARK-47404), ANTLR 4.8
//: from pypi pyspark 3.1.1
//: jars *.jar
//: libraries Spark, ANTLR
//: options --add-opens=java.base/java.nio=ALL-UNNAMED --add-opens=java.base/sun.nio.ch=ALL-UNNAMED
//: holder _sharedContextCache|_decisionToDFA|PredictionContextCache|decisionToDFA|SqlBaseParser
//: set tuned
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.catalyst.parser.CatalystSqlParser$;

public class LedgerQueries {
    record Posting(int number, String account, String text, double amount) {}

    static final class Ledger {
        final List<Posting> postings = new ArrayList<>();

        Ledger() {
            for (int number = 0; number < 200_000; number++) {
                postings.add(new Posting(number, Corpus.id("account", number % 900), Corpus.words(4), number * 0.01));
            }
        }
    }

    static String expression(int depth) {
        String name = Corpus.words(1);
        if (depth == 0) {
            return Corpus.RANDOM.nextInt(3) == 0 ? String.valueOf(Corpus.RANDOM.nextInt(100)) : name;
        }
        String left = expression(depth - 1 - Corpus.RANDOM.nextInt(depth));
        String right = expression(Corpus.RANDOM.nextInt(depth));
        return switch (Corpus.RANDOM.nextInt(10)) {
            case 0 -> "(" + left + " + " + right + ")";
            case 1 -> "CASE WHEN " + left + " > 3 THEN " + right + " ELSE 0 END";
            case 2 -> "coalesce(" + left + ", " + right + ")";
            case 3 -> "CAST(" + left + " AS DECIMAL(10, 2))";
            case 4 -> "(" + left + " IN (" + right + ", 7))";
            case 5 -> left + " * " + right;
            case 6 -> "struct(" + left + " AS a, " + right + " AS b).a";
            case 7 -> "sum(" + left + ") OVER (PARTITION BY " + name + " ORDER BY " + right + ")";
            case 8 -> "(" + left + " BETWEEN " + right + " AND 9)";
            default -> "transform(" + name + ", x -> x + " + left + ")";
        };
    }

    static String query(int depth) {
        StringBuilder text = new StringBuilder("SELECT ");
        for (int column = 0; column <= Corpus.RANDOM.nextInt(6); column++) {
            text.append(column == 0 ? "" : ", ").append(expression(5)).append(" AS c").append(column);
        }
        text.append(" FROM ").append(depth > 0 && Corpus.RANDOM.nextBoolean() ? "(" + query(depth - 1) + ") t" : Corpus.words(1) + "_x");
        if (Corpus.RANDOM.nextBoolean()) {
            text.append(Corpus.RANDOM.nextBoolean() ? " LEFT JOIN " : " JOIN ").append("y ON y.a = ").append(expression(2));
        }
        text.append(" WHERE ").append(expression(4)).append(" IS NOT NULL");
        return text.append(Corpus.RANDOM.nextBoolean() ? " GROUP BY a, b HAVING " + expression(2) + " > 1" : "").append(" LIMIT 10").toString();
    }

    static Ledger ledger;
    static int parsed;

    public static void main(String[] arguments) throws Exception {
        ledger = new Ledger();
        Corpus.twice(arguments, 700, (from, to) -> {
            for (int request = from; request < to; request++) {
                parsed += CatalystSqlParser$.MODULE$.parsePlan(query(3)).children().size();
            }
        });
    }
}
