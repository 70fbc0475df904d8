'use client'

import { use, type ReactNode } from 'react'
import type { Language } from '@/lib/base/languages'
import { PageLanguage } from '@/components/ui/use-language'
import { enterReader, speakTo } from '@/lib/base/reader'
import { wordsOnTheirWay, type Extent } from '@/lib/words/bring-words'

const isPage = typeof document !== 'undefined'

// Before anything is said, and so that the words come along with the other scripts, not after them.
let heard = true
if (isPage) {
  const { lang } = document.documentElement
  // A page that is not there comes without its language: it is said below, before anything else.
  heard = lang !== ''
  if (heard) speakTo(lang)
  if (lang === 'zh-CN') void wordsOnTheirWay(lang, 'first')
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
 * All that a page shows: said in its reader’s language, and not before its words are here. Until then the server’s HTML
 * stands, which is in that language already.
 */
export function InLanguage({ language, extent, children }: InLanguageProps) {
  // On the server all that is rendered below belongs to this request alone, and the layout has brought the words.
  if (!isPage) enterReader(language)
  else {
    hear(language)
    const words = wordsOnTheirWay(language, extent)
    if (words !== null) use(words)
  }
  return <PageLanguage value={language}>{children}</PageLanguage>
}
