// Values as real programs have them, for programs in Node.js and for those in a page.
'use strict';

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

module.exports = { random, words, id };
