// Runs the suites that need a real browser: the sandbox against code that means harm, the files of a conversation against
// crashes, other tabs and a full disk. `node scripts/browser-suite/run.mjs [words of a case's name]` prints a line a case.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { chromium } from '@playwright/test'
import { build } from 'esbuild'
import { buildSandboxFiles } from '../build-sandbox.mjs'
import { readPyodideFiles } from '../pyodide-files.mjs'
import { chromiumFlags, ensureChromium } from '../setup/chromium.mjs'
import { createCleanups } from '../setup/cleanups.mjs'
import { differencesInPage } from '../node-snippets/run-in-page.mjs'
import { snippets } from '../node-snippets/snippets.mjs'
import { fileCases } from './file-cases.mjs'
import { pythonCases } from './python-cases.mjs'
import { checkSandboxCase, sandboxCases } from './sandbox-cases.mjs'
import { showCases } from './show-cases.mjs'
import { sideCases } from './side-cases.mjs'
import { startApp, startAttacker } from './servers.mjs'

const root = path.resolve(import.meta.dirname, '../..')

async function bundlePage() {
  const result = await build({
    entryPoints: [path.join(import.meta.dirname, 'page.ts')],
    absWorkingDir: root,
    tsconfig: path.join(root, 'tsconfig.json'),
    bundle: true,
    write: false,
    format: 'iife',
    platform: 'browser',
    target: 'es2022',
    logLevel: 'error',
  })
  return result.outputFiles[0].text
}

/** Starts the app's and the attacker's servers and a browser; when one of them can't be started, none is left behind. */
export async function openSuite() {
  const cleanups = createCleanups()
  try {
    return await startSuite(cleanups)
  } catch (error) {
    await cleanups.close().catch(() => {})
    throw error
  }
}

async function startSuite(cleanups) {
  const executablePath = await ensureChromium()
  const files = { ...(await buildSandboxFiles()), ...(await readPyodideFiles()) }
  const served = Object.entries(files).map(([name, text]) => [name.replace(/^public/, ''), text])
  const app = await startApp({ ...Object.fromEntries(served), '/suite.js': await bundlePage() })
  cleanups.add(() => app.close())
  const attacker = await startAttacker()
  cleanups.add(() => attacker.close())
  // A profile on disk: a private context would keep its databases in memory.
  const profile = await mkdtemp(path.join(tmpdir(), 'nod-suite-'))
  cleanups.add(() => rm(profile, { recursive: true, force: true }))
  const context = await chromium.launchPersistentContext(profile, { executablePath, args: chromiumFlags })
  cleanups.add(() => context.close())
  const newPage = async (url = app.url) => {
    const page = await context.newPage()
    await page.goto(url)
    await page.waitForFunction(() => 'suite' in globalThis)
    return page
  }
  return { app, attacker, context, newPage, close: cleanups.close }
}

async function crash(page) {
  const session = await page.context().newCDPSession(page)
  const crashed = new Promise((resolve) => page.once('crash', resolve))
  // Never answered: the process that would answer is gone.
  void session.send('Page.crash').catch(() => {})
  await crashed
  await page.close().catch(() => {})
}

async function quota(page, bytes) {
  const session = await page.context().newCDPSession(page)
  const origin = new URL(page.url()).origin
  await session.send('Storage.overrideQuotaForOrigin', bytes === null ? { origin } : { origin, quotaSize: bytes })
}

/** A `fetch` in the code under test to the app itself and to the attacker. */
const withAddresses = (code, { app, attacker }) =>
  code.replaceAll('HOST', attacker.host).replaceAll('STUN', attacker.stun).replaceAll('APP/', `${app.url}/`)

/**
 * Runs every case whose name holds `only`; `report` hears of each: { suite, name, error: string | null, ms, gapMs? }.
 * @param {{ contractNames?: readonly string[], only?: string, report?: (result: any) => void }} options
 */
export async function runBrowserSuite({ contractNames = [], only = '', report = () => {} } = {}) {
  const suite = await openSuite()
  const results = []
  const attempt = async (group, name, body) => {
    if (!name.includes(only)) return
    const startedAt = performance.now()
    let error = null
    let extra = {}
    try {
      extra = (await body()) ?? {}
    } catch (thrown) {
      error = String(thrown?.stack ?? thrown)
    }
    const result = { suite: group, name, error, ms: Math.round(performance.now() - startedAt), ...extra }
    results.push(result)
    report(result)
  }
  try {
    const page = await suite.newPage()
    for (const each of [...sandboxCases, ...pythonCases]) {
      await attempt('sandbox', each.name, async () => {
        suite.attacker.hits.length = 0
        if (each.breakBefore) await page.evaluate(() => document.querySelector('iframe')?.remove())
        const { name: _name, expect: _expect, value: _value, breakBefore: _break, ...request } = each
        const run = { ...request, code: withAddresses(each.code, suite) }
        const outcome = await page.evaluate((given) => globalThis.suite.run(given), run)
        checkSandboxCase(each, outcome, suite.attacker.hits)
        return { gapMs: Math.round(outcome.frameGapMs) }
      })
    }
    for (const each of sideCases) {
      await attempt('sandbox', each.name, async () => {
        each.expect(await page.evaluate((given) => globalThis.suite.runTogether(given), each.runs))
      })
    }
    for (const snippet of snippets) {
      await attempt('node', snippet.name, async () => {
        const different = await differencesInPage(page, snippet)
        if (different.length > 0) throw new Error(different.join('\n'))
      })
    }
    for (const each of showCases) {
      await attempt('show', each.name, () => each.run({ page, attacker: suite.attacker }))
    }
    for (const name of contractNames) {
      await attempt('files', name, () => page.evaluate((given) => globalThis.suite.runContractCase(given), name))
    }
    await page.close()
    for (const each of fileCases) {
      await attempt('files', each.name, async () => {
        await each.run({ newPage: suite.newPage, otherOrigin: suite.app.otherUrl, crash, quota })
        await Promise.all(suite.context.pages().map((open) => open.close()))
      })
    }
  } finally {
    await suite.close()
  }
  return results
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const results = await runBrowserSuite({
    only: process.argv.slice(2).join(' '),
    report: ({ suite, name, error, ms, gapMs }) =>
      console.log(
        `${error === null ? 'ok  ' : 'FAIL'} ${String(ms).padStart(6)} ms ${gapMs ?? ''} ${suite}: ${name}${error === null ? '' : `\n${error}`}`,
      ),
  })
  const failed = results.filter((result) => result.error !== null).length
  console.log(`${results.length - failed} passed, ${failed} failed`)
  process.exitCode = failed > 0 ? 1 : 0
}
