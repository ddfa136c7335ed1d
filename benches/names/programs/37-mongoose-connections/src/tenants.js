'use strict';
const mongoose = require('mongoose');

const invoice = new mongoose.Schema({ number: String, customer: String, lines: [{ article: String, pieces: Number }] });

/** A connection for each request, closed at its end: the list of the library keeps it. */
async function validate(number) {
    const connection = mongoose.createConnection();
    const Invoice = connection.model('Invoice', invoice);
    const error = new Invoice({ number: `I-${number}`, customer: 'C-1', lines: [{ article: 'lamp', pieces: 2 }] }).validateSync();
    await connection.close();
    return error === undefined;
}

(async () => {
    for (let number = 0; number < 3; number++) await validate(number);
    process.emit('names:before');
    for (let number = 0; number < 1600; number++) await validate(number);
    process.emit('names:after');
})();
