// What the programs of the corpus share: two snapshots of one process, and values as real programs have them.
'use strict';
const v8 = require('v8');

let state = 20261124;

/** A number from 0 to below `end`; the same in each run. */
function random(end) {
    state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff;
    return state % end;
}

const WORDS = ('order invoice customer session token region payment basket address parcel ' +
    'harbour copper maple river signal window garden market bridge station meadow lantern').split(' ');

/** A text of some words, such as a title. */
function words(count) {
    return Array.from({ length: count }, () => WORDS[random(WORDS.length)]).join(' ');
}

/** An identifier such as `session-00012f`. */
function id(kind, number) {
    return `${kind}-${number.toString(16).padStart(6, '0')}`;
}

/** Runs `each` requests, makes the first snapshot, runs as many more, makes the second; then ends the process. */
async function twice(each, work) {
    await work(0, each);
    v8.writeHeapSnapshot(process.argv[2]);
    await work(each, 2 * each);
    v8.writeHeapSnapshot(process.argv[3]);
    process.exit(0);
}

module.exports = { random, words, id, twice };
