//! A reminder service that schedules a task for each reminder with node-cron 3 and stops it afterwards: the global list
//! `scheduledTasks` keeps the stopped tasks. Large and legitimate: the patients, read at start.
//: package node-cron@3.0.0
//: issue node-cron/node-cron#348
//: libraries node-cron
//: holder scheduledTasks
//: set tuned
'use strict';
const cron = require('node-cron');
const { random, words, id, twice } = require('../../js/corpus.js');

class Patient {
    constructor(number) {
        this.code = id('patient', number);
        this.name = words(2);
        this.contact = { phone: `+44 ${random(99999999)}`, mail: `${words(1)}@example.org` };
        this.drugs = Array.from({ length: 3 }, () => ({ name: words(1), milligrams: random(500) }));
    }
}

class Reminders {
    constructor(size) {
        this.patients = Array.from({ length: size }, (_, number) => new Patient(number));
        this.sent = 0;
    }

    remind(patient, drug) {
        const text = `${patient.name}, take ${drug.milligrams} mg of ${drug.name}`;
        const task = cron.schedule(`${random(60)} ${random(24)} * * *`, () => {
            this.sent += text.length;
        });
        // The patient has said that the drug was taken.
        setImmediate(() => task.stop());
    }
}

const reminders = new Reminders(9000);

twice(900, async (from, to) => {
    for (let number = from; number < to; number++) {
        const patient = reminders.patients[random(9000)];
        reminders.remind(patient, patient.drugs[number % 3]);
        if (number % 20 === 0) await new Promise((resolve) => setTimeout(resolve, 1));
    }
    await new Promise((resolve) => setTimeout(resolve, 5));
});
