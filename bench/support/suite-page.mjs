// Opens a page in Chromium that runs a bench's suite beside this app's file worker.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { chromium } from '@playwright/test'
import { build } from 'esbuild'
import { startApp } from '../../lib/sandbox/testing/browser-suite/servers.ts'
import { buildSandboxFiles } from '../../scripts/build-sandbox.mjs'
import { chromiumFlags, ensureChromium } from '../../scripts/setup/chromium.mjs'

const root = path.resolve(import.meta.dirname, '../..')

/**
 * Bundles one file of a checkout for the browser.
 *
 * @param {string} folder The checkout.
 * @param {string} entry In the checkout.
 * @param {Pick<import('esbuild').BuildOptions, 'format' | 'target'>} options
 */
export async function bundleOf(folder, entry, options = {}) {
  const { outputFiles } = await build({
    entryPoints: [path.join(folder, entry)],
    absWorkingDir: folder,
    tsconfig: path.join(folder, 'tsconfig.json'),
    bundle: true,
    write: false,
    minify: true,
    format: 'iife',
    platform: 'browser',
    target: 'es2024',
    define: { 'process.env.NOD_BASE_PATH': "''", 'process.env.NOD_FILES': "''" },
    logLevel: 'error',
    ...options,
  })
  return outputFiles?.[0]?.text ?? ''
}

/**
 * The page has the suite as `globalThis.suite`.
 *
 * @param {import('../../scripts/setup/cleanups.mjs').Cleanups} cleanups
 * @param {string} entry The suite's file, like `bench/vfs/page.ts`.
 * @param {Record<string, string>} files More files that the page may load, by path.
 */
export async function openSuite(cleanups, entry, files = {}) {
  const built = await buildSandboxFiles()
  const app = await startApp({
    '/suite.js': await bundleOf(root, entry),
    '/workers/vfs.js': built['public/workers/vfs.js'] ?? '',
    ...files,
  })
  cleanups.add(() => app.close())
  const profile = await mkdtemp(path.join(tmpdir(), 'nod-bench-'))
  cleanups.add(() => rm(profile, { recursive: true, force: true }))
  const executablePath = await ensureChromium()
  const context = await chromium.launchPersistentContext(profile, { executablePath, args: chromiumFlags })
  cleanups.add(() => context.close())
  const page = await context.newPage()
  return {
    page,
    version: context.browser()?.version() ?? '',
    /** Loads the page, after any init scripts were added. */
    async load() {
      await page.goto(app.url)
      await page.waitForFunction(() => 'suite' in globalThis)
    },
  }
}
