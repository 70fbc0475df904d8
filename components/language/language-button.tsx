'use client'

import { writeCookie } from '@/lib/base/features.browser'
import { useState } from 'react'
import { Icon } from '@/components/ui/icon'
import { useLanguage } from '@/components/ui/use-language'
import type { Language } from '@/lib/base/text/languages'
import { speakTo } from '@/lib/base/text/reader'
import { languageCookieLine } from '@/lib/i18n/language'
import { loadMessagesOf } from '@/lib/i18n/load-messages'
import { languageNames } from '@/lib/base/text/languages'
import { t } from '@/lib/i18n/t'

/** Says everything in this language from now on; false: its words can’t be had now. */
export async function chooseLanguage(next: Language): Promise<boolean> {
  if (!(await loadMessagesOf(next))) return false
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
      data-tip={t('language.change')}
    >
      <Icon name="language" />
      <span lang={next}>{languageNames[next]}</span>
      {state === 'failed' ? <span role="status">{t('language.failed')}</span> : null}
    </button>
  )
}
