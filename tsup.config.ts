import { defineConfig } from 'tsup'

export default defineConfig({
  // Subpath = folder = dist name.
  entry: {
    index: 'src/index.ts',
    node: 'src/adapters/node/index.ts',
    testing: 'src/adapters/testing/index.ts',
    tokenizer: 'src/adapters/tokenizer/index.ts',
    cli: 'src/cli/main.ts',
  },
  format: 'esm',
  target: 'node20',
  dts: {
    entry: {
      index: 'src/index.ts',
      node: 'src/adapters/node/index.ts',
      testing: 'src/adapters/testing/index.ts',
      tokenizer: 'src/adapters/tokenizer/index.ts',
    },
  },
  splitting: true,
  clean: true,
  treeshake: true,
  // tsup strips `node:` by default; the prefix is what keeps a package of that name from standing in.
  removeNodeProtocol: false,
})
