'use strict';
// One worker: it has a heap of its own (kernels) and native memory (canvas).

const { parentPort, threadId } = require('worker_threads');
const v8 = require('v8');

const kernels = [];
for (let index = 0; index < 20000; index++) {
    kernels.push({ name: `kernel ${threadId}/${index}`, weights: [index, 0.5, 0.25] });
}
const canvas = Buffer.alloc(2 << 20, threadId);

const answers = {
    state: () => ({
        threadId,
        memoryUsage: process.memoryUsage(),
        heapStatistics: v8.getHeapStatistics(),
        heapSpaceStatistics: v8.getHeapSpaceStatistics(),
    }),
    size: () => kernels.length + canvas.length,
};
parentPort.on('message', (question) => parentPort.postMessage(answers[question]()));
parentPort.postMessage('ready');
