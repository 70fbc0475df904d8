import type { Page } from '@playwright/test'

export interface TaskCost {
  /** The page's main thread; milliseconds of CPU time, so that a busy machine does not matter. */
  readonly longestMs: number
  readonly allMs: number
  /** The reply was shown, and a key still reached its field. */
  readonly shown: boolean
}

interface TraceEvent {
  readonly name: string
  readonly ph: string
  readonly pid: number
  readonly tid: number
  /** Microseconds of CPU time. */
  readonly tdur?: number
  readonly args?: { readonly name?: string }
}

/**
 * Opens the address, waits until the reply is shown and everything is idle, and returns the measurements. Closes the
 * page.
 */
export async function longestTask(page: Page, address: string): Promise<TaskCost> {
  const browser = page.context().browser()
  if (!browser) throw new Error('the page has no browser')
  await browser.startTracing(page, { categories: ['toplevel', 'disabled-by-default-devtools.timeline', '__metadata'] })
  await page.goto(address)
  const reply = page.getByRole('article', { name: 'Assistant' })
  const shown = await reply.waitFor({ timeout: 60_000 }).then(
    () => true,
    () => false,
  )
  const message = page.getByRole('textbox', { name: 'Message', exact: true })
  await message.fill('a', { timeout: 60_000 })
  // A worker's result arrives later; it is aborted after 8 s.
  let height = -1
  for (let turn = 0; turn < 20; turn += 1) {
    await page.waitForTimeout(500)
    const now = (await reply.boundingBox())?.height ?? 0
    if (now === height && turn > 3) break
    height = now
  }
  const trace = JSON.parse((await browser.stopTracing()).toString()) as { readonly traceEvents: readonly TraceEvent[] }
  await page.close()
  const main = new Set(
    trace.traceEvents
      .filter(({ name, args }) => name === 'thread_name' && args?.name === 'CrRendererMain')
      .map(({ pid, tid }) => `${pid} ${tid}`),
  )
  const tasks = trace.traceEvents
    .filter(({ name, pid, tid }) => name === 'RunTask' && main.has(`${pid} ${tid}`))
    .map(({ tdur = 0 }) => tdur / 1_000)
  return { longestMs: Math.max(0, ...tasks), allMs: tasks.reduce((sum, ms) => sum + ms, 0), shown }
}
