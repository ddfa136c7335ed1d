// Preloaded into every JavaScript program (node -r): the programs know nothing of the measure, they only say
// process.emit('names:before') and process.emit('names:after').
'use strict';
const v8 = require('v8');
const path = require('path');

const { NAMES_DUMPS: folder, NAMES_RUN: run } = process.env;

// Run b did other work before the program starts, so that all object numbers and addresses differ from run a.
const ballast = [];
if (run === 'b') {
    for (let number = 0; number < 40000; number++) {
        const record = { number, text: ['record', number, number * 7919].join('-') };
        if (number % 3 === 0) ballast.push(record);
    }
}

process.on('names:before', () => {
    if (run === 'a') v8.writeHeapSnapshot(path.join(folder, 'before.heapsnapshot'));
});

process.on('names:after', () => {
    v8.writeHeapSnapshot(path.join(folder, `${run}.heapsnapshot`));
    ballast.length = 0;
    process.exit(0);
});
