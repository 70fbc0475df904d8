'use client'

import { use, type ReactNode } from 'react'
import { isLanguage, type Language, enterReader, speakTo } from '@/lib/base/text/languages'
import { PageLanguage } from '@/components/ui/page/use-language'
import { loadMessages, type Extent } from '@/lib/i18n/load-messages'

const isPage = typeof document !== 'undefined'

// Runs first, so that the messages load together with the other scripts.
let hasLanguage = true
if (isPage) {
  const { lang } = document.documentElement
  // A page that is not found has no language yet: it is set below, before anything else.
  hasLanguage = lang !== ''
  if (hasLanguage) speakTo(lang)
  void loadMessages(isLanguage(lang) ? lang : 'en', 'first')
}

function setFirstLanguage(language: Language): void {
  if (hasLanguage) return
  hasLanguage = true
  speakTo(language)
}

export interface InLanguageProps {
  language: Language
  /** The messages that the page needs to start; the chat loads the rest with its parts. */
  extent: Extent
  children: ReactNode
}

/**
 * Renders the page in the reader's language once its messages are loaded. Until then the server's HTML, already in that
 * language, stays.
 */
export function InLanguage({ language, extent, children }: InLanguageProps) {
  // On the server, everything rendered below belongs to this request, and all messages are loaded.
  if (!isPage) enterReader(language)
  else {
    setFirstLanguage(language)
    const messages = loadMessages(language, extent)
    if (messages !== null) use(messages)
  }
  return <PageLanguage value={language}>{children}</PageLanguage>
}
