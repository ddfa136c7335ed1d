// What the programs in Node.js share: two snapshots of one process, and the values of values.js.
'use strict';
const v8 = require('v8');
const { ofProgram } = require('./decoys.js');
const values = require('./values.js');

/**
 * Runs `each` requests, makes the first snapshot, runs as many more, makes the second; then ends the process. A decoy is filled before the
 * first request, or in the first third.
 */
async function twice(each, work) {
    const decoy = ofProgram();
    const slices = decoy?.isLazy ? 10 : 1;
    for (let slice = 0; slice < slices; slice++) {
        decoy?.fill();
        await work(Math.floor(each * slice / slices), Math.floor(each * (slice + 1) / slices));
    }
    v8.writeHeapSnapshot(process.argv[2]);
    await work(each, 2 * each);
    v8.writeHeapSnapshot(process.argv[3]);
    process.exit(0);
}

module.exports = { ...values, twice };
