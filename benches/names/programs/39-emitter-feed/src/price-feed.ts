import { EventEmitter } from 'events';

export interface Price { symbol: string; value: number }

export class PriceFeed extends EventEmitter {
    private ticks = 0;

    tick(symbol: string): void {
        this.ticks++;
        this.emit('price', { symbol, value: this.ticks } satisfies Price);
    }
}

export const feed = new PriceFeed().setMaxListeners(0);
