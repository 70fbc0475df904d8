import { setupI18n, type I18n, type Messages as LinguiMessages } from '@lingui/core'
import { isLanguage, type Language } from '@/lib/base/text/languages'

/** Compiled messages by key, written by `scripts/build-messages.mjs`. */
export type Messages = LinguiMessages

interface Loaded {
  readonly catalogs: Partial<Record<Language, I18n>>
  /** Pending until all messages of a page are loaded; null: nothing is being loaded. */
  arriving: Promise<unknown> | null
}

// On globalThis: Next bundles server, pages and instrumentation with a copy of this file each.
const slotKey = Symbol.for('nod.messages')
const slot = globalThis as typeof globalThis & { [slotKey]?: Loaded }
const loaded = (): Loaded => (slot[slotKey] ??= { catalogs: {}, arriving: null })

/** Adds messages to the loaded ones of a language. */
export function addMessages(language: Language, messages: Messages): void {
  const { catalogs } = loaded()
  const catalog = (catalogs[language] ??= setupI18n({ locale: language, messages: { [language]: {} } }))
  catalog.load(language, messages)
}

/** The catalog of a language; undefined before its first messages are loaded. */
export const catalogOf = (language: Language): I18n | undefined => loaded().catalogs[language]

export const hasMessages = (language: string): boolean => isLanguage(language) && catalogOf(language) !== undefined

/** Set by the loader of messages; lazily loaded parts of the app wait for it. */
export function messagesArrive(until: Promise<unknown>): void {
  loaded().arriving = until
}

export const messagesReady = async (): Promise<void> => void (await loaded().arriving)
