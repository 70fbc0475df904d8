'use client'

import { createContext, use, useSyncExternalStore } from 'react'
import { type Language, enterReader, readersLanguage, watchReader } from '@/lib/base/text/languages'

const isPage = typeof document !== 'undefined'

/** The language in which a server renders the page; null if none was given. */
export const PageLanguage = createContext<Language | null>(null)

/**
 * The reader's language. A component that uses it renders again when the language changes, with everything below that
 * is not `memo`. So the top of each page uses it, and every `memo` component with text.
 */
export function useLanguage(): Language {
  const given = use(PageLanguage)
  // A late part may be rendered by any request, without its language.
  if (!isPage && given !== null) enterReader(given)
  return useSyncExternalStore(watchReader, readersLanguage, readersLanguage)
}
