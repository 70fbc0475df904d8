import type { Page } from '@playwright/test'

/** Runs in the page before anything else: records when the given words are painted in view. */
export function watchFrames(words: string): void {
  const look = () => {
    const walker = document.createTreeWalker(document.body ?? document, NodeFilter.SHOW_TEXT)
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      if (!node.nodeValue?.includes(words) || !node.parentElement) continue
      const box = node.parentElement.getBoundingClientRect()
      if (box.height > 0 && box.top < innerHeight && box.bottom > 0) {
        // The frame with the words is painted before the next one starts.
        requestAnimationFrame(() => Reflect.set(globalThis, 'nodShownAt', performance.now()))
        return
      }
    }
    requestAnimationFrame(look)
  }
  requestAnimationFrame(look)
}

/** Types `count` letters; returns the milliseconds from each keydown to the end of the next frame. */
export async function measureKeys(page: Page, count: number): Promise<number[]> {
  const message = page.getByRole('textbox', { name: 'Message', exact: true })
  await message.focus()
  await page.evaluate(() => {
    const times: number[] = []
    Reflect.set(globalThis, 'nodKeyTimes', times)
    addEventListener(
      'keydown',
      (event) => {
        requestAnimationFrame(() => {
          const channel = new MessageChannel()
          channel.port1.addEventListener('message', () => times.push(performance.now() - event.timeStamp))
          channel.port1.start()
          channel.port2.postMessage(null)
        })
      },
      { capture: true },
    )
  })
  await page.keyboard.type('a'.repeat(count), { delay: 40 })
  return page.evaluate(() => Reflect.get(globalThis, 'nodKeyTimes') as number[])
}

export interface StreamCost {
  readonly keys: number[]
  readonly longestTaskMs: number
  readonly longTasks: number
  /** Of the frames that a 60 Hz screen would have had. */
  readonly droppedShare: number
}

/** Streams a long reply while someone types; returns its cost. */
export async function measureStream(page: Page): Promise<StreamCost> {
  const message = page.getByRole('textbox', { name: 'Message', exact: true })
  await message.fill('a long reply')
  await page.evaluate(() => {
    const probe = { frames: 0, from: performance.now(), tasks: [] as number[], on: true }
    Reflect.set(globalThis, 'nodStream', probe)
    const count = () => {
      probe.frames += 1
      if (probe.on) requestAnimationFrame(count)
    }
    requestAnimationFrame(count)
    new PerformanceObserver((list) => {
      if (probe.on) for (const entry of list.getEntries()) probe.tasks.push(entry.duration)
    }).observe({ entryTypes: ['longtask'] })
  })
  await page.getByRole('button', { name: 'Send', exact: true }).click()
  await page.locator('article[aria-busy="true"]').waitFor()
  await page.evaluate(() => {
    ;(Reflect.get(globalThis, 'nodKeyTimes') as number[]).length = 0
  })
  await message.focus()
  await page.keyboard.type('typing while it streams', { delay: 250 })
  return page.evaluate(() => {
    const probe = Reflect.get(globalThis, 'nodStream') as { frames: number; from: number; tasks: number[]; on: boolean }
    probe.on = false
    const expected = ((performance.now() - probe.from) / 1_000) * 60
    return {
      keys: [...(Reflect.get(globalThis, 'nodKeyTimes') as number[])],
      longestTaskMs: Math.max(0, ...probe.tasks),
      longTasks: probe.tasks.length,
      droppedShare: Math.max(0, 1 - probe.frames / expected),
    }
  })
}
