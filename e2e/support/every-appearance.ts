import { expect, type Page } from '@playwright/test'
import { languages, type Language } from '@/lib/base/text/languages'
import { expectReadable } from './inspect'
import { testsAllAppearances } from './appearances'
import { keepPicture, speak } from './pictures'
import { expectTouchable } from './touch'

const lights = ['light', 'dark'] as const

/**
 * Checks the current screen in each language and each color scheme: no accessibility violation, no horizontal
 * scrolling, large enough touch targets, and no English in Chinese. Takes a picture of each if pictures are requested.
 * On each change the screen is checked once, as it is. `written`: text on it by people, models and packages.
 */
export async function inEveryAppearance(page: Page, name: string, written: RegExp = /^$/): Promise<void> {
  const began = await page.locator('html').getAttribute('lang')
  for (const language of testsAllAppearances ? languages : [began as Language]) {
    if (!(await speak(page, language))) await page.reload()
    await expect(page.locator('html')).toHaveAttribute('lang', language)
    for (const light of testsAllAppearances ? lights : (['light'] as const)) {
      const look = `${name}-${light}-${language}`
      await page.emulateMedia({ colorScheme: light })
      await keepPicture(page, look)
      await expectReadable(page, look)
    }
    expect.soft(await page.evaluate(smallTargets), `${name}: too small for a finger`).toEqual([])
    if (language !== 'zh-CN') continue
    const english = (await page.evaluate(englishHere)).filter((text) => !written.test(text))
    expect.soft(english, `${name}: English in Chinese`).toEqual([])
  }
  await page.emulateMedia({ colorScheme: 'light' })
  if (testsAllAppearances && began !== 'zh-CN' && !(await speak(page, 'en'))) await page.reload()
}

/**
 * Checks a state of a journey in Chinese, in its own look, if all looks are requested: accessible, without horizontal
 * scrolling, as large as fingertips on touch, and without English of ours. `written`: text of people and models outside messages.
 */
export async function inChinese(page: Page, name: string, written: RegExp = /^$/): Promise<void> {
  if (!testsAllAppearances || !(await speak(page, 'zh-CN'))) return
  await page.screenshot({ path: `test-results/look/${name}-zh.png`, animations: 'disabled' })
  await expectReadable(page, `${name} in Chinese`)
  if (await page.evaluate(() => matchMedia('(pointer: coarse)').matches)) {
    await expectTouchable(page.locator('body'), { top: 0, right: 0, bottom: 0, left: 0 }, name)
  }
  const english = (await page.evaluate(englishHere)).filter((text) => !written.test(text))
  expect.soft(english, `${name}: English in Chinese`).toEqual([])
  await speak(page, 'en')
}

/** Runs in the page: on touch, the deciding buttons (of cards and of the field) are 44 px. axe checks the 24 px. */
function smallTargets(): readonly string[] {
  if (!matchMedia('(pointer: coarse)').matches) return []
  const decides = /^(Send|Run|Run all|Edit|Deny|Deny all|Stop|发送|运行|全部运行|编辑|拒绝|全部拒绝|停止)$/
  return [...document.querySelectorAll('button')].flatMap((button) => {
    const { width, height } = button.getBoundingClientRect()
    const name = button.getAttribute('aria-label') ?? button.textContent
    return height > 0 &&
      button.closest('[role=group], form') !== null &&
      decides.test(name.trim()) &&
      (height < 43.5 || width < 43.5)
      ? [`${name.trim()}: ${Math.round(width)} × ${Math.round(height)}`]
      : []
  })
}

/** Runs in the page: visible or accessible English text, i.e. two words in a row without a Chinese character. */
function englishHere(): readonly string[] {
  // Text of people, models and machines, keys, and a language's own name.
  const notOurs =
    'code, pre, kbd, textarea, script, style, option, iframe, [lang=en], [lang=und], [translate=no], [role=log] article, h1, nav a, nav li, .cm-editor'
  const heard = ['aria-label', 'aria-description', 'aria-valuetext', 'data-tip', 'title', 'placeholder', 'alt']
  const isEnglish = (text: string) => !/\p{sc=Han}/u.test(text) && /\p{Ll}{2,} \p{L}{2,}/u.test(text)
  return [...document.body.querySelectorAll('*')].flatMap((element) => {
    // An announcement keeps the language in which it was made.
    if (element.closest(`${notOurs}, main > [role=status]`) !== null) return []
    const own = [...element.childNodes].filter((node) => node.nodeType === Node.TEXT_NODE).map((node) => node.nodeValue)
    return [...own, ...heard.map((name) => element.getAttribute(name))].flatMap((text) =>
      text !== null && isEnglish(text) ? [text] : [],
    )
  })
}
