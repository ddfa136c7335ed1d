import { feed, type Price } from './price-feed';

export class WatchList {
    readonly last = new Map<string, number>();
    readonly notes: string[];

    constructor(readonly owner: string, symbols: string[]) {
        this.notes = symbols.map((symbol, row) => [owner, 'watches', symbol, 'row', row].join(' '));
        // Never taken off when the list is closed.
        feed.on('price', (price: Price) => this.last.set(price.symbol, price.value));
    }
}
