import type { Page } from '@playwright/test'

/**
 * Milliseconds from the click on Run to the end of the frame that shows the result, and of the server's responses in
 * it.
 */
export interface ClickTimes {
  readonly totalMs: number
  /** From the click until the server had approved the call; null if its response could not be identified. */
  readonly decidedMs: number | null
}

/** Runs in the page: waits for one click on a Run button and for one more settled card of the tool. */
export function watchClick(tool: string): void {
  const settled = () =>
    [...document.querySelectorAll(`[role="group"][aria-label="Tool result: ${tool}"]`)].filter((card) =>
      card.textContent?.includes('done'),
    ).length
  const before = settled()
  const probe: { clickedAt: number | null; shownAt: number | null } = { clickedAt: null, shownAt: null }
  Reflect.set(globalThis, 'nodClick', probe)
  performance.clearResourceTimings()
  addEventListener('click', (event) => (probe.clickedAt ??= event.timeStamp), { capture: true, once: true })
  const observer = new MutationObserver(() => {
    if (probe.clickedAt === null || settled() <= before) return
    observer.disconnect()
    // A task after the next frame: the result is painted.
    requestAnimationFrame(() => {
      const channel = new MessageChannel()
      channel.port1.addEventListener('message', () => (probe.shownAt = performance.now()))
      channel.port1.start()
      channel.port2.postMessage(null)
    })
  })
  observer.observe(document.body, { subtree: true, childList: true, characterData: true, attributes: true })
}

/** Clicks Run on the tool's waiting card; returns the times. Call the watch function in the page first. */
export async function timeClick(page: Page, tool: string): Promise<ClickTimes> {
  await page.evaluate(watchClick, tool)
  const card = page.getByRole('group', { name: `Tool call: ${tool}`, exact: true })
  await card.last().getByRole('button', { name: 'Run', exact: true }).click()
  await page.waitForFunction(() => (Reflect.get(globalThis, 'nodClick') as { shownAt: number | null }).shownAt !== null)
  return page.evaluate(() => {
    const { clickedAt, shownAt } = Reflect.get(globalThis, 'nodClick') as { clickedAt: number; shownAt: number }
    const decide = performance
      .getEntriesByType('resource')
      .find((entry) => entry.name.endsWith('/calls') && entry.startTime >= clickedAt)
    const answeredAt = decide ? decide.startTime + decide.duration : null
    return { totalMs: shownAt - clickedAt, decidedMs: answeredAt === null ? null : answeredAt - clickedAt }
  })
}
