'use client'

import { withBase } from '@/lib/base/base-path'
import { PageLink } from '@/components/ui/page-link'
import { useLanguage } from '@/components/ui/use-language'
import { useState } from 'react'
import { accountSentence as say } from '@/lib/words/account-page'
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
      <AccountSheet title={say('account.reset')}>
        <Refused message={stop} />
        <PageLink className="underline" href="/sign-in">
          {say('account.sign-in')}
        </PageLink>
      </AccountSheet>
    )
  }
  return (
    <AccountSheet title={say('account.reset')}>
      <p className="text-muted">{say('account.reset-why')}</p>
      <AccountForm send={say('account.reset-do')} busy={busy} asks={asks} refused={refused} onSend={() => void send()}>
        <EmailField value={email} onChange={null} />
        <NewPasswordField label={say('account.password-new')} value={password} onChange={setPassword} />
      </AccountForm>
    </AccountSheet>
  )
}
