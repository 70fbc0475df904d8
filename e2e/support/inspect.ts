import AxeBuilder from '@axe-core/playwright'
import { expect, type Locator, type Page } from '@playwright/test'
import { testsAllAppearances } from './appearances'
import { speak, takePictures } from './pictures'

/** The pictures go here, from where `npm run generate -- screenshots` takes the README's own. */
const folder = 'test-results/look'

/** Runs in the page: waits until animations have ended; ignores endless ones. */
const arrive = (): Promise<unknown> =>
  Promise.allSettled(
    document
      .getAnimations()
      .filter(({ effect }) => effect?.getComputedTiming().iterations !== Infinity)
      .map(({ finished }) => finished),
  )

/**
 * Checks that there is no accessibility violation (WCAG 2.2 AA, and distinguishable landmarks) and no horizontal
 * scrolling. Takes a picture if all looks are requested, because one takes as long as the rest.
 */
export async function inspect(page: Page, name: string): Promise<void> {
  await page.evaluate(arrive)
  if (testsAllAppearances) await page.screenshot({ path: `${folder}/${name}.png`, animations: 'disabled' })
  if (await takePictures(page, name)) return
  await expectReadable(page, name)
  // Also in the other language and color scheme, if all looks are requested.
  const lang = await page.locator('html').getAttribute('lang')
  if (!testsAllAppearances || lang !== 'en' || !(await speak(page, 'zh-CN'))) return
  const isDark = await page.evaluate(() => matchMedia('(prefers-color-scheme: dark)').matches)
  await page.emulateMedia({ colorScheme: isDark ? 'light' : 'dark' })
  await expectReadable(page, `${name}, in the other light and in Chinese,`)
  await page.emulateMedia({ colorScheme: isDark ? 'dark' : 'light' })
  await speak(page, 'en')
}

/** A picture of one part, if all looks are requested: in a narrow window, so that it can be read when it is small. */
export async function takePart(page: Page, part: Locator, name: string): Promise<void> {
  const size = page.viewportSize()
  if (!testsAllAppearances || size === null) return
  await page.setViewportSize({ width: 640, height: 1_000 })
  await page.evaluate(arrive)
  await part.screenshot({ path: `${folder}/${name}.png`, animations: 'disabled' })
  await page.setViewportSize(size)
}

type Violation = Awaited<ReturnType<AxeBuilder['analyze']>>['violations'][number]

/** The thread scrolls behind the message field, so a button that is partly covered by it only needs scrolling. */
const isBehindField = ({ any }: Violation['nodes'][number]): boolean =>
  any.some(
    ({ data, relatedNodes }) =>
      (data as { messageKey?: string } | null)?.messageKey === 'partiallyObscured' &&
      relatedNodes?.some(({ target }) => target.includes('#message')),
  )

/** In the page's current look. */
export async function expectReadable(page: Page, name: string): Promise<void> {
  await page.evaluate(arrive)
  const { violations } = await new AxeBuilder({ page })
    // Pages that a model wrote are not checked.
    .exclude('iframe')
    // Otherwise it opens another page each time, to add up the results of frames.
    .setLegacyMode(true)
    .options({
      runOnly: { type: 'tag', values: ['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa'] },
      rules: { 'landmark-unique': { enabled: true } },
    })
    .analyze()
  const found = violations.flatMap(({ id, nodes }) =>
    nodes.filter((node) => !isBehindField(node)).map((node) => `${id}: ${node.html}`),
  )
  expect(found).toEqual([])
  const sideways = await page.evaluate(
    () => document.documentElement.scrollWidth > document.documentElement.clientWidth,
  )
  expect(sideways, `${name} scrolls sideways`).toBe(false)
}
