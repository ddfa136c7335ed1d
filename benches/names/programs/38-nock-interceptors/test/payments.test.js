'use strict';
const assert = require('assert');
const http = require('http');
const nock = require('nock');

/** A test of a long suite: persist() keeps its interceptors, and the suite never calls cleanAll(). */
async function chargesTheCard(number) {
    nock(`http://bank-${number % 40}.example`).persist().post(`/charges/${number}`).reply(201, { id: `c-${number}`, note: ['charge', number, 'accepted'].join(' ') });
    if (number % 100) return;
    const status = await new Promise((resolve, reject) => {
        http.request({ host: `bank-${number % 40}.example`, path: `/charges/${number}`, method: 'POST' }, (response) => resolve(response.statusCode)).on('error', reject).end();
    });
    assert.strictEqual(status, 201);
}

(async () => {
    for (let number = 0; number < 10; number++) await chargesTheCard(number);
    process.emit('names:before');
    for (let number = 10; number < 4000; number++) await chargesTheCard(number);
    process.emit('names:after');
})();
