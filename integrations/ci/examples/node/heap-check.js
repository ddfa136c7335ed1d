'use strict';

// Takes a heap snapshot of this process and fails if it leaks what the baseline does not accept. Copy this file into
// your tests. HEAPLENS is the program (default: heaplens on the PATH), HEAPLENS_ACCEPT=1 writes the baseline.
const assert = require('node:assert');
const { spawnSync } = require('node:child_process');
const { mkdirSync } = require('node:fs');
const { join } = require('node:path');
const v8 = require('node:v8');

/** Checks the heap under a name, which is that of its section in the baseline. */
function checkHeap(name) {
  const at = (file) => join('build', 'heap', file);
  mkdirSync(at(''), { recursive: true });
  // V8 collects garbage before it writes a snapshot.
  const snapshot = v8.writeHeapSnapshot(at(`${name}.heapsnapshot`));
  const reports = process.env.HEAPLENS_ACCEPT === '1'
    ? ['--accept']
    : ['--sarif', at(`${name}.sarif`), '--junit', at(`${name}.junit.xml`), '--markdown', at(`${name}.md`)];
  const { status, stdout, stderr, error } = spawnSync(
    process.env.HEAPLENS ?? 'heaplens',
    ['check', snapshot, '--baseline', 'heap-baseline.json', '--least', '200kB', ...reports],
    { encoding: 'utf8' },
  );
  if (error) throw error;
  assert.notStrictEqual(status, 3, `The heap leaks.\n${stdout}`);
  assert.strictEqual(status, 0, `heaplens check failed.\n${stdout}${stderr}`);
  console.log(stdout);
}

module.exports = { checkHeap };
