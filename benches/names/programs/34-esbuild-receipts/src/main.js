import { ReceiptArchive } from './archive.js';

const archive = new ReceiptArchive();

function sell(from, to) {
    for (let number = from; number < to; number++) {
        archive.issue({ order: `o-${number}`, issued: Date.now() + number / 3, lines: Array.from({ length: 12 }, (_, line) => ({ article: `article ${number * 12 + line}`, cents: 100 + line })) });
    }
}

sell(0, 50);
process.emit('names:before');
sell(50, 5500);
process.emit('names:after');
