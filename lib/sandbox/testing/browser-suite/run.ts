// Runs the suites that need a real browser: the sandbox against malicious code, the files of a conversation against
// crashes, other tabs and a full disk. `npx tsx lib/sandbox/testing/browser-suite/run.ts [words of a case's name]`
// prints one line per case.
import '@/lib/i18n/server-messages'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { BrowserContext, Page } from '@playwright/test'
import { buildSandboxFiles } from '@/scripts/build-sandbox.mjs'
import { cMapSources } from '@/scripts/pdf-reader.mjs'
import { readPyodideFiles, wheelSources } from '@/scripts/pyodide-files.mjs'
import { createCleanups } from '@/scripts/setup/cleanups.mjs'
import { bundleSuitePage, openSuiteBrowser, openSuitePage } from '@/scripts/setup/suite-page.mjs'
import { differencesInPage } from '@/scripts/node-snippets/run-in-page.mjs'
import { snippets } from '@/scripts/node-snippets/snippets.mjs'
import { everyFew, isNightly } from '@/scripts/test/nightly'
import { fileCases } from './file-cases'
import { addedPackages, packageCases } from './package-cases'
import { pythonCases } from './python-cases'
import { checkSandboxCase, sandboxCases } from './sandbox-cases'
import { showCases } from './show-cases'
import { sideCases } from './side-cases'
import { pythonToolCases, toolCases } from './tool-cases'
import { startApp, startAttacker, type Attacker } from './servers'

const isCommand = process.argv[1] === fileURLToPath(import.meta.url)

const ofThisRun = <T extends { readonly nightly?: true }>(cases: readonly T[]): readonly T[] =>
  cases.filter(({ nightly }) => isNightly || isCommand || nightly !== true)

/** The cases of this run, by their group. */
export const suiteCases = {
  sandbox: ofThisRun([...sandboxCases, ...toolCases, ...pythonCases, ...pythonToolCases, ...packageCases]),
  side: ofThisRun(sideCases),
  // All of them nightly, also without a browser: node-snippets.nightly.test.ts.
  node: isCommand ? snippets : everyFew(snippets, 3),
  show: showCases,
  files: ofThisRun(fileCases),
}

type Cleanups = ReturnType<typeof createCleanups>

type App = Awaited<ReturnType<typeof startApp>>

export interface BrowserSuite {
  readonly app: App
  readonly attacker: Attacker
  readonly context: BrowserContext
  /** Opens the suite's page, at the app's address or another. */
  readonly newPage: (url?: string) => Promise<Page>
  readonly close: () => Promise<void>
}

export interface CaseResult {
  readonly suite: string
  readonly name: string
  readonly error: string | null
  readonly ms: number
  /** The longest time between two animation frames of the page. */
  readonly gapMs?: number
}

/** Starts the app's and the attacker's servers and a browser; if one of them can't be started, all are closed. */
export async function openSuite(): Promise<BrowserSuite> {
  const cleanups = createCleanups()
  try {
    return await startSuite(cleanups)
  } catch (error) {
    await cleanups.close().catch(() => {})
    throw error
  }
}

async function startSuite(cleanups: Cleanups): Promise<BrowserSuite> {
  const copied = Object.entries({ ...(await cMapSources()), ...wheelSources }).map(
    async ([name, source]) => [name, await readFile(String(source))] as const,
  )
  const files = {
    ...(await buildSandboxFiles()),
    ...(await readPyodideFiles()),
    ...Object.fromEntries(await Promise.all(copied)),
  }
  const served = Object.entries(files).map(([name, text]) => [name.replace(/^public/, ''), text])
  const app = await startApp({
    ...Object.fromEntries(served),
    ...addedPackages,
    '/suite.js': await bundleSuitePage(import.meta.dirname),
  })
  cleanups.add(() => app.close())
  const attacker = await startAttacker()
  cleanups.add(() => attacker.close())
  const context = await openSuiteBrowser(cleanups)
  const newPage = (url = app.url) => openSuitePage(context, url, 'suite')
  return { app, attacker, context, newPage, close: cleanups.close }
}

async function crash(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page)
  const crashed = new Promise((resolve) => page.once('crash', resolve))
  // Never answered: the process that would answer is gone.
  void session.send('Page.crash').catch(() => {})
  await crashed
  await page.close().catch(() => {})
}

async function quota(page: Page, bytes: number | null): Promise<void> {
  const session = await page.context().newCDPSession(page)
  const origin = new URL(page.url()).origin
  await session.send('Storage.overrideQuotaForOrigin', bytes === null ? { origin } : { origin, quotaSize: bytes })
}

/** A `fetch` in the code under test to the app itself and to the attacker. */
const withAddresses = (code: string, { app, attacker }: BrowserSuite): string =>
  code.replaceAll('HOST', attacker.host).replaceAll('STUN', attacker.stun).replaceAll('APP/', `${app.url}/`)

interface SuiteOptions {
  readonly contractNames?: readonly string[]
  readonly only?: string
  readonly report?: (result: CaseResult) => void
}

/** Runs every case whose name contains `only`, and reports each to `report`. */
export async function runBrowserSuite({ contractNames = [], only = '', report }: SuiteOptions = {}) {
  const suite = await openSuite()
  const results: CaseResult[] = []
  const attempt = async (group: string, name: string, body: () => Promise<{ readonly gapMs: number } | void>) => {
    if (!name.includes(only)) return
    const startedAt = performance.now()
    let error: string | null = null
    let extra: { readonly gapMs?: number } = {}
    try {
      extra = (await body()) ?? {}
    } catch (thrown) {
      error = thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown)
    }
    const result: CaseResult = { suite: group, name, error, ms: Math.round(performance.now() - startedAt), ...extra }
    results.push(result)
    report?.(result)
  }
  try {
    const page = await suite.newPage()
    for (const each of suiteCases.sandbox) {
      await attempt('sandbox', each.name, async () => {
        suite.attacker.hits.length = 0
        if (each.breakBefore) await page.evaluate(() => document.querySelector('iframe')?.remove())
        const { name: _name, expect: _expect, value: _value, breakBefore: _break, nightly: _nightly, ...request } = each
        const run = { ...request, code: withAddresses(each.code, suite) }
        const outcome = await page.evaluate((given) => globalThis.suite.run(given), run)
        checkSandboxCase(each, outcome, suite.attacker.hits)
        return { gapMs: Math.round(outcome.frameGapMs) }
      })
    }
    for (const each of suiteCases.side) {
      await attempt('sandbox', each.name, async () => {
        each.expect(await page.evaluate((given) => globalThis.suite.runTogether(given), each.runs))
      })
    }
    for (const snippet of suiteCases.node) {
      await attempt('node', snippet.name, async () => {
        const different = await differencesInPage(page, snippet)
        if (different.length > 0) throw new Error(different.join('\n'))
      })
    }
    for (const each of suiteCases.show) {
      await attempt('show', each.name, () => each.run({ page, attacker: suite.attacker }))
    }
    for (const name of contractNames) {
      await attempt('files', name, () => page.evaluate((given) => globalThis.suite.runContractCase(given), name))
    }
    await page.close()
    for (const each of suiteCases.files) {
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

if (isCommand) {
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
