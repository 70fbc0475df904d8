import { useSyncExternalStore } from 'react'
import type { Language } from '@/lib/base/languages'
import { readersLanguage, watchReader } from '@/lib/base/reader'

/**
 * The reader’s language. Whoever asks for it is rendered again when the reader chooses another one, and with it all below that
 * is not `memo`: so the top of each page asks, and what is `memo` and says something.
 */
export const useLanguage = (): Language => useSyncExternalStore(watchReader, readersLanguage, readersLanguage)
