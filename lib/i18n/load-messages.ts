import type { Language } from '@/lib/base/text/languages'
import { messages as english } from './generated/en.first'
import { lazyMessages } from './generated/lazy'
import { addMessages, catalogOf, messagesArrive } from './messages'

/*
 * Loads messages in the browser. The English messages of the first screen come with the page. Everything else of the
 * chat is a separate chunk, loaded right after, which lazily loaded parts wait for; the messages of the other pages
 * load with those. Readers of another language load that language's messages as well.
 */

/** How much of the messages a page needs before it can start: `first` is the chat, `all` any other page. */
export type Extent = 'first' | 'all'

interface Coming {
  readonly promise: Promise<void>
  isHere: boolean
}

addMessages('en', english)

interface OfLanguage {
  readonly first: Coming
  /** Also the messages of lazy parts of the chat. */
  readonly chat: Coming
  all: Coming | null
}

const coming: Partial<Record<Language, OfLanguage>> = {}

/**
 * Loads the messages of a language, once. Null: they are already loaded, or can’t be loaded, and English is used
 * instead.
 */
export function loadMessages(language: Language, extent: Extent): Promise<void> | null {
  const of = (coming[language] ??= fetchMessages(language))
  const { promise, isHere } = extent === 'first' ? of.first : (of.all ??= fetchPages(language, of.chat))
  return isHere ? null : promise
}

/** Loads all messages of a language that a reader chose; false: they can’t be loaded now. A later call tries again. */
export async function loadMessagesOf(language: Language): Promise<boolean> {
  await loadMessages(language, 'all')
  if (catalogOf(language) !== undefined) return true
  delete coming[language]
  return false
}

const add = (of: Language) => (module: { readonly messages: Parameters<typeof addMessages>[1] }) =>
  addMessages(of, module.messages)

/** English is shown in place of what can't be loaded. */
const withEnglish = (language: Language): readonly Language[] => (language === 'en' ? ['en'] : [language, 'en'])

function fetchMessages(language: Language): OfLanguage {
  const own = language === 'en' ? Promise.resolve() : lazyMessages[language].first().then(add(language))
  const first = arriving(own)
  const later = withEnglish(language).map((of) => lazyMessages[of].later().then(add(of)))
  const chat = arriving(Promise.all([first.promise, ...later]))
  if (language === 'en') first.isHere = true
  messagesArrive(chat.promise)
  return { first, chat, all: null }
}

function fetchPages(language: Language, chat: Coming): Coming {
  const pages = withEnglish(language).map((of) => lazyMessages[of].pages().then(add(of)))
  const all = arriving(Promise.all([chat.promise, ...pages]))
  messagesArrive(all.promise)
  return all
}

/** A failure also settles it: English, or the key, is shown instead. */
function arriving(messages: Promise<unknown>): Coming {
  const here = () => {
    own.isHere = true
  }
  const own: Coming = { promise: messages.then(here, here), isHere: false }
  return own
}
