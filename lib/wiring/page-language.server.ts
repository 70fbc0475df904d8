import { AsyncLocalStorage } from 'node:async_hooks'
import { cache } from 'react'
import { cookies, headers } from 'next/headers'
import type { Language } from '@/lib/base/languages'
import { enterReader, keepReadersIn } from '@/lib/base/reader'
import { languageCookie, languageOf } from '@/lib/client/language'
import { wordsOnTheirWay } from '@/lib/words/bring-words'

keepReadersIn(new AsyncLocalStorage<Language>())

/** The language of the page that is being rendered; its words are here then. */
export const pageLanguage = cache(async (): Promise<Language> => {
  const chosen = (await cookies()).get(languageCookie)?.value
  const language = languageOf(chosen, (await headers()).get('accept-language'))
  await wordsOnTheirWay(language, 'all')
  return language
})

/** For an answer that says by itself in which language it is. */
export async function speakIn(language: Language): Promise<void> {
  await wordsOnTheirWay(language, 'all')
  enterReader(language)
}

/** For a page that says something by itself, before it does: what follows is said in its reader’s language. */
export async function speakToReader(): Promise<Language> {
  const language = await pageLanguage()
  enterReader(language)
  return language
}
