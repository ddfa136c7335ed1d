// Legitimate tables beside a leak, larger than it, and filled before most of it: a program has one of them. CORPUS_DECOY=KIND,MB,lazy
// names its number, its size, and whether it is filled with the first requests or before them all.
'use strict';

// With its own seed: the values of a program do not depend on its decoy.
let state = 20261129;
const WORDS = ('north alpine express standard premium regional depot sector branch annex valley ridge ' +
    'quarter plaza junction terminal gallery pavilion orchard quarry').split(' ');

function words(count) {
    return Array.from({ length: count }, () => {
        state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff;
        return WORDS[(state >> 8) % WORDS.length];
    }).join(' ');
}

// A row and its share of the table, in bytes: about the same for all kinds.
const ROW = 300;

class Address {
    constructor(number) {
        this.code = `PC-${100000 + number}`;
        this.street = words(4);
        this.town = words(3);
        this.latitude = number / 90 + 0.25;
    }
}

class PostalDirectory {
    static addressesByCode = new Map();
    static add(number) {
        this.addressesByCode.set(`PC-${100000 + number}`, new Address(number));
    }
}

class TariffBook {
    static tariffLines = [];
    static add(number) {
        this.tariffLines.push({ line: number, heading: words(6), text: words(14), price: number / 100 + 0.001 });
    }
}

class BranchNetwork {
    static branchesByNumber = {};
    static add(number) {
        this.branchesByNumber[`B${number}`] = { number, town: words(3), manager: words(2), hours: [words(3), words(3)] };
    }
}

class SpareParts {
    static partsInStock = new Map();
    static add(number) {
        this.partsInStock.set(number, [`part-${number}`, words(8), number % 70, words(10)]);
    }
}

class DistrictAtlas {
    static outlinesByDistrict = Object.create(null);
    static add(number) {
        this.outlinesByDistrict[`district-${number}`] = Array.from({ length: 24 }, (_, at) => number + at / 7 + 0.1);
    }
}

class EmployeeRegister {
    static employeesByBadge = [];
    static add(number) {
        this.employeesByBadge.push([`badge-${number}`, words(2), words(5), new Date(1.6e12 + number * 1000)]);
    }
}

/** The decoy of this program, or undefined: `fill()` adds its next part, and nothing after the last. */
function ofProgram() {
    const [kind, megabytes, when] = (process.env.CORPUS_DECOY ?? '').split(',');
    if (!when) return undefined;
    // The list of kinds is not kept: a finding names the class.
    const table = [PostalDirectory, TariffBook, BranchNetwork, SpareParts, DistrictAtlas, EmployeeRegister][kind];
    const rows = Math.floor(megabytes * 1e6 / ROW);
    const parts = when === 'lazy' ? 3 : 1;
    let part = 0;
    const fill = () => {
        if (part >= parts) return;
        for (let row = Math.floor(rows * part / parts); row < Math.floor(rows * (part + 1) / parts); row++) table.add(row);
        part++;
    };
    return { fill, isLazy: parts > 1 };
}

module.exports = { ofProgram };
