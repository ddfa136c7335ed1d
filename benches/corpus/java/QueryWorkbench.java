//! A workbench for queries reads SQL with the ANTLR parser of Spark. Parsers are kept for each worker, and each query adds a listener for its
//! errors to the parser. Beside it, much larger: the tables with their columns, results in a cache with a bound, and automata of the parser.
//: jars spark-sql-api_2.12-3*.jar antlr4-runtime-4.9*.jar scala-library-2*.jar
//: libraries ANTLR, Spark SQL
//: holder Recognizer\._listeners|QueryWorker\.parser|SqlBaseParser\._listeners
//: set tuned
//: leak 2.6
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.antlr.v4.runtime.BaseErrorListener;
import org.antlr.v4.runtime.CharStreams;
import org.antlr.v4.runtime.CommonTokenStream;
import org.antlr.v4.runtime.RecognitionException;
import org.antlr.v4.runtime.Recognizer;
import org.apache.spark.sql.catalyst.parser.SqlBaseLexer;
import org.apache.spark.sql.catalyst.parser.SqlBaseParser;

public class QueryWorkbench {
    record Column(String name, String type, String comment, long distinct) {}

    record Table(String name, String owner, List<Column> columns) {}

    record ResultPage(String sql, List<String[]> rows) {}

    /** A query with what the page shows of it. */
    static final class QueryDraft extends BaseErrorListener {
        final String user;
        final String sql;
        final List<String> remarks = new ArrayList<>();

        QueryDraft(String user, String sql) {
            this.user = user;
            this.sql = sql;
            remarks.add("asked by " + user + " for " + Corpus.words(6));
        }

        @Override
        public void syntaxError(Recognizer<?, ?> recognizer, Object symbol, int line, int at, String message, RecognitionException error) {
            remarks.add(line + ":" + at + " " + message);
        }
    }

    static final class QueryWorker {
        private final SqlBaseParser parser = new SqlBaseParser(null);

        QueryWorker() {
            parser.removeErrorListeners();
        }

        int check(QueryDraft draft) {
            SqlBaseLexer lexer = new SqlBaseLexer(CharStreams.fromString(draft.sql));
            lexer.removeErrorListeners();
            parser.setTokenStream(new CommonTokenStream(lexer));
            parser.addErrorListener(draft);
            int children = parser.singleStatement().getChildCount();
            parser.setTokenStream(null);
            return children;
        }
    }

    static final class Workbench {
        private final QueryWorker[] workers = {new QueryWorker(), new QueryWorker(), new QueryWorker()};
        private final List<Table> tables = new ArrayList<>();
        private final Map<String, Integer> queriesByUser = new HashMap<>();
        private final Map<String, ResultPage> results = new LinkedHashMap<>(512, 0.75f, true) {
            @Override
            protected boolean removeEldestEntry(Map.Entry<String, ResultPage> eldest) {
                return size() > 350;
            }
        };

        Workbench() {
            for (int number = 0; number < 2_600; number++) {
                List<Column> columns = new ArrayList<>();
                for (int column = 0; column < 24; column++) {
                    columns.add(new Column("C_" + Corpus.words(1).toUpperCase() + "_" + column, column % 3 == 0 ? "BIGINT" : "STRING", Corpus.words(5), Corpus.RANDOM.nextInt(1 << 20)));
                }
                tables.add(new Table("T_" + number, Corpus.words(2), columns));
            }
            for (int number = 0; number < 350; number++) {
                ask(Corpus.id("first", number), "SELECT " + number);
            }
        }

        private void ask(String key, String sql) {
            List<String[]> rows = new ArrayList<>();
            for (int row = 0; row < 40; row++) {
                rows.add(new String[] {Corpus.words(2), Corpus.words(1), Integer.toString(Corpus.RANDOM.nextInt(90_000))});
            }
            results.put(key, new ResultPage(sql, rows));
        }

        void serve(int request) {
            Table table = tables.get(Corpus.RANDOM.nextInt(tables.size()));
            String name = table.columns().get(request % 24).name();
            String sql = "SELECT " + name + ", COUNT(*) FROM " + table.name() + " WHERE " + table.columns().get(3).name() + " > " + request
                    + (request % 60 == 0 ? " GROUP " : " GROUP BY ") + name + " ORDER BY 2 DESC LIMIT " + (10 + request % 90);
            QueryDraft draft = new QueryDraft(Corpus.id("analyst", request % 300), sql);
            workers[request % workers.length].check(draft);
            queriesByUser.merge(draft.user, 1, Integer::sum);
            ask(Corpus.id("query", request), sql);
        }
    }

    public static void main(String[] arguments) throws Exception {
        Workbench workbench = new Workbench();
        Corpus.twice(arguments, 900, (from, to) -> {
            for (int request = from; request < to; request++) {
                workbench.serve(request);
            }
        });
    }
}
