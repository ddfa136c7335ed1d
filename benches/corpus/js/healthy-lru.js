//! Healthy: weather for towns. Forecasts are in an lru-cache with a bound, which is full before the first dump; tiles are in one
//! with a bound of bytes. Large: both caches, the towns.
//: libraries lru-cache
//: own \b(forecasts|tiles|towns|byCountry)\b|LRUCache|Weather
//: set tuned
'use strict';
const { LRUCache } = require('lru-cache');
const { random, words, id, twice } = require('./corpus.js');

class Town {
    constructor(number) {
        this.code = id('town', number);
        this.name = words(2);
        this.country = words(1);
        this.height = random(2500) + 0.5;
    }
}

class Forecast {
    constructor(town, day) {
        this.town = town;
        this.day = day;
        this.text = words(6);
        this.hours = Array.from({ length: 24 }, () => ({ degrees: random(400) / 10 + 0.05, rain: random(100) }));
    }
}

class Tile {
    constructor(url) {
        this.url = url;
        this.type = 'image/png';
        this.bytes = Buffer.alloc(8 * 1024 + random(4) * 1024, random(251));
    }
}

class Weather {
    constructor(size) {
        this.towns = Array.from({ length: size }, (_, number) => new Town(number));
        this.byCountry = new Map();
        for (const town of this.towns) {
            if (!this.byCountry.has(town.country)) this.byCountry.set(town.country, []);
            this.byCountry.get(town.country).push(town);
        }
        this.forecasts = new LRUCache({ max: 2000 });
        this.tiles = new LRUCache({ maxSize: 3 * 1024 * 1024, sizeCalculation: (tile) => tile.bytes.length, max: 1000 });
    }

    forecast(at, day) {
        const town = this.towns[at];
        const key = `${town.code}/${day}`;
        let forecast = this.forecasts.get(key);
        if (!forecast) {
            forecast = new Forecast(town, day);
            this.forecasts.set(key, forecast);
        }
        return forecast;
    }

    tile(url) {
        let tile = this.tiles.get(url);
        if (!tile) {
            tile = new Tile(url);
            this.tiles.set(url, tile);
        }
        return tile;
    }
}

const weather = new Weather(14000);
let served = 0;

twice(6000, (from, to) => {
    for (let number = from; number < to; number++) {
        served += weather.forecast((number * 37) % 14000, number % 5).hours[12].degrees;
        if (number % 4 === 0) {
            served += weather.tile(`https://tiles.example/${number % 19}/${random(500)}/${number}.png`).bytes.length;
        }
    }
});
