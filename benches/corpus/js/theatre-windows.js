//! Ticket windows of theatres over a Redux store with Immer. A clerk's window subscribes to the store for a sale, and keeps its subscription after it.
//! Beside it: the seats of all shows, changed by each sale, holds that expire, and price lists that are replaced.
//: libraries Redux, Immer
//: holder \b(currentListeners|nextListeners)\b
//: set tuned
//: leak 2.5
'use strict';
const { createStore } = require('redux');
const { produce } = require('immer');
const { random, words, id, twice } = require('./corpus.js');

const SHOWS = 260;

function opening() {
    const shows = {};
    for (let number = 0; number < SHOWS; number++) {
        shows[id('show', number)] = { title: words(3), house: words(2), rows: Array.from({ length: 8 }, (_, row) => Array.from({ length: 22 }, (_, seat) => ({ label: `${row}-${seat}`, cents: 2500 + random(9000), state: 'free', buyer: null }))) };
    }
    return { shows, holds: [], clock: 0 };
}

const sales = produce((state, action) => {
    switch (action.type) {
        case 'hold':
            state.clock = action.at;
            state.holds.push({ show: action.show, row: action.row, seat: action.seat, until: action.at + 200, note: action.note });
            while (state.holds[0].until < action.at) state.holds.shift();
            break;
        case 'sell': {
            const seat = state.shows[action.show].rows[action.row][action.seat];
            seat.state = seat.state === 'free' ? 'sold' : 'free';
            seat.buyer = action.buyer;
            break;
        }
    }
}, opening());

class TicketWindow {
    constructor(store, show, clerk) {
        this.show = show;
        this.clerk = clerk;
        this.basket = [];
        this.form = { name: words(2), street: words(3), mail: `${words(2).replace(' ', '.')}@post.example` };
        store.subscribe(() => {
            if (!this.closed) this.free = store.getState().shows[show].rows[0].filter((seat) => seat.state === 'free').length;
        });
    }

    close() {
        this.closed = true;
    }
}

class BoxOffice {
    constructor() {
        this.salesStore = createStore(sales);
        this.pricesByHouse = new Map();
        for (let number = 0; number < 60; number++) this.prices(number);
    }

    prices(number) {
        this.pricesByHouse.set(number % 60, Array.from({ length: 250 }, () => ({ category: words(2), cents: random(12000), text: words(4) })));
    }

    sell(request) {
        const show = id('show', random(SHOWS));
        const window = new TicketWindow(this.salesStore, show, words(2));
        const [row, seat] = [random(8), random(22)];
        window.basket.push({ row, seat, category: this.pricesByHouse.get(request % 60)[random(250)], remark: words(5) });
        this.salesStore.dispatch({ type: 'hold', at: request, show, row, seat, note: words(3) });
        this.salesStore.dispatch({ type: 'sell', show, row, seat, buyer: words(2) });
        if (request % 20 === 0) this.prices(request);
        window.close();
    }
}

const office = new BoxOffice();
twice(1000, async (from, to) => {
    for (let request = from; request < to; request++) office.sell(request);
});
