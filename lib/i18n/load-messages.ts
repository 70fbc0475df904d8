import type { Language } from '@/lib/base/text/languages'
import { messages as english } from './generated/en.first'
import { loadAlone } from './load-part'
import { addMessages, catalogOf, messagesArrive } from './messages'

/*
 * What a browser loads of the messages. What the first screen says in English comes with the page. Everything else is a chunk
 * of its own, loaded right after, for which parts that load on need wait. A reader of another language loads theirs as well.
 */

/** How much of the messages a page needs before it can start. */
export type Extent = 'first' | 'all'

interface Coming {
  readonly promise: Promise<void>
  isHere: boolean
}

addMessages('en', english)

const coming: Partial<Record<Language, Readonly<Record<Extent, Coming>>>> = {}

/** Loads the messages of a language, once. Null: what is asked for is here, or can’t be loaded, and English stands in. */
export function loadMessages(language: Language, extent: Extent): Promise<void> | null {
  const { promise, isHere } = (coming[language] ??= fetchMessages(language))[extent]
  return isHere ? null : promise
}

/** All messages of a language that a reader chose; false: they can’t be loaded now. Asked again, they are loaded again. */
export async function loadMessagesOf(language: Language): Promise<boolean> {
  await loadMessages(language, 'all')
  if (catalogOf(language) !== undefined) return true
  delete coming[language]
  return false
}

function fetchMessages(language: Language): Readonly<Record<Extent, Coming>> {
  const add = (of: Language) => (module: { readonly messages: Parameters<typeof addMessages>[1] }) =>
    addMessages(of, module.messages)
  const later = loadAlone(() => import('./generated/en.later')).then(add('en'))
  const own =
    language === 'en'
      ? { first: Promise.resolve(), later: Promise.resolve() }
      : {
          first: loadAlone(() => import('./generated/zh-CN.first')).then(add('zh-CN')),
          later: loadAlone(() => import('./generated/zh-CN.later')).then(add('zh-CN')),
        }
  const first = arriving(own.first)
  const all = arriving(Promise.all([first.promise, own.later, later]))
  if (language === 'en') first.isHere = true
  messagesArrive(all.promise)
  return { first, all }
}

/** A failure is an end too: English, or the key, stands in. */
function arriving(messages: Promise<unknown>): Coming {
  const here = () => {
    own.isHere = true
  }
  const own: Coming = { promise: messages.then(here, here), isHere: false }
  return own
}
