//! A stand-in for a bank, made with WireMock, answers the tests of a whole night. WireMock keeps a journal of all requests, without a limit.
//: issue wiremock/wiremock#29
//: version WireMock 2.27.1
//: from npm wiremock 2.27.1
//: jars wiremock-standalone-2.27.1.jar
//: libraries WireMock
//: holder RequestJournal|serveEvents
//: set tuned
import static com.github.tomakehurst.wiremock.client.WireMock.aResponse;
import static com.github.tomakehurst.wiremock.client.WireMock.get;
import static com.github.tomakehurst.wiremock.client.WireMock.urlMatching;
import static com.github.tomakehurst.wiremock.core.WireMockConfiguration.options;

import com.github.tomakehurst.wiremock.WireMockServer;
import java.io.InputStream;
import java.net.URL;
import java.util.HashMap;
import java.util.Map;

public class StubRecordings {
    static final Map<String, String> BANKS = new HashMap<>();

    public static void main(String[] arguments) throws Exception {
        for (int number = 0; number < 3_000; number++) {
            BANKS.put(Corpus.id("bank", number), Corpus.words(4));
        }
        WireMockServer bank = new WireMockServer(options().dynamicPort().bindAddress("127.0.0.1"));
        bank.start();
        bank.stubFor(get(urlMatching("/accounts/.*")).willReturn(aResponse().withHeader("Content-Type", "application/json").withBody("{\"balance\": 17.50}")));
        Corpus.twice(arguments, 1_500, (from, to) -> {
            for (int request = from; request < to; request++) {
                URL address = new URL("http://127.0.0.1:" + bank.port() + "/accounts/" + Corpus.id("account", request) + "?bank=" + BANKS.size());
                try (InputStream answer = address.openStream()) {
                    answer.readAllBytes();
                }
            }
        });
    }
}
