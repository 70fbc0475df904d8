/** The languages of the app. The first one is the fallback. */
export const languages = ['en', 'zh-CN'] as const

export type Language = (typeof languages)[number]

/** Each language in its own name, so that people who read no other language find it. */
export const languageNames: Readonly<Record<Language, string>> = { en: 'English', 'zh-CN': '中文' }

export const isLanguage = (value: unknown): value is Language => languages.some((language) => language === value)

/** The best of our languages for this tag: any Chinese is closer to ours than English is. */
function nearest(tag: string): Language | null {
  const primary = tag.trim().toLowerCase().split('-', 1)[0]
  return languages.find((language) => language.split('-', 1)[0] === primary) ?? null
}

/**
 * The language for a reader who chose none, by the browser's `Accept-Language` ("zh-TW,zh;q=0.9,en;q=0.8"): of the
 * accepted languages (q above 0), the most preferred one that we have; otherwise English.
 */
export function languageAccepted(header: string | null): Language {
  const liked = (header ?? '').split(',').map((entry, at) => {
    const [tag = '', ...parameters] = entry.split(';')
    const q = parameters.map((parameter) => /^\s*q\s*=\s*([\d.]+)\s*$/i.exec(parameter)?.[1]).find(Boolean)
    return { language: nearest(tag), q: q === undefined ? 1 : Number(q), at }
  })
  const best = liked
    .filter(({ language, q }) => language !== null && q > 0 && q <= 1)
    .toSorted((one, other) => other.q - one.q || one.at - other.at)[0]
  return best?.language ?? languages[0]
}

/*
 * The language in which this realm addresses its reader. A page has one reader and sets the language once, before it
 * renders any text. On a server each request has its own language, kept by the page renderer (`scope`); everything
 * outside a page (logs, the API, a terminal) is English. Workers are English too; they return reasons and values.
 */

interface Speech {
  language: Language
  /** The language of the page that is being rendered, on a server. */
  scope: {
    readonly getStore: () => Language | undefined
    readonly enterWith: (language: Language) => void
    readonly run: <T>(language: Language, say: () => T) => T
  } | null
}

// On globalThis, because Next bundles server, pages and instrumentation with their own copies of this file.
const key = Symbol.for('nod.speech')
const slot = globalThis as typeof globalThis & { [key]?: Speech }
const speech = (): Speech => (slot[key] ??= { language: 'en', scope: null })

export const readersLanguage = (): Language => speech().scope?.getStore() ?? speech().language

const listeners = new Set<() => void>()

/** For a page: the `lang` of its document, or the reader's own choice. An unsupported language becomes English. */
export function speakTo(lang: string): void {
  speech().language = isLanguage(lang) ? lang : 'en'
  for (const listener of listeners) listener()
}

/** Calls the listener when the reader chose another language, so that visible text is rendered again. */
export function watchReader(listener: () => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** On a server: renders a page in this language from here on, including in everything that is started from here. */
export const enterReader = (language: Language): void => speech().scope?.enterWith(language)

/** On a server: runs `say` with this language; nothing else is affected. */
export function withLanguage<T>(language: Language, say: () => T): T {
  const { scope } = speech()
  return scope ? scope.run(language, say) : say()
}

/** Sets where a server keeps the language of the page that it renders. */
export function setLocaleStorage(scope: NonNullable<Speech['scope']>): void {
  speech().scope ??= scope
}
