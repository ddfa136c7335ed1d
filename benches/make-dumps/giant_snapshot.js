// Writes a made-up heap snapshot of V8 of any size, faster than V8 could: 5000 MB are some 85 million
// nodes and 180 million edges. Nothing is kept in memory: every number follows from its place.
//
//     node giant_snapshot.js OUT.heapsnapshot [MEGABYTES, 5000 unless said]
//
// Under the global object: pages of 1000 orders each, an index that holds every seventh order a second
// time (so the index and its page share it), and a list through all orders of every tenth page, which
// makes one path of a tenth of the heap. An order is eight nodes: itself, its array of lines, three
// lines, a closure, its context, its name.
'use strict';
const fs = require('fs');

const [path, megabytes = '5000'] = process.argv.slice(2);
if (!path) throw new Error('usage: giant_snapshot.js OUT.heapsnapshot [MEGABYTES]');

const PAGE = 1000;
// Bytes of the file for each order, measured: numbers grow longer with it.
let orders = Number(megabytes) * 2000;
for (let round = 0; round < 8; round++) orders = Number(megabytes) * 1e6 / (420 + 26 * (Math.log10(orders * 48) - 6.9));
const PAGES = Math.max(1, Math.round(orders / PAGE));
const ORDERS = PAGES * PAGE;
const NODES = { fields: 6, order: 8 };
const TYPE = { hidden: 0, array: 1, string: 2, object: 3, closure: 5, synthetic: 9, number: 7 };
const EDGE = { context: 0, element: 1, property: 2, internal: 3, shortcut: 5, weak: 6 };

// Strings: fixed ones, then one for each order.
const FIXED = ['<dummy>', '', '(GC roots)', 'Window / shop', 'Array', 'Order', 'Line', '(map)', 'onSent', 'system / Context',
  'pages', 'index', 'lines', 'name', 'closure', 'next', 'map', 'context', 'self', 'previous', 'price', 'heap number', 'product', 'by'];
const S = Object.fromEntries(FIXED.map((text, at) => [text, at]));

// Nodes: root, GC roots, global object, array of pages, index, map, then pages, then orders.
const ROOT = 0, GC = 1, GLOBAL = 2, ALL = 3, INDEX = 4, MAP = 5, FIRST_PAGE = 6;
const firstOrder = FIRST_PAGE + PAGES;
const order = (n) => firstOrder + n * NODES.order;
const nodes = firstOrder + ORDERS * NODES.order;
const isListed = (n) => Math.floor(n / PAGE) % 10 === 0 && n + 1 < ORDERS;
const nextListed = (n) => ((n + 1) % PAGE === 0 ? n + 1 + 9 * PAGE : n + 1);
const hasNext = (n) => isListed(n) && nextListed(n) < ORDERS;
// Another order, anywhere before: the same each time.
const other = (n) => (n === 0 ? 0 : (Math.imul(n, 0x9e3779b1) >>> 0) % n);
const inIndex = Math.ceil(ORDERS / 7);

const buffer = Buffer.allocUnsafe(1 << 22);
const file = fs.openSync(path, 'w');
let at = 0;
let written = 0;
function flush() { written += at; for (let from = 0; from < at;) from += fs.writeSync(file, buffer, from, at - from); at = 0; }
function text(of) { if (at + of.length * 3 > buffer.length) flush(); at += buffer.write(of, at); }
function number(of, before) {
  buffer[at++] = before;
  let digits = 1;
  for (let left = of; left >= 10; digits++) left = Math.floor(left / 10);
  for (let place = at + digits - 1; place >= at; place--) { const rest = Math.floor(of / 10); buffer[place] = 48 + of - rest * 10; of = rest; }
  at += digits;
}
const COMMA = 44, LINE = 10;
let first;
let count = 0;
function row(a, b, c, d, e, f) {
  if (at + 200 > buffer.length) flush();
  number(a, first ? 32 : COMMA); first = false;
  number(b, COMMA); number(c, COMMA);
  if (d !== undefined) { number(d, COMMA); number(e, COMMA); number(f, COMMA); }
  buffer[at++] = LINE;
  count++;
}
let id = 1;
const node = (type, name, size, edges) => { row(type, name, id, size, edges, 0); id += 2; };
const edge = (type, name, to) => row(type, name, to * NODES.fields);

let edges = 5 + PAGES + inIndex + ORDERS;
for (let n = 0; n < ORDERS; n++) edges += 16 + (hasNext(n) ? 1 : 0);

