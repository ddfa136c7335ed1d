//! The trams of a city on RxJS. The positions are shared by shareReplay without a size, for views that open later: it keeps each position.
//! Large and legitimate: the stops with their timetables, and the tracks.
//: libraries RxJS
//: holder \b_buffer\b|ReplaySubject|\bpositions\b
//: set tuned
'use strict';
const { Subject, filter, map, shareReplay, take } = require('rxjs');
const { random, words, id, twice } = require('./corpus.js');

class Stop {
    constructor(number) {
        this.code = id('stop', number);
        this.name = words(2);
        this.departures = Array.from({ length: 14 }, (_, at) => ({ line: 1 + ((number + at) % 17), minute: 300 + at * 60, to: words(1) }));
    }
}

class Track {
    constructor(number) {
        this.code = id('track', number);
        this.points = Array.from({ length: 40 }, () => 47 + random(100000) / 100001);
        this.state = words(5);
    }
}

class City {
    constructor(stops, tracks) {
        this.stops = new Map(Array.from({ length: stops }, (_, number) => [id('stop', number), new Stop(number)]));
        this.tracks = Array.from({ length: tracks }, (_, number) => new Track(number));
    }
}

class TramFeed {
    constructor(city) {
        this.city = city;
        this.messages = new Subject();
        this.positions = this.messages.pipe(
            map((message) => ({ ...message, stop: this.city.stops.get(message.next).name, at: new Date(message.at) })),
            shareReplay(),
        );
    }

    receive(number) {
        this.messages.next({
            tram: number % 180, at: 1795500000000 + number * 1000, next: id('stop', random(this.city.stops.size)), delay: random(300), driver: words(2),
        });
    }
}

class TramView {
    constructor(feed, tram) {
        this.lines = [];
        this.subscription = feed.positions.pipe(filter((position) => position.tram === tram), take(5))
            .subscribe((position) => this.lines.push(`${position.stop} ${position.delay}`));
    }

    close() {
        this.subscription.unsubscribe();
    }
}

const feed = new TramFeed(new City(6000, 4000));
// The overview of the control room is open for the whole day.
let late = 0;
feed.positions.subscribe((position) => { late += position.delay > 200 ? 1 : 0; });

twice(4000, (from, to) => {
    for (let number = from; number < to; number++) {
        feed.receive(number);
        if (number % 20 === 0) new TramView(feed, number % 180).close();
    }
});
