// npm run bench -- first-load: a first visit to `/` in real Chromium without a cache: the bytes until loading ends, and
// when the page is visible and accepts typing, on a normal line and on a slow one (Fast 3G, a quarter of the CPU).
// `NOD_BENCH_ROUNDS` visits each (5), medians; exits with 1 above 330 kB, or above 4 s until typing works on the slow
// line.
import type { Browser, CDPSession } from '@playwright/test'
import { median } from './parse/measure'
import { openBench } from './support/bench-nod'
import { withCleanups } from '../scripts/setup/cleanups.mjs'

const limitKb = 330
const slowTypedLimitMs = 4_000
const rounds = Number(process.env['NOD_BENCH_ROUNDS'] || 5)
/** Kilobits per second down and up, milliseconds of latency: "Fast 3G" in Chrome's tools. */
const fast3G = { down: 1_600 * 0.9, up: 750 * 0.9, latency: 562.5 }
/** Loading has ended when nothing arrived for this long; milliseconds. */
const quietMs = 3_000

interface Visit {
  readonly bytes: number
  readonly byType: ReadonlyMap<string, number>
  readonly requests: number
  /** Milliseconds from the start of the navigation. */
  readonly firstPaint: number
  readonly typed: number
}

async function slowDown(session: CDPSession): Promise<void> {
  const perSecond = (kilobits: number) => (kilobits * 1000) / 8
  await session.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: fast3G.latency,
    downloadThroughput: perSecond(fast3G.down),
    uploadThroughput: perSecond(fast3G.up),
  })
  await session.send('Emulation.setCPUThrottlingRate', { rate: 4 })
}

/** The bytes of each response as the browser reports them: headers and body as transferred. */
function weigh(session: CDPSession) {
  const types = new Map<string, string>()
  const byType = new Map<string, number>()
  const seen = { requests: 0, at: performance.now() }
  session.on('Network.responseReceived', ({ requestId, type }) => void types.set(requestId, type))
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    const type = types.get(requestId) ?? 'Other'
    byType.set(type, (byType.get(type) ?? 0) + encodedDataLength)
    seen.requests += 1
    seen.at = performance.now()
  })
  return { byType, seen }
}

async function visit(browser: Browser, origin: string, isSlow: boolean): Promise<Visit> {
  const context = await browser.newContext()
  const page = await context.newPage()
  const session = await context.newCDPSession(page)
  await session.send('Network.enable')
  const { byType, seen } = weigh(session)
  if (isSlow) await slowDown(session)
  await page.goto(origin, { waitUntil: 'commit' })
  const send = page.getByRole('button', { name: 'Send' })
  const message = page.getByRole('textbox', { name: 'Message' })
  await message.focus()
  // Types until the page reacts: a character in a field without listeners does not count.
  while (!(await send.isEnabled())) await page.keyboard.type('a')
  const typed = await page.evaluate(() => performance.now())
  while (performance.now() - seen.at < quietMs) await page.waitForTimeout(quietMs - (performance.now() - seen.at))
  const firstPaint = await page.evaluate(
    () => performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? Number.NaN,
  )
  await context.close()
  const bytes = [...byType.values()].reduce((sum, one) => sum + one, 0)
  return { bytes, byType, requests: seen.requests, firstPaint, typed }
}

/** The same without interaction: what a page loads by itself. */
async function look(browser: Browser, origin: string): Promise<Pick<Visit, 'bytes' | 'byType' | 'requests'>> {
  const context = await browser.newContext()
  const page = await context.newPage()
  const session = await context.newCDPSession(page)
  await session.send('Network.enable')
  const { byType, seen } = weigh(session)
  await page.goto(origin)
  while (performance.now() - seen.at < quietMs) await page.waitForTimeout(quietMs - (performance.now() - seen.at))
  await context.close()
  return { bytes: [...byType.values()].reduce((sum, one) => sum + one, 0), byType, requests: seen.requests }
}

const inKb = (bytes: number): string => (bytes / 1000).toFixed(1)
const parts = (byType: ReadonlyMap<string, number>): string =>
  [...byType]
    .toSorted(([, a], [, b]) => b - a)
    .map(([type, bytes]) => `${type.toLowerCase()} ${inKb(bytes)}`)
    .join(', ')

await withCleanups(async (cleanups) => {
  const { origin, browser } = await openBench(cleanups, 'bench-first-load', {})
  await look(browser, origin)
  const first = await look(browser, origin)
  console.log(
    `a first visit: ${inKb(first.bytes)} kB in ${first.requests} answers (limit ${limitKb}): ${parts(first.byType)}`,
  )
  for (const isSlow of [false, true]) {
    const visits: Visit[] = []
    for (let round = 0; round < rounds; round += 1) visits.push(await visit(browser, origin, isSlow))
    const middle = (of: (visit: Visit) => number) => median(visits.map(of))
    const typed = middle((v) => v.typed)
    if (isSlow && typed > slowTypedLimitMs) process.exitCode = 1
    console.log(
      `${isSlow ? 'Fast 3G, CPU ÷ 4' : 'plain line'}: first paint ${middle((v) => v.firstPaint).toFixed(0)} ms, typing taken ${typed.toFixed(0)} ms${isSlow ? ` (limit ${slowTypedLimitMs})` : ''} (${visits.map((v) => v.typed.toFixed(0)).join(', ')}), with what typing fetches ${inKb(middle((v) => v.bytes))} kB`,
    )
  }
  if (first.bytes / 1000 > limitKb) process.exitCode = 1
})
