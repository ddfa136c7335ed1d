//! A server that disposes of an injector for each transaction with typed-inject 3.0: the parent keeps the disposed children in
//! `childInjectors`. Large and legitimate: the accounts.
//: package typed-inject@3.0.0
//: fixed typed-inject@3.0.1
//: issue nicojs/typed-inject#37
//: libraries typed-inject
//: holder (RootInjector|ChildInjector|AbstractInjector|ValueInjector)\.childInjectors
//: set tuned
'use strict';
const { createInjector } = require('typed-inject');
const { random, words, id, twice } = require('../../js/corpus.js');

class Account {
    constructor(number) {
        this.number = id('account', number);
        this.holder = words(2);
        this.balance = random(1000000) / 100;
        this.history = Array.from({ length: 4 }, () => ({ amount: random(1000), text: words(2) }));
    }
}

class Transfer {
    constructor(accounts, transaction) {
        this.accounts = accounts;
        this.transaction = transaction;
    }

    run() {
        const { from, to, amount } = this.transaction;
        this.accounts[from].balance -= amount;
        this.accounts[to].balance += amount;
    }
}
Transfer.inject = ['accounts', 'transaction'];

const accounts = Array.from({ length: 7000 }, (_, number) => new Account(number));
const root = createInjector().provideValue('accounts', accounts);

async function handle(number) {
    const transaction = { id: id('transaction', number), text: words(6), from: random(7000), to: random(7000), amount: random(100) };
    const injector = root.provideValue('transaction', transaction);
    injector.injectClass(Transfer).run();
    await injector.dispose();
}

twice(2200, async (from, to) => {
    for (let number = from; number < to; number++) await handle(number);
});
