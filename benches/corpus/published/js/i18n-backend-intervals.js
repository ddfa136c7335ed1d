//! A page server with an i18next instance for each request, with i18next-http-backend 2.6.1: each backend starts an interval that reloads its texts
//! and that nothing stops. Large and legitimate: the hotels.
//: package i18next-http-backend@2.6.1 i18next@23.15.1
//: issue i18next/i18next-http-backend#150
//: libraries i18next
//: holder Backend|Timeout|timerList|reload
//: set tuned
'use strict';
const i18next = require('i18next');
const Backend = require('i18next-http-backend');
const { random, words, id, twice } = require('../../js/corpus.js');

class Hotel {
    constructor(number) {
        this.code = id('hotel', number);
        this.name = words(3);
        this.rooms = Array.from({ length: 3 }, () => ({ beds: 1 + random(3), price: random(30000) / 100 }));
        this.town = words(1);
    }
}

const hotels = Array.from({ length: 8000 }, (_, number) => new Hotel(number));
const texts = Object.fromEntries(Array.from({ length: 12 }, (_, at) => [`text${at}`, words(4)]));
let bytes = 0;

async function render(number) {
    const instance = i18next.createInstance().use(Backend);
    await instance.init({
        lng: 'en',
        fallbackLng: false,
        backend: {
            loadPath: '/texts/{{lng}}.json',
            request: (options, url, payload, callback) => callback(null, { status: 200, data: { ...texts, title: `${words(2)} ${number}` } }),
        },
    });
    bytes += `${instance.t('title')} ${instance.t('text1')} ${hotels[random(8000)].name}`.length;
}

twice(80, async (from, to) => {
    for (let number = from; number < to; number++) await render(number);
});
