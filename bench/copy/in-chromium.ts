import { withCleanups } from '../../scripts/setup/cleanups.mjs'
import { openSuite } from '../support/suite-page.mjs'

interface Suite {
  readonly fill: (count: number) => Promise<void>
  readonly round: (name: string) => Promise<Times>
}
type Times = Readonly<Record<'open' | 'read' | 'show' | 'keep', number>>
interface InPage {
  readonly suite: Suite
}

/** Opens copies of `count` files in Chromium. */
export const measureInChromium = (count: number, rounds: number) =>
  withCleanups(async (cleanups) => {
    const { page, load } = await openSuite(cleanups, 'bench/copy/page.ts')
    await load()
    await page.evaluate((given) => (globalThis as unknown as InPage).suite.fill(given), count)
    const times: Times[] = []
    for (let round = 0; round < rounds; round += 1) {
      times.push(await page.evaluate((name) => (globalThis as unknown as InPage).suite.round(name), `r${round}`))
    }
    return times
  })
