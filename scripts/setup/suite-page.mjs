import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { build } from 'esbuild'
import { chromiumFlags, ensureChromium } from './chromium.mjs'

const root = path.resolve(import.meta.dirname, '../..')

/**
 * The script of a suite's page, `page.ts` in its folder: one file, for a page at the root of its host.
 * @param {string} folder
 * @returns {Promise<string>}
 */
export async function bundleSuitePage(folder) {
  const result = await build({
    entryPoints: [path.join(folder, 'page.ts')],
    absWorkingDir: root,
    tsconfig: path.join(root, 'tsconfig.json'),
    bundle: true,
    write: false,
    format: 'iife',
    platform: 'browser',
    target: 'es2022',
    define: { 'process.env.NOD_BASE_PATH': "''", 'process.env.NOD_FILES': "''" },
    logLevel: 'error',
  })
  return result.outputFiles[0]?.text ?? ''
}

/**
 * A Chromium with a temporary profile on disk, because a private context would keep its databases in memory.
 * @param {import('./cleanups.mjs').Cleanups} cleanups
 * @returns {Promise<import('@playwright/test').BrowserContext>}
 */
export async function openSuiteBrowser(cleanups) {
  const executablePath = await ensureChromium()
  const { chromium } = await import('@playwright/test')
  const profile = await mkdtemp(path.join(tmpdir(), 'nod-suite-'))
  cleanups.add(() => rm(profile, { recursive: true, force: true }))
  const context = await chromium.launchPersistentContext(profile, { executablePath, args: chromiumFlags })
  cleanups.add(() => context.close())
  return context
}

/**
 * A page of a suite, once its script has defined its own global.
 * @param {import('@playwright/test').BrowserContext} context
 * @param {string} url
 * @param {string} part A global of the page's script.
 */
export async function openSuitePage(context, url, part) {
  const page = await context.newPage()
  await page.goto(url)
  await page.waitForFunction((name) => name in globalThis, part)
  return page
}
