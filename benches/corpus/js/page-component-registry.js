//! The page of a forwarder in Chromium. Clicks are dispatched by a registry of components. Navigation unmounts the view, but not the
//! rows of its table, so the registry keeps them with their detached elements. Large and legitimate: the shipments, and the list of customers.
//: libraries Chromium
//: holder \bcomponentsById\b
//: set tuned
'use strict';
const { twice } = require('./page.js');

const body = `
    <title>Shipments</title>
    <header><h1>Shipments</h1><nav><a href="#/harbour/0">Overview</a></nav></header>
    <aside><ul id="customers"></ul></aside>
    <main id="view"></main>`;

function application({ random, words, id }) {
    const HARBOURS = 60;

    class Shipment {
        constructor(number) {
            this.number = id('shipment', number);
            this.customer = id('customer', random(1200));
            this.goods = words(4);
            this.kilograms = 100 + random(24000);
            this.stops = Array.from({ length: 3 }, () => ({ harbour: random(HARBOURS), at: 1764000000000 + random(86400000) }));
            this.remarks = words(9);
        }
    }

    class Store {
        constructor(size) {
            this.shipments = Array.from({ length: size }, (_, number) => new Shipment(number));
            this.byHarbour = new Map(Array.from({ length: HARBOURS }, (_, harbour) => [harbour, []]));
            for (const shipment of this.shipments) this.byHarbour.get(shipment.stops[0].harbour).push(shipment);
        }
    }

    class Registry {
        constructor() {
            this.componentsById = new Map();
            this.last = 0;
            document.addEventListener('click', (event) => this.dispatch(event));
        }

        mount(component) {
            component.element.dataset.component = String(++this.last);
            this.componentsById.set(this.last, component);
        }

        unmount(component) {
            component.element.remove();
            this.componentsById.delete(Number(component.element.dataset.component));
        }

        dispatch(event) {
            const element = event.target.closest('[data-component]');
            this.componentsById.get(Number(element?.dataset.component))?.click(event);
        }
    }

    const store = new Store(24000);
    const registry = new Registry();

    function element(name, text, ...children) {
        const made = document.createElement(name);
        if (text) made.textContent = text;
        made.append(...children);
        return made;
    }

    class Row {
        constructor(shipment) {
            this.shipment = shipment;
            this.isSelected = false;
            const { number, customer, goods, kilograms, stops } = shipment;
            this.element = element('tr', '', element('th', number), element('td', customer), element('td', goods),
                element('td', `${kilograms} kg`), element('td', stops.map(({ harbour }) => `harbour ${harbour}`).join(', ')),
                element('td', '', element('button', 'Select')));
            registry.mount(this);
        }

        click() {
            this.isSelected = !this.isSelected;
            this.element.classList.toggle('selected', this.isSelected);
        }
    }

    class HarbourView {
        constructor(harbour, page) {
            const shipments = store.byHarbour.get(harbour);
            const from = (page * 25) % (shipments.length - 25);
            const rows = shipments.slice(from, from + 25).map((shipment) => new Row(shipment));
            this.element = element('section', '', element('h2', `Harbour ${harbour}, page ${page}`),
                element('table', '', ...rows.map((row) => row.element)));
            registry.mount(this);
        }

        click(event) {
            event.preventDefault();
        }
    }

    let view = null;

    function show(harbour, page) {
        if (view) registry.unmount(view);
        view = new HarbourView(harbour, page);
        document.getElementById('view').append(view.element);
    }

    document.getElementById('customers').append(...Array.from({ length: 1200 }, (_, number) => {
        const link = element('a', words(2));
        link.href = `#/customer/${id('customer', number)}`;
        return element('li', '', link);
    }));

    return async (from, to) => {
        for (let number = from; number < to; number++) {
            show(random(HARBOURS), random(20));
            document.querySelector('#view button').click();
            await new Promise((drawn) => requestAnimationFrame(drawn));
        }
    };
}

twice(90, body, application);
