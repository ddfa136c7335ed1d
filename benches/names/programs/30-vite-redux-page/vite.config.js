export default { build: { sourcemap: true, rollupOptions: { output: { entryFileNames: 'assets/[name].js' } } } };
