//! Healthy: the client of a dispatch office with Redux and Immer. A tour that is delivered leaves the map of entities; the log
//! keeps 200 lines. Large: the customers, the streets, the open tours.
//: libraries Redux, Immer
//: own \b(customers|streets|toursById|log|currentState)\b
//: set tuned
'use strict';
const { legacy_createStore: createStore, combineReducers, applyMiddleware } = require('redux');
const { produce } = require('immer');
const { random, words, id, twice } = require('./corpus.js');

class Street {
    constructor(number) {
        this.name = `${words(2)} ${number}`;
        this.postcode = String(10000 + random(9000));
        this.points = Array.from({ length: 10 }, () => random(100000) / 1000 + 0.0001);
    }
}

const customers = (state = {}, action) => (action.type === 'customers/loaded' ? action.customers : state);

const tours = produce((draft, action) => {
    switch (action.type) {
    case 'tour/planned':
        draft.toursById[action.tour.id] = action.tour;
        break;
    case 'stop/reached':
        draft.toursById[action.id].stops[action.at].reached = true;
        break;
    case 'tour/delivered':
        delete draft.toursById[action.id];
        break;
    }
}, { toursById: {} });

const log = produce((draft, action) => {
    if (action.type.startsWith('@@')) return;
    draft.push(`${action.type} ${action.id || ''} ${draft.length}`);
    if (draft.length > 200) draft.shift();
}, []);

/** Middleware that counts actions by type. */
const counts = new Map();
const counting = () => (next) => (action) => {
    counts.set(action.type, (counts.get(action.type) || 0) + 1);
    return next(action);
};

const streets = Array.from({ length: 7000 }, (_, number) => new Street(number));
const store = createStore(combineReducers({ customers, tours, log }), applyMiddleware(counting));
store.dispatch({
    type: 'customers/loaded',
    customers: Object.fromEntries(Array.from({ length: 9000 }, (_, number) => [
        id('customer', number),
        { name: words(2), street: streets[number % 7000].name, phone: `+44 1632 ${960000 + number}`, remark: words(6) },
    ])),
});

function plan(number) {
    const stops = Array.from({ length: 8 }, () => ({ customer: id('customer', random(9000)), parcel: words(2), reached: false }));
    store.dispatch({ type: 'tour/planned', tour: { id: id('tour', number), driver: words(2), stops } });
}

const OPEN = 150;
for (let number = 0; number < OPEN; number++) plan(number);

let open = 0;
store.subscribe(() => { open = store.getState().log.length; });

twice(500, (from, to) => {
    for (let number = from; number < to; number++) {
        const tour = id('tour', number);
        for (let at = 0; at < 8; at++) store.dispatch({ type: 'stop/reached', id: tour, at });
        store.dispatch({ type: 'tour/delivered', id: tour });
        plan(number + OPEN);
    }
});
