//! The dashboard of a fleet on MobX. Each page that is opened starts an autorun over the region of the fleet, and none is
//! disposed of. Large and legitimate: the vehicles with their observable positions, and the roads.
//: libraries MobX
//: holder \bobservers_|Fleet\.region\b
//: set tuned
//: leak 5.8
'use strict';
const { makeObservable, observable, action, autorun, runInAction } = require('mobx');
const { random, words, id, twice } = require('./corpus.js');

class Road {
    constructor(number) {
        this.code = id('road', number);
        this.name = words(3);
        this.points = Array.from({ length: 12 }, () => random(100000) / 1000 + 0.0001);
    }
}

class Vehicle {
    constructor(number) {
        this.plate = id('vehicle', number);
        this.driver = words(2);
        this.kilometres = random(300000);
        this.speed = 0;
        makeObservable(this, { kilometres: observable, speed: observable, drive: action });
    }

    drive(speed) {
        this.speed = speed;
        this.kilometres += speed / 60;
    }
}

class Fleet {
    constructor(vehicles, roads) {
        this.vehicles = Array.from({ length: vehicles }, (_, number) => new Vehicle(number));
        this.roads = new Map(Array.from({ length: roads }, (_, number) => [id('road', number), new Road(number)]));
        this.region = 'north';
        makeObservable(this, { region: observable });
    }

    fastest(count) {
        return this.vehicles.slice(0, count).map((vehicle) => `${vehicle.plate} ${vehicle.driver}`);
    }
}

class DashboardPage {
    constructor(fleet, user) {
        this.user = user;
        this.fleet = fleet;
        this.widgets = Array.from({ length: 6 }, (_, at) => ({ at, title: words(3), width: 200 + random(400), rows: [] }));
        this.heading = '';
    }

    open() {
        autorun(() => {
            this.heading = `${this.user}: ${this.fleet.region}`;
        }, { name: `page of ${this.user}` });
        for (const widget of this.widgets) widget.rows = this.fleet.fastest(4);
    }

    close() {
        this.heading = '';
    }
}

const fleet = new Fleet(1200, 5000);

twice(420, (from, to) => {
    for (let number = from; number < to; number++) {
        const page = new DashboardPage(fleet, id('user', number));
        page.open();
        fleet.vehicles[random(1200)].drive(random(120));
        if (number % 100 === 0) runInAction(() => { fleet.region = words(1); });
        page.close();
    }
});
