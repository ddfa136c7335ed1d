//! Healthy: a search over articles with Lucene, the index in memory. Readers are closed, a changed article replaces its former text, and the
//! segments are merged.
//: jars lucene-core-8*.jar
//: libraries Lucene
//: own ArticleSearch\.(directory|writer|authors)
//: set tuned
import java.util.HashMap;
import java.util.Map;
import org.apache.lucene.analysis.standard.StandardAnalyzer;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.StringField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.store.ByteBuffersDirectory;

public class HealthyLucene {
    static final class Author {
        final String name = Corpus.words(2);
        final String about = Corpus.words(25);
        int articles;
    }

    static final class ArticleSearch {
        final ByteBuffersDirectory directory = new ByteBuffersDirectory();
        final IndexWriter writer;
        final Map<String, Author> authors = new HashMap<>();

        ArticleSearch() throws Exception {
            writer = new IndexWriter(directory, new IndexWriterConfig(new StandardAnalyzer()));
            for (int number = 0; number < 9000; number++) {
                authors.put(Corpus.id("author", number), new Author());
            }
            for (int number = 0; number < 20_000; number++) {
                writer.addDocument(article(number));
            }
            writer.commit();
        }

        Document article(int number) {
            String author = Corpus.id("author", number % 9000);
            authors.get(author).articles++;
            Document document = new Document();
            document.add(new StringField("id", Corpus.id("article", number), Field.Store.YES));
            document.add(new StringField("author", author, Field.Store.YES));
            document.add(new TextField("text", Corpus.words(60), Field.Store.YES));
            return document;
        }

        void change(int number) throws Exception {
            writer.updateDocument(new Term("id", Corpus.id("article", number)), article(number));
        }

        int find(String word) throws Exception {
            int length = 0;
            try (DirectoryReader reader = DirectoryReader.open(directory)) {
                IndexSearcher searcher = new IndexSearcher(reader);
                for (ScoreDoc hit : searcher.search(new TermQuery(new Term("text", word)), 10).scoreDocs) {
                    length += searcher.doc(hit.doc).get("text").length();
                }
            }
            return length;
        }
    }

    public static void main(String[] arguments) throws Exception {
        ArticleSearch search = new ArticleSearch();
        Corpus.twice(arguments, 600, (from, to) -> {
            for (int request = from; request < to; request++) {
                search.find(Corpus.words(1));
                search.change(Corpus.RANDOM.nextInt(20_000));
            }
            search.writer.forceMerge(1);
            search.writer.commit();
        });
    }
}
