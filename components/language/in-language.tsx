'use client'

import { use, type ReactNode } from 'react'
import { isLanguage, type Language } from '@/lib/base/text/languages'
import { PageLanguage } from '@/components/ui/page/use-language'
import { enterReader, speakTo } from '@/lib/base/text/reader'
import { loadMessages, type Extent } from '@/lib/i18n/load-messages'

const isPage = typeof document !== 'undefined'

// Before anything is said, and so that the messages load with the other scripts, not after them.
let heard = true
if (isPage) {
  const { lang } = document.documentElement
  // A page that is not there comes without its language: it is said below, before anything else.
  heard = lang !== ''
  if (heard) speakTo(lang)
  void loadMessages(isLanguage(lang) ? lang : 'en', 'first')
}

function hear(language: Language): void {
  if (heard) return
  heard = true
  speakTo(language)
}

export interface InLanguageProps {
  language: Language
  /** What the page can’t begin without: the chat brings the rest with its parts. */
  extent: Extent
  children: ReactNode
}

/**
 * Everything that a page shows: said in its reader’s language, and not before its messages are here. Until then the server’s HTML
 * stands, which is in that language already.
 */
export function InLanguage({ language, extent, children }: InLanguageProps) {
  // On the server everything that is rendered below belongs to this request alone, and all messages are loaded.
  if (!isPage) enterReader(language)
  else {
    hear(language)
    const messages = loadMessages(language, extent)
    if (messages !== null) use(messages)
  }
  return <PageLanguage value={language}>{children}</PageLanguage>
}
