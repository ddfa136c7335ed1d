import { feed } from './price-feed';
import { WatchList } from './watch-list';

function visit(from: number, to: number): void {
    const symbols = Array.from({ length: 40 }, (_, row) => `SYM${row}`);
    for (let number = from; number < to; number++) new WatchList(`user-${number}`, symbols);
    symbols.forEach((symbol) => feed.tick(symbol));
}

visit(0, 10);
process.emit('names:before' as never);
visit(10, 2500);
process.emit('names:after' as never);
