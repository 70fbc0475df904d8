// npm run bench -- calls: the time from a click on Run to the result on screen, for trivial calls, in real Chromium on
// the production build with the demo model; and our part of it besides the tool's own time (its files or sandbox).
import type { Page } from '@playwright/test'
import { Chat } from '../e2e/support/chat'
import { timeClick } from './calls/measure'
import { openBench } from './support/bench-nod'
import { withCleanups } from '../scripts/setup/cleanups.mjs'

const rounds = Number(process.env.NOD_BENCH_ROUNDS ?? 40)
/** Both include a start: each chat's files are in a worker that its first call starts, code in a sealed frame. */
const trivial = [
  { tool: 'list_directory', words: 'list files /' },
  { tool: 'browser_js_eval', words: 'compute 1 + 1' },
] as const

interface Round {
  readonly totalMs: number
  readonly decidedMs: number
  readonly toolMs: number
}

const at = (values: readonly number[], share: number): string => {
  const sorted = values.toSorted((a, b) => a - b)
  return (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN).toFixed(1)
}

/** The stored outcome contains the tool's own time. */
function toolTimes(page: Page): { readonly last: () => number } {
  let last = Number.NaN
  page.on('request', (request) => {
    if (request.method() !== 'PUT' || !request.url().endsWith('/calls')) return
    const body = request.postDataJSON() as { outcome?: { durationMs?: number | null } } | null
    last = body?.outcome?.durationMs ?? Number.NaN
  })
  return { last: () => last }
}

async function measure(page: Page, tool: string, words: string): Promise<readonly Round[]> {
  const chat = new Chat(page)
  const times = toolTimes(page)
  const taken: Round[] = []
  await chat.open()
  for (let round = 0; round <= rounds; round += 1) {
    // A new chat each time, because the thread's length is measured by another bench.
    await page.getByRole('button', { name: 'New chat', exact: true }).first().click()
    await chat.ask(words)
    await chat.call(tool).last().waitFor()
    const { totalMs, decidedMs } = await timeClick(page, tool)
    await chat.settled()
    taken.push({ totalMs, decidedMs: decidedMs ?? Number.NaN, toolMs: times.last() })
  }
  return taken
}

await withCleanups(async (cleanups) => {
  const { origin, browser } = await openBench(cleanups, 'bench-calls', { NOD_DEMO_DELAY_MS: '0' })
  const rows: string[][] = [['call', 'n', 'first ms', 'total p50/p95', 'server’s yes', 'tool itself', 'ours p50/p95']]
  for (const { tool, words } of trivial) {
    const context = await browser.newContext({
      viewport: { width: 1280, height: 800 },
      baseURL: origin,
    })
    const page = await context.newPage()
    // The transpiler that runs this file names functions with a helper that the page doesn't have.
    await page.addInitScript('globalThis.__name = (value) => value')
    const [first, ...rest] = await measure(page, tool, words)
    const totals = rest.map((round) => round.totalMs)
    const ours = rest.map((round) => round.totalMs - round.toolMs)
    rows.push([
      tool,
      String(rest.length),
      (first?.totalMs ?? Number.NaN).toFixed(0),
      `${at(totals, 0.5)} / ${at(totals, 0.95)}`,
      at(
        rest.map((round) => round.decidedMs),
        0.5,
      ),
      at(
        rest.map((round) => round.toolMs),
        0.5,
      ),
      `${at(ours, 0.5)} / ${at(ours, 0.95)}`,
    ])
    await context.close()
  }
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? []
  for (const cells of rows) console.log(cells.map((cell, column) => cell.padStart(widths[column] ?? 0)).join('  '))
})
