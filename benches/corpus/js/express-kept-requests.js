//! The records of a clinic on Express. A middleware keeps each request with its time, for a report that nobody asks for.
//! Large and legitimate: the patients, by number and by ward.
//: libraries Express
//: holder \bhandledRequests\b
//: set tuned
'use strict';
const { once } = require('events');
const express = require('express');
const { random, words, id, twice } = require('./corpus.js');

class Patient {
    constructor(number) {
        this.number = id('patient', number);
        this.name = words(2);
        this.ward = `ward ${number % 24}`;
        this.born = new Date(-1e12 + random(1000000) * 2000000);
        this.findings = Array.from({ length: 3 }, () => ({ code: `R${random(99)}.${random(9)}`, text: words(9) }));
    }
}

class Records {
    constructor(size) {
        this.patients = new Map();
        this.wards = new Map();
        for (let number = 0; number < size; number++) {
            const patient = new Patient(number);
            this.patients.set(patient.number, patient);
            if (!this.wards.has(patient.ward)) this.wards.set(patient.ward, []);
            this.wards.get(patient.ward).push(patient);
        }
    }

    note(number, observation) {
        const patient = this.patients.get(number);
        patient.findings = [...patient.findings.slice(1), { code: observation.code, text: observation.text }];
        return patient;
    }
}

/** Times of requests, for the report of the slowest. */
class AccessReport {
    constructor() {
        this.handledRequests = [];
    }

    middleware() {
        return (req, res, next) => {
            const began = process.hrtime.bigint();
            res.on('finish', () => this.handledRequests.push({ req, took: Number(process.hrtime.bigint() - began) }));
            next();
        };
    }

    slowest(count) {
        return [...this.handledRequests].sort((a, b) => b.took - a.took).slice(0, count)
            .map(({ req, took }) => `${req.method} ${req.originalUrl} ${took}`);
    }
}

const records = new Records(7000);
const report = new AccessReport();
const app = express();
app.use(report.middleware());
app.use(express.json());
app.get('/patients/:number', (req, res) => res.json(records.patients.get(req.params.number)));
app.get('/wards/:ward', (req, res) => res.json({ beds: records.wards.get(`ward ${req.params.ward}`).length }));
app.post('/patients/:number/observations', (req, res) => {
    res.json(records.note(req.params.number, req.body));
});
app.get('/report', (req, res) => res.json(report.slowest(20)));

async function shift(origin, number) {
    const patient = id('patient', (number * 31) % 7000);
    await (await fetch(`${origin}/patients/${patient}`)).json();
    await (await fetch(`${origin}/wards/${number % 24}`)).json();
    await (await fetch(`${origin}/patients/${patient}/observations`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${words(6).replaceAll(' ', '.')}` },
        body: JSON.stringify({ code: `T${random(99)}`, text: words(7), pulse: 50 + random(60), by: words(2) }),
    })).json();
}

(async () => {
    const server = app.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const origin = `http://127.0.0.1:${server.address().port}`;
    await twice(150, async (from, to) => {
        for (let number = from; number < to; number++) await shift(origin, number);
    });
})();
