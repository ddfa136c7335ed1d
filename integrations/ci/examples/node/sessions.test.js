'use strict';

const test = require('node:test');
const { checkHeap } = require('./heap-check.js');
const { visit } = require('./sessions.js');

test('sessions are released', () => {
  for (let visitor = 0; visitor < 10_000; visitor++) visit(visitor);
  checkHeap('sessions');
});
