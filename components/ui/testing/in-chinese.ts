import { onTestFinished } from 'vitest'
import { speakTo } from '@/lib/base/text/reader'

/** From here on everything is said in Chinese; the function that is given goes back to English. */
export function speakChinese(): () => void {
  speakTo('zh-CN')
  return () => speakTo('en')
}

/** To the end of this test everything is said in Chinese. */
export function inChinese(): void {
  onTestFinished(speakChinese())
}

const heard = ['aria-label', 'aria-description', 'aria-valuetext', 'data-tip', 'title', 'placeholder', 'alt']
/** What others wrote, and keys. */
const notOurs = 'code, pre, kbd, textarea, script, style'

const ownTexts = ({ childNodes }: Element): readonly string[] =>
  [...childNodes].flatMap((node) => (node.nodeType === Node.TEXT_NODE ? (node.textContent ?? '') : []))
const spokenOf = (element: Element): readonly string[] => heard.flatMap((name) => element.getAttribute(name) ?? [])

/** Two words in a row without a sign of Chinese, or one that stands alone. */
const isEnglish = (text: string): boolean =>
  !/\p{sc=Han}/u.test(text) && (/\p{Ll}{2,} \p{L}{2,}/u.test(text) || /^\p{Lu}?\p{Ll}{2,}$/u.test(text.trim()))

/** Each text that is read or heard here and is English. */
export function englishIn(root: Element): readonly string[] {
  const texts = [root, ...root.querySelectorAll('*')].flatMap((element) =>
    element.closest(notOurs) === null ? [...ownTexts(element), ...spokenOf(element)] : [],
  )
  const fields = [...root.querySelectorAll('textarea')].flatMap((field) => spokenOf(field))
  return [...texts, ...fields].filter(isEnglish)
}
