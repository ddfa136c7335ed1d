// Opens the page of a program in headless Chromium and takes its snapshots over the DevTools protocol.
// The page has buttons #grow (fills the structure) and #browse (unrelated work), and sets document.title to 'idle' when it is done.
import { spawn } from 'node:child_process';
import { createServer } from 'node:http';
import { createWriteStream, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { once } from 'node:events';

const { NAMES_DUMPS: folder, NAMES_RUN: run } = process.env;
const root = path.resolve(process.argv[2]);
const types = { '.html': 'text/html', '.js': 'text/javascript', '.mjs': 'text/javascript', '.css': 'text/css' };

const server = createServer((request, response) => {
    const { pathname } = new URL(request.url === '/' ? '/index.html' : request.url, 'http://page');
    try {
        const body = readFileSync(path.join(root, pathname));
        response.writeHead(200, { 'content-type': types[path.extname(pathname)] ?? 'text/plain' });
        response.end(body);
    } catch {
        response.writeHead(404).end();
    }
});
server.listen(0, '127.0.0.1');
await once(server, 'listening');

const profile = mkdtempSync(path.join(tmpdir(), 'names-page-'));
const browser = spawn('chromium', ['--headless=new', '--no-sandbox', '--disable-gpu', '--disable-extensions', '--remote-debugging-port=0',
    `--user-data-dir=${profile}`, `http://127.0.0.1:${server.address().port}/`], { stdio: ['ignore', 'ignore', 'pipe'], env: { ...process.env, TMPDIR: profile } });
process.on('SIGTERM', () => { browser.kill(); process.exit(1); });
const devtools = await new Promise((resolve) => {
    browser.stderr.on('data', (chunk) => {
        const address = /ws:\/\/([^/]+)/.exec(String(chunk))?.[1];
        if (address) resolve(address);
    });
});

let target;
while (!target) {
    const targets = await (await fetch(`http://${devtools}/json`)).json();
    target = targets.find(({ type, url }) => type === 'page' && url.startsWith('http://127.0.0.1'));
    if (!target) await new Promise((resolve) => setTimeout(resolve, 100));
}
const socket = new WebSocket(target.webSocketDebuggerUrl);
await new Promise((resolve) => socket.addEventListener('open', resolve));
const waiting = new Map();
let output;
let numbers = 0;
socket.addEventListener('message', ({ data }) => {
    const { id, result, error, method, params } = JSON.parse(data);
    if (method === 'HeapProfiler.addHeapSnapshotChunk') output.write(params.chunk);
    if (!id) return;
    const { resolve, reject } = waiting.get(id);
    waiting.delete(id);
    if (error) reject(new Error(error.message)); else resolve(result);
});
const call = (method, params = {}) => new Promise((resolve, reject) => {
    waiting.set(++numbers, { resolve, reject });
    socket.send(JSON.stringify({ id: numbers, method, params }));
});
const evaluate = async (expression) => (await call('Runtime.evaluate', { expression, returnByValue: true })).result.value;
const idle = async () => {
    while (await evaluate('document.title') !== 'idle') await new Promise((resolve) => setTimeout(resolve, 50));
};
const click = async (selector) => {
    await evaluate(`document.title = 'busy'; document.querySelector('${selector}').click()`);
    await idle();
};
const snapshot = async (name) => {
    await call('HeapProfiler.collectGarbage');
    output = createWriteStream(path.join(folder, `${name}.heapsnapshot`));
    await call('HeapProfiler.takeHeapSnapshot', { reportProgress: false });
    output.end();
    await once(output, 'finish');
};

await call('HeapProfiler.enable');
await idle();
// Run b browses more before the growth, so that all object numbers differ from run a.
for (let time = 0; time < (run === 'b' ? 7 : 1); time++) await click('#browse');
if (run === 'a') await snapshot('before');
await click('#grow');
await snapshot(run);
socket.close();
browser.kill();
await once(browser, 'exit');
server.close();
try { rmSync(profile, { recursive: true, force: true, maxRetries: 5 }); } catch { /* the folder of a browser that still ends */ }
process.exit(0);
