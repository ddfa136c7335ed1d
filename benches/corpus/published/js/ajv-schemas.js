//! A form service that compiles the schema of each answer with one Ajv 8: the schema object is the key of `Ajv._cache`, so that no
//! two calls share a compiled schema. Large and legitimate: the registered forms.
//: package ajv@8.11.0
//: issue ajv-validator/ajv#1413
//: libraries Ajv
//: holder (Ajv|Ajv2020)\.(_cache|scope)
//: set tuned
'use strict';
const Ajv = require('ajv');
const { random, words, id, twice } = require('../../js/corpus.js');

class Form {
    constructor(number) {
        this.code = id('form', number);
        this.title = words(4);
        this.owner = { name: words(2), office: words(1) };
        this.fields = Array.from({ length: 5 }, () => ({ name: words(1), longest: 20 + random(200) }));
    }

    /** The schema of the form as it is now. */
    schema() {
        const properties = {};
        for (const { name, longest } of this.fields) properties[name] = { type: 'string', maxLength: longest };
        return { type: 'object', properties, required: ['name'], additionalProperties: true };
    }
}

class FormService {
    constructor(size) {
        this.ajv = new Ajv();
        this.forms = Array.from({ length: size }, (_, number) => new Form(number));
        this.refused = 0;
    }

    submit(form, answer) {
        const valid = this.ajv.validate(form.schema(), answer);
        if (!valid) this.refused++;
    }
}

const service = new FormService(9000);

twice(350, async (from, to) => {
    for (let number = from; number < to; number++) {
        service.submit(service.forms[random(9000)], { name: words(2), order: words(2), city: words(1) });
        await new Promise((resolve) => setImmediate(resolve));
    }
});
