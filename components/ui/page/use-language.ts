'use client'

import { createContext, use, useSyncExternalStore } from 'react'
import type { Language } from '@/lib/base/text/languages'
import { enterReader, readersLanguage, watchReader } from '@/lib/base/text/reader'

const isPage = typeof document !== 'undefined'

/** In which language a server renders the page; null where no one said so. */
export const PageLanguage = createContext<Language | null>(null)

/**
 * The reader’s language. Anyone who asks for it is rendered again when the reader chooses another one, and with it all below that
 * is not `memo`: so the top of each page asks, and what is `memo` and says something.
 */
export function useLanguage(): Language {
  const given = use(PageLanguage)
  // What arrives after the page began is rendered by anyone who read it, in no one's language.
  if (!isPage && given !== null) enterReader(given)
  return useSyncExternalStore(watchReader, readersLanguage, readersLanguage)
}
