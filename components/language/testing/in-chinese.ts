import { expect, onTestFinished } from 'vitest'
import { speakTo } from '@/lib/base/reader'
import { bringLanguage } from '@/lib/words/bring-words'

/** To the end of this test everything is said in Chinese. */
export async function inChinese(): Promise<void> {
  expect(await bringLanguage('zh-CN')).toBe(true)
  speakTo('zh-CN')
  onTestFinished(() => speakTo('en'))
}

const heard = ['aria-label', 'aria-description', 'data-tip', 'title', 'placeholder', 'alt']
/** What others wrote, and keys. */
const notOurs = 'code, pre, kbd, textarea, script, style'
const ownTexts = ({ childNodes }: Element): readonly string[] =>
  [...childNodes].flatMap((node) => (node.nodeType === Node.TEXT_NODE ? (node.textContent ?? '') : []))
const spokenOf = (element: Element): readonly string[] => heard.flatMap((name) => element.getAttribute(name) ?? [])
const isEnglish = (text: string): boolean =>
  /\p{Ll}{2,} \p{Ll}{2,}/u.test(text) || /^\p{Lu}?\p{Ll}{2,}$/u.test(text.trim())

/** Each text that is read or heard here and is English: two words in a row, or one that stands alone. */
export function englishIn(root: Element): readonly string[] {
  const texts = [root, ...root.querySelectorAll('*')].flatMap((element) =>
    element.closest(notOurs) === null ? [...ownTexts(element), ...spokenOf(element)] : [],
  )
  const fields = [...root.querySelectorAll('textarea')].flatMap((field) => spokenOf(field))
  return [...texts, ...fields].filter(isEnglish)
}
