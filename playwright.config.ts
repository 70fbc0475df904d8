import { defineConfig } from '@playwright/test'
import { appUrl, basePath, modelServerUrl } from './e2e/support/addresses'
import { serverEnv } from './e2e/support/server-env'
import { chromiumFlags } from './scripts/setup/chromium.mjs'
import { serverEntry } from './scripts/setup/paths.mjs'

// Whole journeys against a production build. Two at a time: where one waits for a page, the other one works. Each worker has a
// browser and ports of its own; the server is one, as for people who share it.
export default defineConfig({
  testDir: 'e2e',
  // Journeys for their pictures alone: `npm run pictures`.
  testIgnore: process.env.NOD_PICTURES ? [] : ['pictures/**'],
  // Each test is by itself, so that shards and workers come out even.
  fullyParallel: true,
  workers: Number(process.env.NOD_E2E_WORKERS ?? 2),
  forbidOnly: true,
  retries: 0,
  timeout: 60_000,
  expect: { timeout: 10_000 },
  reporter: [['list'], ['json', { outputFile: process.env.PLAYWRIGHT_JSON_OUTPUT_NAME ?? '.cache/playwright.json' }]],
  outputDir: 'test-results',
  use: {
    baseURL: appUrl,
    // Without its pictures: taking them costs more than all else together, and the page itself is in the trace.
    trace: { mode: 'retain-on-failure', screenshots: false },
    launchOptions: {
      args: chromiumFlags,
      ...(process.env.CHROMIUM_PATH ? { executablePath: process.env.CHROMIUM_PATH } : {}),
    },
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
