import { isLanguage, type Language } from './languages'

/*
 * In which language this realm speaks to its reader. A page has one reader and sets theirs once, before it says anything.
 * A server has many: there each request has its own, kept by anyone who renders pages (`scope`), and what no page is rendered
 * for (logs, the API, a terminal) is English. So is a worker, which hands over reasons and values.
 */

interface Speech {
  language: Language
  /** Of the page that is being rendered here and now, on a server. */
  scope: {
    readonly getStore: () => Language | undefined
    readonly enterWith: (language: Language) => void
    readonly run: <T>(language: Language, say: () => T) => T
  } | null
}

// On globalThis: Next bundles server, pages and instrumentation with a copy of this file each.
const key = Symbol.for('nod.speech')
const slot = globalThis as typeof globalThis & { [key]?: Speech }
const speech = (): Speech => (slot[key] ??= { language: 'en', scope: null })

export const readersLanguage = (): Language => speech().scope?.getStore() ?? speech().language

const listeners = new Set<() => void>()

/** For a page: `lang` of its document, or what its reader chose instead. What is none of ours is English. */
export function speakTo(lang: string): void {
  speech().language = isLanguage(lang) ? lang : 'en'
  for (const listener of listeners) listener()
}

/** Told when the reader chose another language: what is on the screen is said again. */
export function watchReader(listener: () => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** On a server: from here on, and in everything that is begun from here, a page in this language is rendered. */
export const enterReader = (language: Language): void => speech().scope?.enterWith(language)

/** On a server: what `say` says is said in this language, and nothing else is. */
export function sayTo<T>(language: Language, say: () => T): T {
  const { scope } = speech()
  return scope ? scope.run(language, say) : say()
}

/** Where a server keeps whose page it renders. */
export function setLocaleStorage(scope: NonNullable<Speech['scope']>): void {
  speech().scope ??= scope
}
