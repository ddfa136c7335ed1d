//! Healthy: a search over books with Lucene. Its cache of queries holds as many filters as allowed and is full; the stored titles are in memory.
//: jars lucene-core-8*.jar lucene-analyzers-common-8*.jar
//: libraries Lucene
//: own LRUQueryCache|Search\.(searcher|directory|titles)|ByteBuffersDirectory
//: set tuned
import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.analysis.core.WhitespaceAnalyzer;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.IntPoint;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.BooleanClause;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.LRUQueryCache;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.QueryCachingPolicy;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.store.ByteBuffersDirectory;

public class HealthyBookFilters {
    static final class Search {
        final ByteBuffersDirectory directory = new ByteBuffersDirectory();
        final List<String> titles = new ArrayList<>();
        final IndexSearcher searcher;

        Search() throws Exception {
            try (IndexWriter writer = new IndexWriter(directory, new IndexWriterConfig(new WhitespaceAnalyzer()))) {
                for (int number = 0; number < 60_000; number++) {
                    Document document = new Document();
                    String title = Corpus.words(3) + " " + number % 1_500;
                    titles.add(title);
                    document.add(new TextField("title", title, Field.Store.NO));
                    document.add(new IntPoint("year", 1900 + number % 120));
                    writer.addDocument(document);
                }
                writer.forceMerge(1);
            }
            searcher = new IndexSearcher(DirectoryReader.open(directory));
            searcher.setQueryCache(new LRUQueryCache(600, 8L << 20, context -> true, 1));
            searcher.setQueryCachingPolicy(new QueryCachingPolicy() {
                @Override
                public void onUse(Query query) {}

                @Override
                public boolean shouldCache(Query query) {
                    return true;
                }
            });
        }

        int count(int request) throws Exception {
            Query year = IntPoint.newRangeQuery("year", 1900 + request % 60, 1900 + request % 60 + 1 + request % 50);
            return searcher.count(new BooleanQuery.Builder().add(year, BooleanClause.Occur.FILTER)
                    .add(new TermQuery(new Term("title", String.valueOf(request % 1_500))), BooleanClause.Occur.FILTER).build());
        }
    }

    public static void main(String[] arguments) throws Exception {
        Search search = new Search();
        Corpus.twice(arguments, 4_000, (from, to) -> {
            for (int request = from; request < to; request++) {
                search.count(request);
            }
        });
    }
}
