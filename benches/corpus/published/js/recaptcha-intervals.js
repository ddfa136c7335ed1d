//! Forms that React 16 renders on the server, with react-recaptcha 2.3.9: its constructor starts an interval that only the page would stop.
//! Large and legitimate: the questions, read at start.
//: package react-recaptcha@2.3.9 react@16.14.0 react-dom@16.14.0 prop-types@15.7.2
//: fixed react-recaptcha@2.3.10 react@16.14.0 react-dom@16.14.0 prop-types@15.7.2
//: issue appleboy/react-recaptcha#247
//: libraries react-recaptcha, React
//: holder Recaptcha|[rR]eadyCheck|readyIntervalId|Timeout|timerList
//: set tuned
'use strict';
const React = require('react');
const { renderToString } = require('react-dom/server');
const Recaptcha = require('react-recaptcha');
const { random, words, id, twice } = require('../../js/corpus.js');

class Question {
    constructor(number) {
        this.code = id('question', number);
        this.text = words(7);
        this.answers = Array.from({ length: 4 }, () => ({ text: words(2), chosen: random(1000) }));
    }
}

const questions = Array.from({ length: 4500 }, (_, number) => new Question(number));
let bytes = 0;

function render(number) {
    const rows = Array.from({ length: 5 }, (_, at) => React.createElement('label', { key: at }, questions[random(4500)].text));
    const draft = { visitor: id('visitor', number), note: words(8) };
    const captcha = React.createElement(Recaptcha.default || Recaptcha, { sitekey: 'key', render: 'explicit', onloadCallback: () => draft.visitor, verifyCallback: () => draft.note });
    bytes += renderToString(React.createElement('form', null, rows, captcha)).length;
}

twice(900, async (from, to) => {
    for (let number = from; number < to; number++) {
        render(number);
        if (number % 20 === 0) await new Promise((resolve) => setImmediate(resolve));
    }
});
