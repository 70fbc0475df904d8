import { setupI18n, type I18n, type Messages as LinguiMessages } from '@lingui/core'
import { isLanguage, type Language } from '@/lib/base/text/languages'

/** Compiled messages by key: `scripts/build-messages.mjs` writes them. */
export type Messages = LinguiMessages

interface Loaded {
  readonly catalogs: Partial<Record<Language, I18n>>
  /** Until all messages of a page are here; null: nothing is on its way. */
  arriving: Promise<unknown> | null
}

// On globalThis: Next bundles server, pages and instrumentation with a copy of this file each.
const slotKey = Symbol.for('nod.messages')
const slot = globalThis as typeof globalThis & { [slotKey]?: Loaded }
const loaded = (): Loaded => (slot[slotKey] ??= { catalogs: {}, arriving: null })

/** Adds messages to those of the language that are here. */
export function addMessages(language: Language, messages: Messages): void {
  const { catalogs } = loaded()
  const catalog = (catalogs[language] ??= setupI18n({ locale: language, messages: { [language]: {} } }))
  catalog.load(language, messages)
}

/** The catalog of a language; undefined before its first messages are here. */
export const catalogOf = (language: Language): I18n | undefined => loaded().catalogs[language]

export const hasMessages = (language: string): boolean => isLanguage(language) && catalogOf(language) !== undefined

/** Set by what loads messages; parts of the app that load on need wait for it. */
export function messagesArrive(until: Promise<unknown>): void {
  loaded().arriving = until
}

export const messagesReady = async (): Promise<void> => void (await loaded().arriving)
