'use client'

import { useEffect } from 'react'
import { useLanguage } from '@/components/ui/page/use-language'
import { withBase } from '@/lib/base/base-path'
import { t } from '@/lib/i18n/t'
import { signInPage } from './sign-in-page'

/** The page after the provider's redirect: takes over this browser's drafts and opens the requested page. */
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
