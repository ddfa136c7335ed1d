'use strict';
const { createElement, useEffect, useState } = React;

class Close {
    constructor(symbol, day) {
        this.symbol = symbol;
        this.day = day;
        this.close = day * 1.5;
        this.note = ['close of', symbol, day].join(' ');
    }
}

function Ticker({ symbol }) {
    const [prices, setPrices] = useState(() => Array.from({ length: 60 }, (_, day) => new Close(symbol, day)));
    useEffect(() => {
        // No clean-up: the listener stays in the bus when the ticker is closed.
        priceBus.subscribe((price) => setPrices([...prices, price]));
    }, []);
    return createElement('li', null, `${symbol}: ${prices.length}`);
}

const root = ReactDOM.createRoot(document.querySelector('#app'));
const show = (symbols) => ReactDOM.flushSync(() => root.render(createElement('ul', null, symbols.map((symbol) => createElement(Ticker, { key: symbol, symbol })))));

let opened = 0;
function open(rounds) {
    for (let round = 0; round < rounds; round++) {
        show(Array.from({ length: 10 }, () => `SYM${opened++}`));
    }
    show([]);
    document.title = 'idle';
}

document.querySelector('#browse').addEventListener('click', () => setTimeout(open, 0, 2));
document.querySelector('#grow').addEventListener('click', () => setTimeout(open, 0, 150));
document.title = 'idle';
