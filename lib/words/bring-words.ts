import type { Language } from '@/lib/base/languages'
import { loadAlone } from '@/lib/base/load-part'
import { bringWords, wordsArrive, wordsIn } from '@/lib/base/reader'

/*
 * English stands in the catalogues, which come with what says them. The words of another language come on their own, for
 * its readers alone: first those that the first screen says, then all the others, for which parts that load on need wait.
 */

/** How much of the words something can't do without. */
export type Extent = 'first' | 'all'

interface Coming {
  readonly promise: Promise<void>
  isHere: boolean
}

let coming: Readonly<Record<Extent, Coming>> | undefined

/** Fetches the words of this language, once. Null: all that is asked for is here, or can’t be had: English is. */
export function wordsOnTheirWay(language: Language, extent: Extent): Promise<void> | null {
  if (language === 'en') return null
  const { promise, isHere } = (coming ??= fetchWords())[extent]
  return isHere ? null : promise
}

/** All the words of a language that a reader chose; false: they can’t be had now. Asked again, they are fetched again. */
export async function bringLanguage(language: Language): Promise<boolean> {
  await wordsOnTheirWay(language, 'all')
  if (language === 'en' || wordsIn(language) !== undefined) return true
  coming = undefined
  return false
}

function fetchWords(): Readonly<Record<Extent, Coming>> {
  const first = arriving(
    loadAlone(() => import('./zh-cn/first')).then(({ firstWords }) => bringWords('zh-CN', firstWords)),
  )
  const later = loadAlone(() => import('./zh-cn/later')).then(({ laterWords }) => bringWords('zh-CN', laterWords))
  const all = arriving(Promise.all([first.promise, later]))
  wordsArrive(all.promise)
  return { first, all }
}

function arriving(words: Promise<unknown>): Coming {
  const here = () => {
    own.isHere = true
  }
  const own: Coming = { promise: words.then(here, here), isHere: false }
  return own
}
