'use client'

import { withBase } from '@/lib/base/base-path'
import { PageLink } from '@/components/ui/page-link'
import { useState } from 'react'
import { AccountForm, EmailField, NewPasswordField } from './account-form'
import { AccountSheet, Refused } from './account-sheet'
import { useAsking } from './use-asking'

/** A new password by a link; whoever has it goes on to sign in with it. `email` is told to password managers. */
export function ResetForm({ code, email }: { code: string; email: string | null }) {
  const [password, setPassword] = useState('')
  const { busy, refused, ask } = useAsking()
  const send = () =>
    ask('POST', '/api/account/reset', { code, password }, () => {
      window.location.replace(withBase('/sign-in'))
      return 'leaves'
    })
  if (email === null) {
    return (
      <AccountSheet title="A new password">
        <Refused message="This link can’t be used: it was used before, or has ended. Ask whoever runs this server for a new one." />
        <PageLink className="underline" href="/sign-in">
          Sign in
        </PageLink>
      </AccountSheet>
    )
  }
  return (
    <AccountSheet title="A new password">
      <p className="text-muted">It ends every session of the account; sign in with it then.</p>
      <AccountForm send="Set the password" busy={busy} refused={refused} onSend={() => void send()}>
        <EmailField value={email} onChange={null} />
        <NewPasswordField label="New password" value={password} onChange={setPassword} />
      </AccountForm>
    </AccountSheet>
  )
}
