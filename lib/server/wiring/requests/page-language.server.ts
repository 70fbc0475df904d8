import { AsyncLocalStorage } from 'node:async_hooks'
import { cache } from 'react'
import type { Metadata } from 'next'
import { cookies, headers } from 'next/headers'
import type { Language } from '@/lib/base/text/languages'
import { setLocaleStorage, sayTo } from '@/lib/base/text/reader'
import { languageCookie, languageOf } from '@/lib/i18n/language'
import '@/lib/i18n/server-messages'
import { t } from '@/lib/i18n/t'

setLocaleStorage(new AsyncLocalStorage<Language>())

/** The language of the page that is being rendered. */
export const pageLanguage = cache(async (): Promise<Language> => {
  const chosen = (await cookies()).get(languageCookie)?.value
  return languageOf(chosen, (await headers()).get('accept-language'))
})

/** For an answer that says by itself in which language it is. */
export const languageOfRequest = <T>(language: Language, say: () => T): T => sayTo(language, say)

/**
 * What a page says by itself, in its reader’s language: a title, a sentence that is handed on. What it renders is said by
 * `InLanguage`, so a component of it that says something is one of the client. A language that is entered for whoever awaits
 * this would be lost on the way back: so `say` is run in it.
 */
export const inReadersLanguage = async <T>(say: () => T): Promise<T> => sayTo(await pageLanguage(), say)

/** What the window of a page is called. */
export const titledPage = (name: () => string, more: Metadata = {}): Promise<Metadata> =>
  inReadersLanguage(() => ({ ...more, title: t('page.title', { name: name() }) }))
