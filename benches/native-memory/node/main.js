'use strict';
// Starts one program, prints READY and then obeys commands from standard input.
// Usage: node --expose-gc main.js PROGRAM WORK_FOLDER [ADDON]

const fs = require('fs');
const path = require('path');
const readline = require('readline');
const v8 = require('v8');
const { difference, measure, settle } = require('./measure');

const [name, work, addon] = process.argv.slice(2);
const program = require(path.join(__dirname, 'programs', name));

function write(file, value) {
    fs.writeFileSync(file, JSON.stringify(value, null, 2) + '\n');
}

// Everything Node says about its own memory, of the same moment as smaps.
async function state(file) {
    const value = {
        versions: process.versions,
        arch: process.arch,
        execArgv: process.execArgv,
        memoryUsage: process.memoryUsage(),
        heapStatistics: v8.getHeapStatistics(),
        heapSpaceStatistics: v8.getHeapSpaceStatistics(),
        resourceUsage: process.resourceUsage(),
    };
    if (program.workers) {
        value.workers = await program.workers();
    }
    write(file, value);
}

// Measures after each step. The first one only collects garbage: what it frees has no owner.
async function fix(file) {
    const start = measure();
    let before = start;
    let collected;
    const steps = [];
    // Loaded here and not earlier: it must not be part of the process that is recorded.
    const trim = fs.existsSync(addon) ? require(addon).trim : () => {};
    for (const [step, action] of [['collect garbage', () => {}], ...program.fix]) {
        await action();
        await settle(trim);
        const after = measure();
        steps.push({ step, freed: difference(before, after), after });
        collected = collected || after;
        before = after;
    }
    write(file, { before: start, steps, freed_by_fix: difference(collected, before) });
}

const commands = {
    state,
    fix,
    truth: (file) => write(file, { node: process.version, ...program.truth }),
    snapshot: (file) => v8.writeHeapSnapshot(file),
    // Sockets and environment variables may contain secrets: none are in the environment here.
    report: (file) => fs.writeFileSync(file, JSON.stringify(process.report.getReport(), null, 2)),
};

async function main() {
    await program.start(work, addon);
    console.log('READY');
    for await (const line of readline.createInterface({ input: process.stdin })) {
        const [command, file] = line.split(' ');
        if (command === 'quit') {
            process.exit(0);
        }
        await commands[command](file);
        console.log(`DONE ${command}`);
    }
}

main();
