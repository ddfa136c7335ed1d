'use strict';
let theThing = null;

// The leak published by Meteor: both closures share one context, so that someMethod keeps originalThing, although only unused reads it.
function replaceThing(number) {
    const originalThing = theThing;
    const unused = function () {
        if (originalThing) console.log('hi');
    };
    theThing = {
        longText: Array.from({ length: 200 }, (_, word) => `${number}-${word}`).join(' '),
        someMethod: function () {
            console.log(number);
        },
    };
    return typeof unused;
}

module.exports = { replaceThing };
