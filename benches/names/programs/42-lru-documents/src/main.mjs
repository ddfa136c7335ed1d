import { page } from './page-cache.mjs';

const read = (address) => `<h1>${address}</h1><table>${Array.from({ length: 60 }, (_, row) => `<tr><td>${row}</td><td>${address} row ${row}</td></tr>`).join('')}</table>`;

function index(from, to) {
    let rows = 0;
    for (let number = from; number < to; number++) rows += page(`http://shop.example/articles/${number}`, read).querySelectorAll('td').length;
    return rows;
}

index(0, 1);
process.emit('names:before');
index(1, 50);
process.emit('names:after');
