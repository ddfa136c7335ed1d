//! Pages of a library that React 18 renders on the server, with a menu of Headless UI 2.2.4 for each book. The state of each menu listens to the stack of open menus, one
//! for all pages, and would stop in a browser only. Large and legitimate: the books, read at start.
//: package @headlessui/react@2.2.4 react@18.2.0 react-dom@18.2.0
//: fixed @headlessui/react@2.2.1 react@18.2.0 react-dom@18.2.0
//: issue tailwindlabs/headlessui#3747
//: libraries Headless UI, React
//: holder stackMachines|StackMachine|_eventSubscribers|_subscribers
//: set aside
'use strict';
const React = require('react');
const { renderToString } = require('react-dom/server');
const { Menu, MenuButton, MenuItem, MenuItems } = require('@headlessui/react');
const { random, words, id, twice } = require('../../js/corpus.js');

const element = React.createElement;

function Book({ book }) {
    return element(Menu, null,
        element(MenuButton, null, book.title),
        element(MenuItems, { static: false }, element(MenuItem, null, element('a', { href: `/books/${book.code}` }, 'Reserve'))));
}

const books = Array.from({ length: 9000 }, (_, number) => ({ code: id('book', number), title: words(4), author: words(2), shelf: random(90), tags: [words(1), words(1), words(1)] }));
let sent = 0;

twice(80, async (from, to) => {
    for (let request = from; request < to; request++) {
        const found = Array.from({ length: 8 }, () => books[random(9000)]);
        sent += renderToString(element('main', null, found.map((book, at) => element(Book, { key: at, book })))).length;
        if (request % 10 === 0) await new Promise((resolve) => setImmediate(resolve));
    }
});
