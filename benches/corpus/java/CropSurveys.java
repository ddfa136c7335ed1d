//! Surveys of crops as XML, read with dom4j. Names of elements contain the number of the field, and the factory of dom4j keeps each name for ever.
//! Beside it, much larger: the register of land, changed by each survey, prices that are read anew, and the last surveys as documents, bounded.
//: jars dom4j.jar
//: libraries dom4j
//: holder QNameCache\.(noNamespaceCache|namespaceCache)|DocumentFactory\.(cache|singleton)|SurveyDesk\.factory
//: set tuned
import java.io.StringReader;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.dom4j.Document;
import org.dom4j.DocumentFactory;
import org.dom4j.Element;
import org.dom4j.io.SAXReader;

public class CropSurveys {
    static final class Plot {
        final String number;
        final String farmer;
        final float[] yields = new float[20];
        String crop;
        String remark;

        Plot(int number) {
            this.number = Corpus.id("plot", number);
            farmer = Corpus.words(2);
            crop = Corpus.words(1);
            remark = Corpus.words(5);
        }
    }

    static final class SurveyDesk {
        private final DocumentFactory factory = DocumentFactory.getInstance();
        private final List<Plot> register = new ArrayList<>();
        private final ArrayDeque<Document> lastSurveys = new ArrayDeque<>();
        private volatile Map<String, Double> prices = readPrices();

        SurveyDesk() {
            for (int number = 0; number < 60_000; number++) {
                register.add(new Plot(number));
            }
        }

        private static Map<String, Double> readPrices() {
            Map<String, Double> read = new HashMap<>();
            for (int market = 0; market < 20_000; market++) {
                read.put(Corpus.id("market", market) + " " + Corpus.words(1), Corpus.RANDOM.nextInt(9_000) / 100.0);
            }
            return read;
        }

        private String received(int request) {
            StringBuilder xml = new StringBuilder("<survey season='2026' surveyor='" + Corpus.words(2) + "'>");
            for (int field = 0; field < 6; field++) {
                xml.append("<field-").append(Integer.toString(request * 6 + field, 36)).append("-of-plot crop='").append(Corpus.words(1)).append("' tonnes='")
                        .append(Corpus.RANDOM.nextInt(80)).append("'>").append(Corpus.words(6)).append("</field-").append(Integer.toString(request * 6 + field, 36)).append("-of-plot>");
            }
            return xml.append("</survey>").toString();
        }

        void survey(int request) throws Exception {
            if (request % 700 == 699) {
                prices = readPrices();
            }
            Document document = new SAXReader(factory).read(new StringReader(received(request)));
            for (Element field : document.getRootElement().elements()) {
                Plot plot = register.get(Corpus.RANDOM.nextInt(register.size()));
                plot.crop = field.attributeValue("crop");
                plot.yields[request % 20] = Float.parseFloat(field.attributeValue("tonnes"));
                plot.remark = field.getText();
            }
            lastSurveys.add(document);
            if (lastSurveys.size() > 900) {
                lastSurveys.poll();
            }
        }
    }

    public static void main(String[] arguments) throws Exception {
        SurveyDesk desk = new SurveyDesk();
        Corpus.twice(arguments, 1_000, (from, to) -> {
            for (int request = from; request < to; request++) {
                desk.survey(request);
            }
        });
    }
}
