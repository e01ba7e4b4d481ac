import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

const src = (path: string) => fileURLToPath(new URL(`./src/${path}`, import.meta.url))

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    setupFiles: ['test/setup.ts'],
    testTimeout: 30_000,
    alias: [
      { find: /^soulprompt$/, replacement: src('index.ts') },
      { find: /^soulprompt\/node$/, replacement: src('adapters/node/index.ts') },
      { find: /^soulprompt\/testing$/, replacement: src('adapters/testing/index.ts') },
      { find: /^soulprompt\/tokenizer$/, replacement: src('adapters/tokenizer/index.ts') },
    ],
  },
})
