'use client'

import { PageLink } from '@/components/ui/page-link'
import { useState } from 'react'
import type { OfferedSignIns } from '@/lib/accounts/account-settings'
import { AccountForm, EmailField, NewPasswordField } from './account-form'
import { AccountField, AccountSheet, Refused } from './account-sheet'
import { goIn, pageWithNext, type Arrived } from './go-in'
import { ProviderButton } from './provider-button'
import { useAsking } from './use-asking'

export interface SignUpFormProps {
  readonly offered: OfferedSignIns
  readonly next: string
  readonly invitation: string | null
  /** The address that the invitation is for. */
  readonly invited: string | null
  /** Why this can't go on. */
  readonly stop: string | null
}

export function SignUpForm({ offered, next, invitation, invited, stop }: SignUpFormProps) {
  const [email, setEmail] = useState(invited ?? '')
  const [name, setName] = useState('')
  const [password, setPassword] = useState('')
  const { busy, refused, ask } = useAsking()
  const send = () =>
    ask<Arrived>('POST', '/api/account/sign-up', { email, name, password, invitation }, ({ who }) => {
      goIn(who, next)
      return 'leaves'
    })
  if (stop !== null) {
    return (
      <AccountSheet title="No new account">
        <Refused message={stop} />
        <PageLink className="underline" href={pageWithNext('/sign-in', next)}>
          Sign in
        </PageLink>
      </AccountSheet>
    )
  }
  return (
    <AccountSheet title="Make an account">
      <p className="text-muted">It takes the chats of this browser over; its files stay in this browser.</p>
      {offered.password ? (
        <AccountForm send="Make the account" busy={busy} refused={refused} onSend={() => void send()}>
          <EmailField
            value={email}
            onChange={invited === null ? setEmail : null}
            {...(invited !== null && { hint: 'The invitation is for this address.' })}
          />
          <AccountField
            label="Name"
            autoComplete="name"
            value={name}
            onChange={setName}
            optional
            hint="May stay empty."
          />
          <NewPasswordField value={password} onChange={setPassword} />
        </AccountForm>
      ) : null}
      {offered.oidc === null ? null : <ProviderButton label={offered.oidc} next={next} invitation={invitation} />}
      <p className="text-sm">
        <PageLink className="underline" href={pageWithNext('/sign-in', next)}>
          I have an account
        </PageLink>
      </p>
    </AccountSheet>
  )
}
