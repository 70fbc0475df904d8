import { onTestFinished } from 'vitest'
import { speakTo } from '@/lib/base/text/languages'

/** Switches to Chinese; the returned function switches back to English. */
export function speakChinese(): () => void {
  speakTo('zh-CN')
  return () => speakTo('en')
}

/** Uses Chinese until the end of this test. */
export function inChinese(): void {
  onTestFinished(speakChinese())
}

const heard = ['aria-label', 'aria-description', 'aria-valuetext', 'data-tip', 'title', 'placeholder', 'alt']
/** Untrusted text, and keys. */
const notOurs = 'code, pre, kbd, textarea, script, style'

const ownTexts = ({ childNodes }: Element): readonly string[] =>
  [...childNodes].flatMap((node) => (node.nodeType === Node.TEXT_NODE ? (node.textContent ?? '') : []))
const spokenOf = (element: Element): readonly string[] => heard.flatMap((name) => element.getAttribute(name) ?? [])

/** Two words in a row without a Chinese character, or a single word alone. */
const isEnglish = (text: string): boolean =>
  !/\p{sc=Han}/u.test(text) && (/\p{Ll}{2,} \p{L}{2,}/u.test(text) || /^\p{Lu}?\p{Ll}{2,}$/u.test(text.trim()))

/** Every visible or accessible text in here that is English. */
export function englishIn(root: Element): readonly string[] {
  const texts = [root, ...root.querySelectorAll('*')].flatMap((element) =>
    element.closest(notOurs) === null ? [...ownTexts(element), ...spokenOf(element)] : [],
  )
  const fields = [...root.querySelectorAll('textarea')].flatMap((field) => spokenOf(field))
  return [...texts, ...fields].filter(isEnglish)
}
