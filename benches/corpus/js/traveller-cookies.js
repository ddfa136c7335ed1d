//! An agency asks railways on behalf of travellers, with a cookie jar (tough-cookie) for each session; the jar stays when the session ends.
//! Beside it, much larger: the timetable, answers in a cache with a bound (lru-cache), and stations.
//: libraries tough-cookie, lru-cache
//: holder \bjarsBySession\b
//: set tuned
//: leak 3.5
'use strict';
const { CookieJar } = require('tough-cookie');
const { LRUCache } = require('lru-cache');
const { random, words, id, twice } = require('./corpus.js');

const RAILWAYS = ['https://rail.example/search', 'https://trains.example/offers'];

class Timetable {
    constructor(trains) {
        this.stations = Array.from({ length: 2500 }, (_, number) => ({ code: id('station', number), name: words(2) }));
        this.trains = new Map();
        for (let number = 0; number < trains; number++) {
            this.trains.set(id('train', number), Array.from({ length: 6 }, (_, stop) => ({ station: this.stations[random(2500)], minute: stop * 14, platform: `${random(20)}a`, note: words(1) })));
        }
    }
}

class Agency {
    constructor() {
        this.timetable = new Timetable(40000);
        this.answers = new LRUCache({ max: 1200 });
        this.jarsBySession = new Map();
    }

    async search(session) {
        let jar = this.jarsBySession.get(session);
        if (!jar) this.jarsBySession.set(session, (jar = new CookieJar()));
        for (const url of RAILWAYS) {
            await jar.setCookie(`visit=${words(3).replaceAll(' ', '-')}${random(1e9)}; Path=/; Max-Age=86400`, url);
            const train = id('train', random(40000));
            const header = await jar.getCookieString(url);
            const stops = this.timetable.trains.get(train);
            this.answers.set(`${session} ${train}`, { header, offers: Array.from({ length: 5 }, (_, at) => ({ price: random(20000), from: stops[at].station, text: words(8) })) });
        }
    }
}

const agency = new Agency();
twice(700, async (from, to) => {
    for (let request = from; request < to; request++) await agency.search(id('session', request));
});
