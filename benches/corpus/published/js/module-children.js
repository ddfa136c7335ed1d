//! A renderer that loads its configuration anew for each page with require-uncached 1.0.2: each copy of the module stays in
//! `module.children` of the module that loads it.
//: package require-uncached@1.0.2
//: fixed require-uncached@1.0.3
//: issue sindresorhus/import-fresh#2
//: libraries require-uncached
//: holder Module\.children
//: set tuned
'use strict';
const fs = require('fs');
const os = require('os');
const path = require('path');
const requireUncached = require('require-uncached');
const { random, words, id, twice } = require('../../js/corpus.js');

// The configuration of the site, a module of its own, written for the run.
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'site-'));
const file = path.join(folder, 'site.js');
const menu = Array.from({ length: 20 }, (_, at) => ({ title: words(2), path: `/${words(1)}/${at}`, roles: ['guest', words(1)] }));
fs.writeFileSync(file, `'use strict';
const menu = ${JSON.stringify(menu)};
class Site {
    constructor() { this.menu = menu; this.created = Date.now(); }
    titles() { return this.menu.map((entry) => entry.title); }
}
module.exports = new Site();
`);

const pages = Array.from({ length: 300 }, (_, at) => ({ path: `/page/${at}`, title: words(3), body: words(30) }));
let bytes = 0;

function render(page) {
    const site = requireUncached(file);
    const html = `<nav>${site.titles().join(' ')}</nav><h1>${page.title}</h1><p>${page.body}</p><!-- ${id('page', random(10))} -->`;
    bytes += html.length;
}

process.on('exit', () => fs.rmSync(folder, { recursive: true }));

twice(220, async (from, to) => {
    for (let number = from; number < to; number++) {
        render(pages[number % pages.length]);
        await new Promise((resolve) => setImmediate(resolve));
    }
});
