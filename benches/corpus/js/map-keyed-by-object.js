//! The loans of a library. Notes about a loan are in a Map by the object of the loan, where a WeakMap was meant: the loans of
//! closed requests stay. Large and legitimate: the books with their index of authors, and the readers.
//: libraries Node.js
//: holder \bnotesByLoan\b
//: set tuned
'use strict';
const { random, words, id, twice } = require('./corpus.js');

class Book {
    constructor(number) {
        this.signature = id('book', number);
        this.title = words(5);
        this.author = words(2);
        this.year = 1900 + random(126);
        this.shelf = `${words(1)} ${random(90)}`;
    }
}

class Reader {
    constructor(number) {
        this.card = id('reader', number);
        this.name = words(2);
        this.address = `${random(200)} ${words(2)} Road`;
    }
}

class Loan {
    constructor(book, reader, days) {
        this.book = book;
        this.reader = reader;
        this.days = days;
        this.history = [`lent at desk ${random(5)}`];
    }
}

class Library {
    constructor(books, readers) {
        this.books = new Map(Array.from({ length: books }, (_, number) => [id('book', number), new Book(number)]));
        this.readers = new Map(Array.from({ length: readers }, (_, number) => [id('reader', number), new Reader(number)]));
        this.byAuthor = new Map();
        for (const book of this.books.values()) {
            const same = this.byAuthor.get(book.author);
            if (same) same.push(book.signature);
            else this.byAuthor.set(book.author, [book.signature]);
        }
    }
}

class Overdue {
    constructor() {
        this.notesByLoan = new Map();
    }

    note(loan) {
        let note = this.notesByLoan.get(loan);
        if (!note) {
            note = { fee: loan.days * 0.25, text: `${loan.reader.name}: ${loan.book.title}, ${loan.days} days` };
            this.notesByLoan.set(loan, note);
        }
        return note;
    }
}

const library = new Library(22000, 8000);
const overdue = new Overdue();
let fees = 0;

/** A request of the desk: loans are read from the store of records, shown, and forgotten. */
function desk() {
    const reader = library.readers.get(id('reader', random(8000)));
    const loans = Array.from({ length: 2 }, () => new Loan(library.books.get(id('book', random(22000))), reader, random(60)));
    for (const loan of loans) {
        fees += overdue.note(loan).fee;
        fees += overdue.note(loan).fee;
    }
}

twice(250, (from, to) => {
    for (let number = from; number < to; number++) desk();
});
