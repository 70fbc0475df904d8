'use client'

import { useEffect } from 'react'
import { useLanguage } from '@/components/ui/page/use-language'
import { withBase } from '@/lib/base/base-path'
import { t } from '@/lib/i18n/t'
import { signInPage } from './sign-in-page'

/** Back from the provider: what was written here goes along, and the page that was wanted comes. */
export function OidcCallback({ who, next }: { who: string; next: string }) {
  useLanguage()
  useEffect(() => void signInPage(who, next), [who, next])
  return (
    <main className="grid min-h-dvh place-items-center p-4">
      <p>
        {t('account.arrived')} <a href={withBase(next)}>{t('account.go-on')}</a>
      </p>
    </main>
  )
}