const meta = {
  node_fields: ['type', 'name', 'id', 'self_size', 'edge_count', 'detachedness'],
  node_types: [['hidden', 'array', 'string', 'object', 'code', 'closure', 'regexp', 'number', 'native', 'synthetic', 'concatenated string', 'sliced string', 'symbol', 'bigint', 'object shape'], 'string', 'number', 'number', 'number', 'number'],
  edge_fields: ['type', 'name_or_index', 'to_node'],
  edge_types: [['context', 'element', 'property', 'internal', 'hidden', 'shortcut', 'weak'], 'string_or_number', 'node'],
  trace_function_info_fields: ['function_id', 'name', 'script_name', 'script_id', 'line', 'column'],
  trace_node_fields: ['id', 'function_info_index', 'count', 'size', 'children'],
  sample_fields: ['timestamp_us', 'last_assigned_id'],
  location_fields: ['object_index', 'script_id', 'line', 'column'],
};
text(`{"snapshot":{"meta":${JSON.stringify(meta)},"node_count":${nodes},"edge_count":${edges},"trace_function_count":0,"extra_native_bytes":0},\n"nodes":[`);
first = true;
node(TYPE.synthetic, S[''], 0, 2);
node(TYPE.synthetic, S['(GC roots)'], 0, 1);
node(TYPE.object, S['Window / shop'], 48, 2);
node(TYPE.object, S.Array, 16 + 8 * PAGES, PAGES);
node(TYPE.object, S.Array, 16 + 8 * inIndex, inIndex);
node(TYPE.hidden, S['(map)'], 80, 0);
for (let page = 0; page < PAGES; page++) node(TYPE.array, S[''], 16 + 8 * PAGE, PAGE);
for (let n = 0; n < ORDERS; n++) {
  node(TYPE.object, S.Order, 56, hasNext(n) ? 6 : 5);
  node(TYPE.array, S[''], 40, 3);
  for (let line = 0; line < 3; line++) node(TYPE.object, S.Line, 32, line === 0 ? 3 : 1);
  node(TYPE.closure, S.onSent, 64, 1);
  node(TYPE.object, S['system / Context'], 24, 2);
  node(TYPE.string, FIXED.length + n, 24 + n % 16, 0);
}
if (count !== nodes) throw new Error(`${count} of ${nodes} nodes`);
text('],\n"edges":[');
first = true; count = 0;
edge(EDGE.element, 1, GC);
edge(EDGE.shortcut, S['Window / shop'], GLOBAL);
edge(EDGE.internal, S.map, MAP);
edge(EDGE.property, S.pages, ALL);
edge(EDGE.property, S.index, INDEX);
for (let page = 0; page < PAGES; page++) edge(EDGE.element, page, FIRST_PAGE + page);
for (let n = 0; n < ORDERS; n += 7) edge(EDGE.element, n / 7, order(n));
for (let n = 0; n < ORDERS; n++) edge(EDGE.element, n % PAGE, order(n));
for (let n = 0; n < ORDERS; n++) {
  const own = order(n);
  edge(EDGE.internal, S.map, MAP);
  edge(EDGE.property, S.lines, own + 1);
  edge(EDGE.property, S.closure, own + 5);
  edge(EDGE.property, S.name, own + 7);
  edge(EDGE.weak, S.previous, order(other(n)));
  if (hasNext(n)) edge(EDGE.property, S.next, order(nextListed(n)));
  for (let line = 0; line < 3; line++) edge(EDGE.element, line, own + 2 + line);
  edge(EDGE.property, S.product, order(other(n)) + 7);
  edge(EDGE.property, S.by, own);
  edge(EDGE.internal, S.map, MAP);
  edge(EDGE.property, S.by, own);
  edge(EDGE.property, S.by, own);
  edge(EDGE.internal, S.context, own + 6);
  edge(EDGE.context, S.self, own);
  edge(EDGE.context, S.previous, order(other(n)));
}
const made = count;
text('],\n"trace_function_infos":[],\n"trace_tree":[],\n"samples":[],\n"locations":[],\n"strings":[');
FIXED.forEach((of, place) => text((place ? ',\n' : '') + JSON.stringify(of)));
for (let n = 0; n < ORDERS; n++) text(`,\n"order ${n} of customer ${other(n) % 100000}"`);
text(']}\n');
flush();
fs.closeSync(file);
if (made !== edges) throw new Error(`${made} edges, ${edges} were announced`);
console.error(`${path}: ${(written / 1e6).toFixed(1)} MB, ${nodes} nodes, ${edges} edges`);
