import { bringWords, speakTo } from '@/lib/base/reader'
import { firstWords } from '@/lib/words/zh-cn/first'
import { laterWords } from '@/lib/words/zh-cn/later'

/** From here on everything is said in Chinese; the function that is given goes back to English. */
export function speakChinese(): () => void {
  bringWords('zh-CN', { ...firstWords, ...laterWords })
  speakTo('zh-CN')
  return () => speakTo('en')
}

const spoken = ['aria-label', 'aria-description', 'aria-valuetext', 'title', 'alt', 'placeholder', 'data-tip']

/** What can be read or heard of it. */
function textsIn(root: Element): readonly string[] {
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT)
  const texts: string[] = []
  while (walker.nextNode()) texts.push(walker.currentNode.textContent ?? '')
  for (const element of root.querySelectorAll('*')) {
    for (const name of spoken) texts.push(element.getAttribute(name) ?? '')
  }
  return texts
}

/** Words of English that are left: what holds two words in a row and nothing of Chinese. */
export const englishIn = (root: Element): readonly string[] =>
  textsIn(root).filter((text) => /\p{Ll}{2,} \p{L}{2,}/u.test(text) && !/\p{sc=Han}/u.test(text))
