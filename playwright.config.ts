import path from 'node:path'
import { defineConfig } from '@playwright/test'
import { appUrl, basePath, modelServerUrl } from './e2e/support/addresses'
import { serverEnv } from './e2e/support/server-env'
import { chromiumFlags } from './scripts/setup/chromium.mjs'
import { readBrowser } from './scripts/setup/browsers.mjs'
import { serverEntry } from './scripts/setup/paths.mjs'

// Long journeys, whose subject other tests cover on each change: they run nightly, and whenever they are named. The
// same applies to single journeys with the tag @nightly.
const nightly = ['approval-look', 'faults', 'llama'].map((name) => `${name}.spec.ts`)

const browser =
  readBrowser() === 'firefox'
    ? {
        browserName: 'firefox' as const,
        // A released Firefox, driven by WebDriver BiDi. The launcher answers commands that it does not support.
        channel: 'moz-firefox',
        launchOptions: {
          executablePath: path.resolve('scripts/setup/firefox/launch.mjs'),
          // Each page behaves as if it had the focus, also if several browsers run.
          firefoxUserPrefs: { 'ui.prefersReducedMotion': 1, 'focusmanager.testmode': true },
        },
      }
    : {
        launchOptions: {
          args: chromiumFlags,
          ...(process.env.CHROMIUM_PATH ? { executablePath: path.resolve('scripts/setup/chromium.sh') } : {}),
        },
      }

// Whole journeys against a production build. Three run at a time on two cores, because each mostly waits. Each worker
// has its own browser and ports; all share one server, like its users.
export default defineConfig({
  testDir: 'e2e',
  // These journeys only take pictures: `npm run generate -- pictures`.
  testIgnore: [
    ...(process.env.NOD_PICTURES ? [] : ['pictures/**']),
    ...(process.env.NOD_TESTS === 'all' ? [] : nightly),
  ],
  // Tests are distributed one by one, so that shards and workers take equally long.
  fullyParallel: true,
  workers: Number(process.env.NOD_E2E_WORKERS ?? 3),
  ...(process.env.NOD_TESTS === 'all' ? {} : { grepInvert: /@nightly/ }),
  forbidOnly: true,
  retries: 0,
  // Both only end what hangs, also on machines that are several times slower than ours.
  timeout: 240_000,
  expect: { timeout: 45_000 },
  reporter: [['list'], ['json', { outputFile: process.env.PLAYWRIGHT_JSON_OUTPUT_NAME ?? '.cache/playwright.json' }]],
  outputDir: 'test-results',
  use: {
    baseURL: appUrl,
    // `page.route` does not see requests of a service worker, so only its own journey has one.
    serviceWorkers: 'block',
    // Traces take a tenth of the time, so they are recorded only on request: `NOD_TRACE=on npm test -- e2e FILE`.
    trace: process.env.NOD_TRACE === 'on' ? { mode: 'retain-on-failure', screenshots: false } : 'off',
    // Without a GPU, motion takes a tenth of the time, too. The journeys that take pictures enable it.
    contextOptions: { reducedMotion: 'reduce' },
    ...browser,
  },
  webServer: [
    { command: 'tsx e2e/support/serve-models.ts', url: `${modelServerUrl}/v1/models`, timeout: 120_000 },
    {
      command: `node ${serverEntry('.')}`,
      url: `${appUrl}/api/ready`,
      timeout: 120_000,
      env: { ...serverEnv('.cache/e2e-data'), HOST: '127.0.0.1', PORT: new URL(appUrl).port, NOD_BASE_PATH: basePath },
    },
  ],
})
