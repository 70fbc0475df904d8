import { mkdirSync } from 'node:fs'
import type { Page } from '@playwright/test'
import type { Language } from '@/lib/base/text/languages'
import { languageCookieLine } from '@/lib/i18n/language'

// `npm run generate -- pictures` sets a folder: then every look of a journey is taken in all variants, so that the
// pictures of two commits can be compared.
const folder = process.env.NOD_PICTURES

type Media = Parameters<Page['emulateMedia']>[0]

interface Appearance {
  readonly name: string
  readonly media?: Media
  readonly size?: { readonly width: number; readonly height: number }
  readonly language?: Language
}

const phone = { width: 390, height: 844 }

/** For a wide and light page; one that is already dark or narrow is taken as it is. */
const looks: readonly Appearance[] = [
  { name: 'dark', media: { colorScheme: 'dark' } },
  { name: 'forced', media: { forcedColors: 'active' } },
  { name: 'contrast', media: { contrast: 'more' } },
  { name: 'print', media: { media: 'print' } },
  { name: 'tall', size: { width: 1280, height: 2400 } },
  { name: 'half', size: { width: 960, height: 860 } },
  { name: 'narrow', size: phone },
  { name: 'narrow-dark', size: phone, media: { colorScheme: 'dark' } },
  { name: 'short', size: { width: 860, height: 420 } },
  { name: 'chinese', language: 'zh-CN' },
  { name: 'chinese-dark', language: 'zh-CN', media: { colorScheme: 'dark' } },
  { name: 'chinese-narrow', language: 'zh-CN', size: phone },
]

const plain: Media = { colorScheme: 'light', forcedColors: 'none', contrast: null, media: null }

/** Takes `name` in every look and returns true, if pictures are requested at all. */
export async function takePictures(page: Page, name: string): Promise<boolean> {
  if (folder === undefined) return false
  mkdirSync(folder, { recursive: true })
  // Waits for what loads when idle, unless the network never gets idle.
  await page.waitForLoadState('networkidle', { timeout: 1_000 }).catch(() => {})
  await picture(page, name)
  const size = page.viewportSize()
  const wide = size !== null && size.width > 1000
  if (!wide || (await page.evaluate(() => matchMedia('(prefers-color-scheme: dark)').matches))) return true
  for (const look of looks) {
    if (look.language && !(await speak(page, look.language))) continue
    if (look.media) await page.emulateMedia(look.media)
    if (look.size) await page.setViewportSize(look.size)
    await picture(page, `${name}.${look.name}`)
    if (look.language) await speak(page, 'en')
    if (look.media) await page.emulateMedia(plain)
    if (look.size) await page.setViewportSize(size)
  }
  await settle(page)
  return true
}

/**
 * Switches the page's language in place, as another tab's choice would: open and typed content stays. False if the page
 * stays in the server's language.
 */
export async function speak(page: Page, language: Language): Promise<boolean> {
  await page.evaluate((line) => {
    document.cookie = line
  }, languageCookieLine(language))
  const spoken = await page
    .waitForFunction((wanted) => document.documentElement.lang === wanted, language, { timeout: 2_000 })
    .catch(() => null)
  return spoken !== null
}

/** Takes the page as it is now, if pictures are requested at all. */
export async function keepPicture(page: Page, name: string): Promise<void> {
  if (folder === undefined) return
  mkdirSync(folder, { recursive: true })
  await page.waitForLoadState('networkidle', { timeout: 1_000 }).catch(() => {})
  await picture(page, name)
}

async function picture(page: Page, name: string): Promise<void> {
  await settle(page)
  await page.evaluate(holdStill)
  await page.screenshot({ path: `${folder}/${name}.png`, animations: 'disabled' })
  await page.evaluate(restoreText)
}

/** Two frames: elements that measure themselves have measured and rendered. */
const settle = (page: Page): Promise<void> =>
  page.evaluate(
    () =>
      new Promise((resolve) => {
        requestAnimationFrame(() => requestAnimationFrame(() => requestAnimationFrame(() => resolve())))
      }),
  )

/** Runs in the page: replaces every time by a fixed one, because times differ between runs. */
function holdStill(): void {
  const held: [Text, string][] = []
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const before = node.nodeValue ?? ''
    const after = before
      .replaceAll(/\b\d+(?:\.\d+)? (?:ms|s|min)\b/g, '1 s')
      .replaceAll(/\b\d{1,2}:\d{2}(?::\d{2})?(?:\s[AP]M)?/g, '10:00')
      .replaceAll(/\b(?:just now|\d+ (?:seconds?|minutes?) ago)\b/g, 'just now')
      .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, 'an-id')
      .replaceAll(/localhost:\d+|127\.0\.0\.1:\d+/g, 'localhost')
    if (after === before) continue
    held.push([node as Text, before])
    node.nodeValue = after
  }
  Object.assign(window, { heldStill: held })
}

function restoreText(): void {
  const { heldStill = [] } = window as { heldStill?: [Text, string][] }
  for (const [node, text] of heldStill) node.nodeValue = text
}
