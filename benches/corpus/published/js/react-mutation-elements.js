//! Menus of canteens that React 15.3.0 renders on the server as in development. The check for changed children keeps each element in its variable `elements` until it was
//! mounted, which never happens on a server. Large and legitimate: the dishes, read at start.
//: package react@15.3.0 react-dom@15.3.0
//: fixed react@15.2.1 react-dom@15.2.1
//: issue facebook/react#7406
//: libraries React
//: holder \belements\b
//: set aside
'use strict';
const React = require('react');
const { renderToStaticMarkup } = require('react-dom/server');
const { random, words, id, twice } = require('../../js/corpus.js');

function Dish({ dish, note }) {
    return React.createElement('tr', { title: dish.code }, React.createElement('td', null, dish.name), React.createElement('td', null, dish.cents), React.createElement('td', null, note));
}

function Menu({ day, dishes }) {
    return React.createElement('table', { summary: day }, React.createElement('tbody', null, dishes.map((dish, at) => React.createElement(Dish, { key: at, dish, note: words(3) }))));
}

const dishes = Array.from({ length: 11000 }, (_, number) => ({ code: id('dish', number), name: words(3), cents: 300 + random(1200), allergens: [words(1), words(1)], recipe: words(14) }));
let sent = 0;

twice(110, async (from, to) => {
    for (let request = from; request < to; request++) {
        const today = Array.from({ length: 8 }, () => dishes[random(11000)]);
        sent += renderToStaticMarkup(React.createElement(Menu, { day: `day ${request}`, dishes: today })).length;
        if (request % 10 === 0) await new Promise((resolve) => setImmediate(resolve));
    }
});
