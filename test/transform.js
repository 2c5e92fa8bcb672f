const { transformSync } = require('esbuild');

/** Makes JavaScript of a test or source for jest. `tsc -b` checks the types. */
module.exports = {
  process(text, file) {
    const { code } = transformSync(text, {
      loader: 'ts',
      format: 'cjs',
      target: 'es2023',
      sourcefile: file,
      sourcemap: 'inline',
      sourcesContent: false,
    });
    return { code };
  },
};
