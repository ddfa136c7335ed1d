//! Pages of a theatre that React 0.14 renders on the server. A component that renders nothing is noted in the library's variable `nullComponentIDsRegistry`, and only a page
//! in a browser would take it out. Large and legitimate: the performances, read at start.
//: package react@0.14.7 react-dom@0.14.7
//: issue facebook/react#6060
//: libraries React
//: holder nullComponentIDsRegistry
//: set aside
'use strict';
process.env.NODE_ENV = 'production';
const React = require('react');
const { renderToString } = require('react-dom/server');
const { random, words, id, twice } = require('../../js/corpus.js');

class Discount extends React.Component {
    render() {
        return this.props.percent ? React.createElement('em', null, `${this.props.percent} %`) : null;
    }
}

class Row extends React.Component {
    render() {
        const { code, title, hall, percent } = this.props.performance;
        return React.createElement('li', { title: code }, title, React.createElement('span', null, hall), React.createElement(Discount, { percent }));
    }
}

class Programme extends React.Component {
    render() {
        return React.createElement('ul', null, this.props.performances.map((performance) => React.createElement(Row, { key: performance.code, performance })));
    }
}

const performances = Array.from({ length: 9000 }, (_, number) => ({ code: id('performance', number), title: words(4), hall: words(2), cast: [words(2), words(2), words(2)], percent: number % 9 ? 0 : 20 }));
let sent = 0;

twice(1000, (from, to) => {
    for (let request = from; request < to; request++) {
        const first = random(8900);
        sent += renderToString(React.createElement(Programme, { performances: performances.slice(first, first + 20) })).length;
    }
});
