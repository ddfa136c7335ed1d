'use strict';
// Memory of this process as Node, V8 and the kernel count it, in bytes.

const fs = require('fs');
const v8 = require('v8');

function measure() {
    const value = process.memoryUsage();
    const heap = v8.getHeapStatistics();
    value.malloced_memory = heap.malloced_memory;
    value.external_memory = heap.external_memory;
    value.native_contexts = heap.number_of_native_contexts;
    for (const line of fs.readFileSync('/proc/self/status', 'utf8').split('\n')) {
        const found = /^(VmSize|RssAnon|RssFile|RssShmem):\s+(\d+) kB/.exec(line);
        if (found) {
            value[found[1]] = Number(found[2]) * 1024;
        }
    }
    value.threads = fs.readdirSync('/proc/self/task').length;
    return value;
}

// Figures of `before` minus those of `after`, without those that did not change.
function difference(before, after) {
    const changed = Object.keys(before).filter((key) => before[key] !== after[key]);
    return Object.fromEntries(changed.map((key) => [key, before[key] - after[key]]));
}

// Collects garbage in several rounds: backing stores are freed by another thread afterwards.
// `trim` asks the C library to return freed memory to the kernel.
async function settle(trim) {
    for (let round = 0; round < 4; round++) {
        global.gc();
        await new Promise((done) => setTimeout(done, 150));
    }
    trim();
}

module.exports = { difference, measure, settle };
