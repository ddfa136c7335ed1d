//! A reader of mail with React in jsdom. A ref puts the element of each opened message in a map, for scrolling to it; the
//! element stays there when the message is closed. Large and legitimate: the mailbox with its index of words.
//: libraries React, jsdom
//: holder \belementsByMessage\b
//: set tuned
'use strict';
const { JSDOM } = require('jsdom');
const { words, id, twice } = require('./corpus.js');

const page = new JSDOM('<!doctype html><main id="root"></main>', { url: 'https://mail.example/' });
global.window = page.window;
global.document = page.window.document;
global.navigator = page.window.navigator;
const React = require('react');
const { createRoot } = require('react-dom/client');
const { flushSync } = require('react-dom');
const h = React.createElement;

class Mail {
    constructor(number) {
        this.id = id('mail', number);
        this.from = `${words(2).replace(' ', '.')}@post.example`;
        this.subject = words(5);
        this.paragraphs = Array.from({ length: 4 }, () => words(12));
    }
}

class Mailbox {
    constructor(size) {
        this.mails = Array.from({ length: size }, (_, number) => new Mail(number));
        this.byWord = new Map();
        for (const mail of this.mails) {
            for (const word of mail.subject.split(' ')) {
                if (!this.byWord.has(word)) this.byWord.set(word, new Set());
                this.byWord.get(word).add(mail);
            }
        }
    }
}

class Scroller {
    constructor() {
        this.elementsByMessage = new Map();
    }

    register(message, element) {
        // React calls a ref with null when the element is gone.
        if (element) this.elementsByMessage.set(message, element);
    }

    to(message) {
        const element = this.elementsByMessage.get(message);
        if (element && element.isConnected) element.scrollTop = 0;
    }
}

const mailbox = new Mailbox(5500);
const scroller = new Scroller();

function Message({ mail, onStar }) {
    return h('article', { id: mail.id, ref: (element) => scroller.register(mail.id, element) },
        h('h2', null, mail.subject),
        h('address', null, mail.from),
        ...mail.paragraphs.map((text, at) => h('p', { key: at, className: 'text' }, text)),
        h('button', { onClick: () => onStar(mail) }, 'Star'));
}

function Reader({ mail }) {
    const [starred, setStarred] = React.useState(0);
    return h('section', { 'data-starred': starred },
        mail ? h(Message, { key: mail.id, mail, onStar: () => setStarred((count) => count + 1) }) : h('p', null, 'No message'));
}

const root = createRoot(document.getElementById('root'));

/** Time for the scheduler of React, which works between events. */
const idle = () => new Promise((resolve) => setTimeout(resolve, 1));

twice(80, async (from, to) => {
    for (let number = from; number < to; number++) {
        const mail = mailbox.mails[(number * 13) % 5500];
        flushSync(() => root.render(h(Reader, { mail })));
        scroller.to(mail.id);
        if (number % 5 === 0) {
            document.querySelector('button').dispatchEvent(new page.window.MouseEvent('click', { bubbles: true }));
        }
        flushSync(() => root.render(h(Reader, { mail: null })));
        await idle();
    }
});
