//! Quotes of shares with React in jsdom. The effect of a component subscribes to the feed and returns no clean-up, so the
//! feed keeps a listener for each visit. Large and legitimate: the history of quotes of all shares, read at start.
//: libraries React, jsdom
//: holder \bquoteListeners\b
//: set tuned
//: leak 1.5
'use strict';
const { JSDOM } = require('jsdom');
const { random, words, id, twice } = require('./corpus.js');

const page = new JSDOM('<!doctype html><div id="root"></div>', { url: 'https://quotes.example/' });
global.window = page.window;
global.document = page.window.document;
global.navigator = page.window.navigator;
const React = require('react');
const { createRoot } = require('react-dom/client');
const { flushSync } = require('react-dom');
const h = React.createElement;

class Share {
    constructor(number) {
        this.code = id('share', number);
        this.company = words(3);
        this.quotes = Array.from({ length: 120 }, () => 100.25 + random(4000) / 100);
        this.news = [words(8), words(8)];
    }
}

class Feed {
    constructor(size) {
        this.shares = new Map(Array.from({ length: size }, (_, number) => [id('share', number), new Share(number)]));
        this.quoteListeners = new Set();
    }

    subscribe(listener) {
        this.quoteListeners.add(listener);
        return () => this.quoteListeners.delete(listener);
    }

    publish(code, quote) {
        for (const listener of this.quoteListeners) listener(code, quote);
    }
}

const feed = new Feed(6000);

function Chart({ quotes }) {
    return h('svg', { width: 300, height: 80 }, h('polyline', { points: quotes.map((quote, at) => `${at * 2},${quote}`).join(' ') }));
}

function Quote({ share }) {
    const [last, setLast] = React.useState(share.quotes[119]);
    const [points] = React.useState(() => share.quotes.map((quote) => quote - share.quotes[0]));
    React.useEffect(() => {
        feed.subscribe((code, quote) => {
            if (code === share.code) {
                points.push(quote);
                setLast(quote);
            }
        });
    }, [share, points]);
    return h('section', null, h('h1', null, share.company), h('output', null, last.toFixed(2)), h(Chart, { quotes: points }));
}

const root = createRoot(document.getElementById('root'));

/** Time for the scheduler of React, which works between events. */
const idle = () => new Promise((resolve) => setTimeout(resolve, 1));

twice(450, async (from, to) => {
    for (let number = from; number < to; number++) {
        const share = feed.shares.get(id('share', (number * 17) % 6000));
        flushSync(() => root.render(h(Quote, { key: `visit ${number}`, share })));
        flushSync(() => feed.publish(share.code, 100.25 + random(4000) / 100));
        if (number % 10 === 9) flushSync(() => root.render(h('p', null, 'Choose a share')));
        await idle();
    }
    flushSync(() => root.render(h('p', null, 'Choose a share')));
});
