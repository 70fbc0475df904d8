'use client'

import { withBase } from '@/lib/base/base-path'
import { PageLink } from '@/components/ui/page/page-link'
import { useLanguage } from '@/components/ui/page/use-language'
import { useState } from 'react'
import { t } from '@/lib/i18n/t'
import { AccountForm, EmailField, NewPasswordField } from './account-form'
import { AccountSheet, Refused } from './account-sheet'
import { useAsking } from './use-asking'

/** A new password by a link; whoever has it goes on to sign in with it. `email` is told to password managers; null: `stop` says why there is none. */
export function ResetForm({ code, email, stop }: { code: string; email: string | null; stop: string | null }) {
  useLanguage()
  const [password, setPassword] = useState('')
  const { busy, asks, refused, ask } = useAsking()
  const send = () =>
    ask('POST', '/api/account/reset', { code, password }, () => {
      window.location.replace(withBase('/sign-in'))
      return 'leaves'
    })
  if (email === null) {
    return (
      <AccountSheet title={t('account.reset')}>
        <Refused message={stop} />
        <PageLink className="underline" href="/sign-in">
          {t('account.sign-in')}
        </PageLink>
      </AccountSheet>
    )
  }
  return (
    <AccountSheet title={t('account.reset')}>
      <p className="text-muted">{t('account.reset-why')}</p>
      <AccountForm send={t('account.reset-do')} busy={busy} asks={asks} refused={refused} onSend={() => void send()}>
        <EmailField value={email} onChange={null} />
        <NewPasswordField label={t('account.password-new')} value={password} onChange={setPassword} />
      </AccountForm>
    </AccountSheet>
  )
}
