import commonjs from '@rollup/plugin-commonjs';
import resolve from '@rollup/plugin-node-resolve';
import terser from '@rollup/plugin-terser';

export default {
    input: 'src/main.js',
    output: { file: 'dist/catalogue.cjs', format: 'cjs', sourcemap: true },
    plugins: [resolve({ preferBuiltins: true }), commonjs(), terser({ module: true })],
};
