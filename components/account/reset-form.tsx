'use client'

import { withBase } from '@/lib/base/base-path'
import Link from 'next/link'
import { useState } from 'react'
import { Button } from '@/components/ui/button'
import { AccountField, AccountSheet, Refused } from './account-sheet'
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
        <Link className="underline" href="/sign-in" prefetch={false}>
          Sign in
        </Link>
      </AccountSheet>
    )
  }
  return (
    <AccountSheet title="A new password">
      <p className="text-muted">It ends every session of the account; sign in with it then.</p>
      <form
        method="post"
        className="grid gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          void send()
        }}
      >
        <AccountField label="E-mail" type="email" autoComplete="username" value={email} onChange={() => {}} readOnly />
        <AccountField
          label="New password"
          type="password"
          autoComplete="new-password"
          value={password}
          onChange={setPassword}
          hint="At least 10 characters."
        />
        <Refused message={refused} />
        <Button type="submit" look="ink" disabled={busy}>
          Set the password
        </Button>
      </form>
    </AccountSheet>
  )
}
