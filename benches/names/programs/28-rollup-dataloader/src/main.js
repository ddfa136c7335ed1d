import { productOf } from './loaders.js';

async function show(from, to) {
    let letters = 0;
    for (let number = from; number < to; number += 20) {
        const products = await Promise.all(Array.from({ length: 20 }, (_, offset) => productOf(`p-${number + offset}`)));
        letters += products[0].title.length;
    }
    return letters;
}

async function main() {
    await show(0, 100);
    process.emit('names:before');
    await show(100, 9000);
    process.emit('names:after');
}

main();
