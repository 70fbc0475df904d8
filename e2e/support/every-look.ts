import { expect, type Page } from '@playwright/test'
import { languages, type Language } from '@/lib/base/text/languages'
import { expectReadable } from './inspect'
import { takesAllLooks } from './looks'
import { keepPicture, speak } from './pictures'

const lights = ['light', 'dark'] as const

/**
 * The screen in each language and each light, as it stands: no accessibility violation, nothing scrolls sideways, what a finger presses is large
 * enough, and no English is left in Chinese. With a picture of each where pictures are asked for. On each change it is looked at
 * once, as it is. `written`: what people, models and packages wrote on it.
 */
export async function inEveryLook(page: Page, name: string, written: RegExp = /^$/): Promise<void> {
  const began = await page.locator('html').getAttribute('lang')
  for (const language of takesAllLooks ? languages : [began as Language]) {
    if (!(await speak(page, language))) await page.reload()
    await expect(page.locator('html')).toHaveAttribute('lang', language)
    for (const light of takesAllLooks ? lights : (['light'] as const)) {
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
  if (takesAllLooks && began !== 'zh-CN' && !(await speak(page, 'en'))) await page.reload()
}

/**
 * Runs in the page: under a finger, the buttons that decide something (those of cards and of the field) are 44 px. What is 24 px is held by axe.
 */
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

/** Runs in the page: what is read or heard and is English: two words in a row without a sign of Chinese. */
function englishHere(): readonly string[] {
  // What people, models and machines wrote, keys, and a language's own name.
  const notOurs =
    'code, pre, kbd, textarea, script, style, option, iframe, [lang=en], [lang=und], [translate=no], [role=log] article, h1, nav a, nav li, .cm-editor'
  const heard = ['aria-label', 'aria-description', 'aria-valuetext', 'data-tip', 'title', 'placeholder', 'alt']
  const isEnglish = (text: string) => !/\p{sc=Han}/u.test(text) && /\p{Ll}{2,} \p{L}{2,}/u.test(text)
  return [...document.body.querySelectorAll('*')].flatMap((element) => {
    // What was said aloud stays as it was said.
    if (element.closest(`${notOurs}, main > [role=status]`) !== null) return []
    const own = [...element.childNodes].filter((node) => node.nodeType === Node.TEXT_NODE).map((node) => node.nodeValue)
    return [...own, ...heard.map((name) => element.getAttribute(name))].flatMap((text) =>
      text !== null && isEnglish(text) ? [text] : [],
    )
  })
}
