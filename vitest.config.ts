import { availableParallelism } from 'node:os'
import path from 'node:path'
import react from '@vitejs/plugin-react'
import { defaultExclude, defineConfig } from 'vitest/config'
import { LongOnesFirst } from './scripts/test/long-ones-first.ts'
import { groupTestFiles } from './scripts/test/group-files.ts'

const patterns = ['{app,bench,components,lib,scripts}/**/*.test.{ts,tsx}', '*.test.ts']
const { pages, shared } = groupTestFiles(import.meta.dirname, patterns)
// What takes minutes and rarely tells: nightly, and whenever it is named.
const nightly = process.env.NOD_TESTS === 'all' ? [] : ['**/*.nightly.test.ts']

// Unit, contract and property tests live beside the code. A file that needs a DOM says so in its first line:
// `// @vitest-environment jsdom`.
export default defineConfig({
  plugins: [react()],
  resolve: { alias: { '@': path.resolve(import.meta.dirname) } },
  test: {
    environment: 'node',
    setupFiles: ['./vitest.setup.ts'],
    globalSetup: ['./lib/server/store/testing/shared-postgres.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // One more than two cores: the longest files mostly wait, for a browser, for databases and for programs that they start.
    maxWorkers: Number(process.env.NOD_UNIT_WORKERS ?? Math.max(3, availableParallelism() - 1)),
    sequence: { sequencer: LongOnesFirst },
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: patterns,
          exclude: [...defaultExclude, ...nightly, ...shared, ...pages],
          env: { NOD_TEST_STORE: 'sqlite' },
        },
      },
      // Each file with a page has a context of its own in a process that has loaded jsdom already.
      {
        extends: true,
        test: {
          name: 'page',
          include: pages,
          exclude: [...defaultExclude, ...nightly],
          setupFiles: ['./scripts/test/page-globals.ts', './vitest.setup.ts'],
          pool: 'vmForks',
          env: { NOD_TEST_STORE: 'sqlite' },
        },
      },
      // What needs no process of its own: half of what such a file took was to load what the one before had loaded.
      {
        extends: true,
        test: {
          name: 'shared',
          include: shared,
          exclude: [...defaultExclude, ...nightly],
          isolate: false,
          env: { NOD_TEST_STORE: 'sqlite' },
        },
      },
      // What depends on the store runs a second time, on the other one. What a prompt holds does not depend on it.
      {
        extends: true,
        test: {
          name: 'postgres',
          include: [
            'lib/server/{chats/chat-service,chats/copy-grant,runs/run-log,chats/tab-runs}*.test.ts',
            'lib/server/store/ports/presets-damaged.test.ts',
            'lib/server/wiring/clock-steps.test.ts',
            'lib/client/mcp/call-faults.test.ts',
            'lib/client/calls/secret-rounds.test.ts',
            'app/api/**/routes*.test.ts',
          ],
          exclude: [...defaultExclude, ...nightly, '**/chat-service-{window,compaction}.test.ts'],
          env: { NOD_TEST_STORE: 'postgres' },
        },
      },
    ],
  },
})
