// npm run bench -- thread: a conversation of 10, 100 and 1,000 mixed messages in real Chromium, with a full CPU and one
// throttled to a quarter: time to open, time from a key to the next frame, and the cost of a reply at 100 tokens per
// second.
import '@/lib/i18n/server-messages'
import type { BrowserContext, Page } from '@playwright/test'
import { lastWords, seedConversation } from './thread/seed'
import { measureKeys, measureStream, watchFrames } from './thread/measure'
import { openBench } from './support/bench-nod'
import { withCleanups } from '../scripts/setup/cleanups.mjs'

const opens = 5
const sizes = [10, 100, 1_000]
const throttles = [1, 4]

const median = (values: number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
const percentile = (values: number[], p: number): number =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * p))] ?? Number.NaN

async function throttle(page: Page, rate: number): Promise<void> {
  const session = await page.context().newCDPSession(page)
  await session.send('Emulation.setCPUThrottlingRate', { rate })
}

/** From navigation start until the conversation's last words are painted inside the viewport; milliseconds. */
async function open(context: BrowserContext, address: string, rate: number): Promise<{ page: Page; ms: number }> {
  const page = await context.newPage()
  // The transpiler that runs this file names functions with a helper that the page doesn't have.
  await page.addInitScript('globalThis.__name = (value) => value')
  await page.addInitScript(watchFrames, lastWords)
  await throttle(page, rate)
  await page.goto(address)
  const shown = await page.waitForFunction(() => Reflect.get(globalThis, 'nodShownAt') as number | undefined)
  return { page, ms: (await shown.jsonValue()) ?? Number.NaN }
}

async function row(context: BrowserContext, count: number, address: string, rate: number): Promise<string[]> {
  const times: number[] = []
  let page: Page | null = null
  for (let turn = 0; turn < opens; turn += 1) {
    await page?.close()
    const opened = await open(context, address, rate)
    page = opened.page
    times.push(opened.ms)
  }
  if (!page) throw new Error('nothing was opened')
  const keys = await measureKeys(page, 60)
  const stream = await measureStream(page)
  await page.close()
  return [
    String(count),
    `${rate}×`,
    median(times).toFixed(0),
    `${percentile(keys, 0.5).toFixed(0)} / ${percentile(keys, 0.95).toFixed(0)}`,
    `${percentile(stream.keys, 0.5).toFixed(0)} / ${percentile(stream.keys, 0.95).toFixed(0)}`,
    `${stream.longestTaskMs.toFixed(0)} (${stream.longTasks})`,
    `${(stream.droppedShare * 100).toFixed(1)} %`,
  ]
}

await withCleanups(async (cleanups) => {
  // 100 tokens per second: the demo sends one piece of about a token every 10 ms.
  const { origin, folder, browser } = await openBench(cleanups, 'bench-thread', { NOD_DEMO_DELAY_MS: '10' })
  const rows: string[][] = [
    ['messages', 'CPU', 'open ms', 'key p50/p95', 'key in stream', 'longest task (n)', 'dropped'],
  ]
  for (const count of sizes) {
    for (const rate of throttles) {
      const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, serviceWorkers: 'block' })
      await context.request.get(origin)
      const cookie = (await context.cookies()).find((c) => c.httpOnly)
      const claims = JSON.parse(Buffer.from(cookie?.value.split('.')[1] ?? '', 'base64url').toString()) as {
        sub: string
      }
      const id = await seedConversation(`${folder}/nod.sqlite`, claims.sub, count)
      rows.push(await row(context, count, `${origin}/c/${id}`, rate))
      await context.close()
    }
  }
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((r) => r[column]?.length ?? 0))) ?? []
  for (const cells of rows) console.log(cells.map((cell, column) => cell.padStart(widths[column] ?? 0)).join('  '))
})
