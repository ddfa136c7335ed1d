//! A gateway that subscribes to the topic of each device for a moment, with MQTT.js 4.3: `MqttClient.messageIdToTopic` keeps the topics of each
//! subscription ever made, although it was acknowledged. Large and legitimate: the devices.
//: package mqtt@4.3.7 mqtt-packet@6.10.0
//: fixed mqtt@5.0.0 mqtt-packet@6.10.0
//: issue mqttjs/MQTT.js#1535
//: libraries MQTT.js
//: holder MqttClient\.messageIdToTopic
//: set tuned
'use strict';
const net = require('net');
const { once } = require('events');
const mqtt = require('mqtt');
const packets = require('mqtt-packet');
const { random, words, id, twice } = require('../../js/corpus.js');

/** A broker that acknowledges and keeps nothing. */
const broker = net.createServer((socket) => {
    const parser = packets.parser({ protocolVersion: 4 });
    const answer = (packet) => socket.write(packets.generate(packet));
    parser.on('packet', ({ cmd, messageId }) => {
        if (cmd === 'connect') answer({ cmd: 'connack', returnCode: 0, sessionPresent: false });
        if (cmd === 'subscribe') answer({ cmd: 'suback', messageId, granted: [0, 0, 0] });
        if (cmd === 'unsubscribe') answer({ cmd: 'unsuback', messageId });
    });
    socket.on('data', (data) => parser.parse(data));
});

class Device {
    constructor(number) {
        this.serial = id('device', number);
        this.place = words(3);
        this.values = Array.from({ length: 5 }, () => random(1000) / 10);
    }
}

(async () => {
    broker.listen(0, '127.0.0.1');
    await once(broker, 'listening');
    const devices = Array.from({ length: 12000 }, (_, number) => new Device(number));
    const client = mqtt.connect({ host: '127.0.0.1', port: broker.address().port });
    await once(client, 'connect');
    const wait = (begin) => new Promise((resolve, reject) => begin((error) => (error ? reject(error) : resolve())));
    await twice(1700, async (from, to) => {
        for (let number = from; number < to; number++) {
            const { serial, place } = devices[random(12000)];
            const topics = ['state', 'values', 'alarm'].map((kind) => `site/${place.replace(/ /g, '-')}/${serial}/${number}/${kind}`);
            await wait((done) => client.subscribe(topics, done));
            await wait((done) => client.unsubscribe(topics, done));
        }
    });
})();
