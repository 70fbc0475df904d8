'use client'

import { writeCookie } from '@/lib/base/features.browser'
import { useState } from 'react'
import { Icon } from '@/components/ui/icon'
import { useLanguage } from '@/components/ui/use-language'
import type { Language } from '@/lib/base/languages'
import { speakTo } from '@/lib/base/reader'
import { languageCookieLine } from '@/lib/client/language'
import { bringLanguage } from '@/lib/words/bring-words'
import { languageNames, languageSentence } from '@/lib/words/language'

/** Says everything in this language from now on; false: its words can’t be had now. */
export async function chooseLanguage(next: Language): Promise<boolean> {
  if (!(await bringLanguage(next))) return false
  writeCookie(languageCookieLine(next))
  document.documentElement.lang = next
  speakTo(next)
  return true
}

/**
 * Says everything in the other language, in place: what is typed, what runs and what is open stays. The choice is a cookie, so that
 * the server knows it.
 */
export function LanguageButton({ className }: { className: string }) {
  const language = useLanguage()
  const [state, setState] = useState<'ready' | 'coming' | 'failed'>('ready')
  const next: Language = language === 'en' ? 'zh-CN' : 'en'
  const change = async () => {
    setState('coming')
    setState((await chooseLanguage(next)) ? 'ready' : 'failed')
  }
  return (
    <button
      type="button"
      className={className}
      onClick={() => void change()}
      aria-busy={state === 'coming'}
      data-tip={languageSentence('language.change')}
    >
      <Icon name="language" />
      <span lang={next}>{languageNames[next]}</span>
      {state === 'failed' ? <span role="status">{languageSentence('language.failed')}</span> : null}
    </button>
  )
}
