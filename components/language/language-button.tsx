'use client'

import { writeCookie } from '@/lib/base/features.browser'
import { useState } from 'react'
import { Icon } from '@/components/ui/controls/icon'
import { useLanguage } from '@/components/ui/page/use-language'
import { languageNames, languages, type Language, speakTo } from '@/lib/base/text/languages'
import { languageCookieLine } from '@/lib/i18n/language'
import { loadMessagesOf } from '@/lib/i18n/load-messages'
import { t } from '@/lib/i18n/t'

/** Switches to this language; false if its messages can't be loaded. */
export async function chooseLanguage(next: Language): Promise<boolean> {
  if (!(await loadMessagesOf(next))) return false
  writeCookie(languageCookieLine(next))
  document.documentElement.lang = next
  speakTo(next)
  return true
}

/** Switches the page to the next language in place, keeping all state. A cookie tells the server. */
export function LanguageButton({ className }: { className: string }) {
  const language = useLanguage()
  const [state, setState] = useState<'ready' | 'coming' | 'failed'>('ready')
  const next = languages[(languages.indexOf(language) + 1) % languages.length] ?? 'en'
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
