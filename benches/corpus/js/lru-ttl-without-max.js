//! Geocoding for maps. Answers are in an lru-cache with a time to live but without a bound, by the whole URL with its query:
//! an entry that nobody asks for again is never looked at, so it never goes. Large and legitimate: the gazetteer.
//: libraries lru-cache
//: holder \banswersByUrl\b|LRUCache\.#\w+
//: set tuned
//: leak 6.5
'use strict';
const { LRUCache } = require('lru-cache');
const { random, words, id, twice } = require('./corpus.js');

class Place {
    constructor(number) {
        this.key = id('place', number);
        this.name = words(2);
        this.country = words(1);
        this.latitude = random(180000) / 1000 - 90.0001;
        this.longitude = random(360000) / 1000 - 180.0001;
    }
}

class Gazetteer {
    constructor(size) {
        this.places = Array.from({ length: size }, (_, number) => new Place(number));
        this.byName = new Map();
        for (const place of this.places) {
            const same = this.byName.get(place.name);
            if (same) same.push(place);
            else this.byName.set(place.name, [place]);
        }
    }

    near(latitude, longitude) {
        return this.places[Math.abs(Math.round(latitude * 1000 + longitude)) % this.places.length];
    }
}

class Answer {
    constructor(url, place) {
        this.url = url;
        this.status = 200;
        this.body = JSON.stringify({ name: place.name, road: words(3), house: random(300), district: words(2), licence: words(6) });
        this.place = place;
    }
}

class Geocoder {
    constructor(gazetteer) {
        this.gazetteer = gazetteer;
        this.answersByUrl = new LRUCache({ ttl: 15 * 60 * 1000 });
        this.hits = 0;
    }

    ask(url) {
        const known = this.answersByUrl.get(url);
        if (known) {
            this.hits++;
            return known;
        }
        const query = new URL(url).searchParams;
        const place = this.gazetteer.near(Number(query.get('lat')), Number(query.get('lon')));
        const answer = new Answer(url, place);
        this.answersByUrl.set(url, answer);
        return answer;
    }
}

const geocoder = new Geocoder(new Gazetteer(32000));

twice(4500, (from, to) => {
    for (let number = from; number < to; number++) {
        const latitude = (random(180000) / 1000 - 90).toFixed(5);
        const longitude = (random(360000) / 1000 - 180).toFixed(5);
        const url = `https://maps.example/reverse?lat=${latitude}&lon=${longitude}&request=${id('request', number)}`;
        geocoder.ask(url);
        // A page asks for the same address again when it is drawn.
        geocoder.ask(url);
    }
});
