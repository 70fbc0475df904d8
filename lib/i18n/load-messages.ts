import type { Language } from '@/lib/base/text/languages'
import { messages as english } from './generated/en.first'
import { lazyMessages } from './generated/lazy'
import { addMessages, catalogOf, messagesArrive } from './messages'

/*
 * Loads messages in the browser. The English messages of the first screen come with the page. Everything else is a
 * separate chunk, loaded right after, which lazily loaded parts wait for. Readers of another language load that
 * language's messages as well.
 */

/** How much of the messages a page needs before it can start. */
export type Extent = 'first' | 'all'

interface Coming {
  readonly promise: Promise<void>
  isHere: boolean
}

addMessages('en', english)

const coming: Partial<Record<Language, Readonly<Record<Extent, Coming>>>> = {}

/**
 * Loads the messages of a language, once. Null: they are already loaded, or can’t be loaded, and English is used
 * instead.
 */
export function loadMessages(language: Language, extent: Extent): Promise<void> | null {
  const { promise, isHere } = (coming[language] ??= fetchMessages(language))[extent]
  return isHere ? null : promise
}

/** Loads all messages of a language that a reader chose; false: they can’t be loaded now. A later call tries again. */
export async function loadMessagesOf(language: Language): Promise<boolean> {
  await loadMessages(language, 'all')
  if (catalogOf(language) !== undefined) return true
  delete coming[language]
  return false
}

function fetchMessages(language: Language): Readonly<Record<Extent, Coming>> {
  const add = (of: Language) => (module: { readonly messages: Parameters<typeof addMessages>[1] }) =>
    addMessages(of, module.messages)
  const later = lazyMessages.en.later().then(add('en'))
  const own =
    language === 'en'
      ? { first: Promise.resolve(), later: Promise.resolve() }
      : {
          first: lazyMessages[language].first().then(add(language)),
          later: lazyMessages[language].later().then(add(language)),
        }
  const first = arriving(own.first)
  const all = arriving(Promise.all([first.promise, own.later, later]))
  if (language === 'en') first.isHere = true
  messagesArrive(all.promise)
  return { first, all }
}

/** A failure also settles it: English, or the key, is shown instead. */
function arriving(messages: Promise<unknown>): Coming {
  const here = () => {
    own.isHere = true
  }
  const own: Coming = { promise: messages.then(here, here), isHere: false }
  return own
}
