'use strict';
const { remember } = require('./catalogue');

function page(number) {
    return {
        __typename: 'Page', id: `page-${number}`,
        articles: Array.from({ length: 8 }, (_, row) => ({
            __typename: 'Article', id: `article-${number * 8 + row}`, title: ['Article', number * 8 + row, 'of page', number].join(' '),
            stock: { __typename: 'Stock', id: `stock-${number * 8 + row}`, place: `shelf ${number % 90}`, pieces: row },
        })),
    };
}

for (let number = 0; number < 10; number++) remember(number, page(number));
process.emit('names:before');
for (let number = 10; number < 1500; number++) remember(number, page(number));
process.emit('names:after');
