import path from 'node:path'
import { defineConfig } from '@playwright/test'
import { appUrl, basePath, modelServerUrl } from './e2e/support/addresses'
import { serverEnv } from './e2e/support/server-env'
import { chromiumFlags } from './scripts/setup/chromium.mjs'
import { readBrowser } from './scripts/setup/browsers.mjs'
import { serverEntry } from './scripts/setup/paths.mjs'

// Long ones whose ground unit tests and other journeys hold on each change: nightly, and whenever they are named. So
// are single journeys with the tag @nightly.
const nightly = ['approval-look', 'faults', 'llama'].map((name) => `${name}.spec.ts`)

const browser =
  readBrowser() === 'firefox'
    ? {
        browserName: 'firefox' as const,
        // A released one by WebDriver BiDi; what Playwright asks of it and it does not know is answered on the way.
        channel: 'moz-firefox',
        launchOptions: {
          executablePath: path.resolve('scripts/setup/firefox/launch.mjs'),
          // Each page is as if it had the focus, also where several browsers run.
          firefoxUserPrefs: { 'ui.prefersReducedMotion': 1, 'focusmanager.testmode': true },
        },
      }
    : {
        launchOptions: {
          args: chromiumFlags,
          ...(process.env.CHROMIUM_PATH ? { executablePath: path.resolve('scripts/setup/chromium.sh') } : {}),
        },
      }

// Whole journeys against a production build. Three at a time on two cores: each of them mostly waits. Each worker has a
// browser and ports of its own; the server is one, as for people who share it.
export default defineConfig({
  testDir: 'e2e',
  // Journeys for their pictures alone: `npm run generate -- pictures`.
  testIgnore: [
    ...(process.env.NOD_PICTURES ? [] : ['pictures/**']),
    ...(process.env.NOD_TESTS === 'all' ? [] : nightly),
  ],
  // Each test is by itself, so that shards and workers come out even.
  fullyParallel: true,
  workers: Number(process.env.NOD_E2E_WORKERS ?? 3),
  ...(process.env.NOD_TESTS === 'all' ? {} : { grepInvert: /@nightly/ }),
  forbidOnly: true,
  retries: 0,
  // A journey is no timing: it only ends one that hangs, on machines several times as slow as ours, too.
  timeout: 240_000,
  expect: { timeout: 20_000 },
  reporter: [['list'], ['json', { outputFile: process.env.PLAYWRIGHT_JSON_OUTPUT_NAME ?? '.cache/playwright.json' }]],
  outputDir: 'test-results',
  use: {
    baseURL: appUrl,
    // Only the journey that is about it has one: what goes through a service worker goes past `page.route`.
    serviceWorkers: 'block',
    // Each step's page is kept where it is asked for, as it costs a tenth of the time:
    // `NOD_TRACE=on npm test -- e2e FILE`.
    trace: process.env.NOD_TRACE === 'on' ? { mode: 'retain-on-failure', screenshots: false } : 'off',
    // Motion is a tenth, too, where it is drawn without a GPU. The journeys of looks have it.
    contextOptions: { reducedMotion: 'reduce' },
    ...browser,
  },
  webServer: [
    { command: 'tsx e2e/support/serve-models.ts', url: `${modelServerUrl}/v1/models`, timeout: 30_000 },
    {
      command: `node ${serverEntry('.')}`,
      url: `${appUrl}/api/ready`,
      timeout: 60_000,
      env: { ...serverEnv('.cache/e2e-data'), HOST: '127.0.0.1', PORT: new URL(appUrl).port, NOD_BASE_PATH: basePath },
    },
  ],
})
