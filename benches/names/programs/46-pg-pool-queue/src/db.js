'use strict';
const { Pool } = require('pg');

module.exports = { connect: (port) => new Pool({ host: '127.0.0.1', port, max: 2 }) };
