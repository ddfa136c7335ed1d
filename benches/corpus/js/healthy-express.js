//! Healthy: the catalogue of a library on Express. Sessions end with the visit, pages come from templates that were compiled
//! at start. Large: the books, the index of authors, the templates.
//: libraries Express
//: own \b(books|byAuthor|templates|sessions)\b|Catalogue
//: set tuned
'use strict';
const { once } = require('events');
const http = require('http');
const express = require('express');
const { random, words, id, twice } = require('./corpus.js');

class Book {
    constructor(number) {
        this.signature = id('book', number);
        this.title = words(5);
        this.author = words(2);
        this.text = words(15);
        this.copies = 1 + random(4);
    }
}

class Catalogue {
    constructor(size) {
        this.books = new Map();
        this.byAuthor = new Map();
        for (let number = 0; number < size; number++) {
            const book = new Book(number);
            this.books.set(book.signature, book);
            if (!this.byAuthor.has(book.author)) this.byAuthor.set(book.author, []);
            this.byAuthor.get(book.author).push(book);
        }
    }
}

/** Pages, each a list of texts and of names of fields. */
class Templates {
    constructor(names) {
        this.templates = new Map(names.map((name) => [name, this.compile(name)]));
    }

    compile(name) {
        const fields = ['title', 'author', 'text'];
        return Array.from({ length: 120 }, (_, at) => (at % 2 ? { field: fields[at % 3] } : `<p>${name} ${words(5)} `));
    }

    render(name, values) {
        return this.templates.get(name).map((part) => (typeof part === 'string' ? part : values[part.field])).join('');
    }
}

class Session {
    constructor(reader) {
        this.reader = reader;
        this.marked = [];
    }
}

const catalogue = new Catalogue(12000);
const templates = new Templates(Array.from({ length: 60 }, (_, number) => `page-${number}`));
const sessions = new Map();
const app = express();

app.use((req, res, next) => {
    const reader = req.headers['x-reader'];
    if (!sessions.has(reader)) sessions.set(reader, new Session(reader));
    req.session = sessions.get(reader);
    next();
});
app.get('/books/:signature', (req, res) => {
    const book = catalogue.books.get(req.params.signature);
    req.session.marked.push(book.signature);
    res.send(templates.render(`page-${book.copies}`, book));
});
app.get('/authors/:name', (req, res) => res.json((catalogue.byAuthor.get(req.params.name) || []).slice(0, 5)));
app.delete('/session', (req, res) => {
    sessions.delete(req.session.reader);
    res.sendStatus(204);
});

const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });

/** The text that the server answers. */
function ask(port, method, path, headers) {
    return new Promise((resolve, reject) => {
        const request = http.request({ port, host: '127.0.0.1', method, path, headers, agent }, (response) => {
            let text = '';
            response.on('data', (part) => { text += part; });
            response.on('end', () => resolve(text));
        });
        request.on('error', reject);
        request.end();
    });
}

async function visit(port, number) {
    const headers = { 'X-Reader': id('reader', number) };
    for (let at = 0; at < 3; at++) await ask(port, 'GET', `/books/${id('book', random(12000))}`, headers);
    await ask(port, 'GET', `/authors/${encodeURIComponent(words(2))}`, headers);
    await ask(port, 'DELETE', '/session', headers);
}

(async () => {
    const server = app.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address();
    await twice(300, async (from, to) => {
        for (let number = from; number < to; number++) await visit(port, number);
    });
})();
