// What the programs in Node.js share: two snapshots of one process, and the values of values.js.
'use strict';
const v8 = require('v8');
const values = require('./values.js');

/** Runs `each` requests, makes the first snapshot, runs as many more, makes the second; then ends the process. */
async function twice(each, work) {
    await work(0, each);
    v8.writeHeapSnapshot(process.argv[2]);
    await work(each, 2 * each);
    v8.writeHeapSnapshot(process.argv[3]);
    process.exit(0);
}

module.exports = { ...values, twice };
