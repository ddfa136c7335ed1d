'use strict';
class PriceBus {
    constructor() {
        this.listeners = new Set();
    }

    subscribe(listener) {
        this.listeners.add(listener);
        return () => this.listeners.delete(listener);
    }

    publish(price) {
        for (const listener of this.listeners) listener(price);
    }
}

const priceBus = new PriceBus();
