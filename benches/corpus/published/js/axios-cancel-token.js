//! A poller that gives one cancel token to all requests of its life with axios 0.21: each request adds a reaction to
//! `CancelToken.promise`, which holds the request. Large and legitimate: the stations and their readings, filled at start.
//: package axios@0.21.1
//: fixed axios@0.22.0
//: issue axios/axios#3001
//: libraries axios
//: holder CancelToken\.promise|\.token\.promise
//: set tuned
'use strict';
const http = require('http');
const { once } = require('events');
const axios = require('axios');
const { random, words, id, twice } = require('../../js/corpus.js');

class Station {
    constructor(number) {
        this.code = id('station', number);
        this.place = { name: words(2), north: random(90000) / 1000, east: random(180000) / 1000 };
        this.readings = Array.from({ length: 6 }, () => random(400) / 10);
    }
}

class Poller {
    constructor(port, size) {
        this.stations = Array.from({ length: size }, (_, number) => new Station(number));
        this.client = axios.create({ baseURL: `http://127.0.0.1:${port}`, proxy: false });
        // Cancels all that is under way when the poller stops.
        this.source = axios.CancelToken.source();
    }

    async poll(station) {
        const { data } = await this.client.get(`/stations/${station.code}`, { cancelToken: this.source.token });
        station.readings.push(data.value);
        station.readings.shift();
    }
}

(async () => {
    const server = http.createServer((request, response) => {
        response.setHeader('content-type', 'application/json');
        response.end(JSON.stringify({ station: request.url, value: random(400) / 10, note: words(30) }));
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const poller = new Poller(server.address().port, 14000);
    await twice(150, async (from, to) => {
        for (let number = from; number < to; number++) await poller.poll(poller.stations[random(14000)]);
    });
})();
