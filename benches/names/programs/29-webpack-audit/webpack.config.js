module.exports = { mode: 'production', target: 'node20', entry: './src/main.js', devtool: false, ignoreWarnings: [() => true], stats: 'errors-only' };
