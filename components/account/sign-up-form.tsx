'use client'

import Link from 'next/link'
import { useState } from 'react'
import { Button } from '@/components/ui/button'
import type { OfferedSignIns } from '@/lib/accounts/account-settings'
import type { Arrived } from './account-api'
import { AccountField, AccountSheet, Refused } from './account-sheet'
import { goIn } from './go-in'
import { ProviderButton } from './provider-button'
import { useAsking } from './use-asking'

export interface SignUpFormProps {
  readonly offered: OfferedSignIns
  readonly invitation: string | null
  /** The address that the invitation is for. */
  readonly invited: string | null
  /** Why this can't go on. */
  readonly stop: string | null
}

export function SignUpForm({ offered, invitation, invited, stop }: SignUpFormProps) {
  const [email, setEmail] = useState(invited ?? '')
  const [name, setName] = useState('')
  const [password, setPassword] = useState('')
  const { busy, refused, ask } = useAsking()
  const send = () =>
    ask<Arrived>('POST', '/api/account/sign-up', { email, name, password, invitation }, ({ who }) => {
      goIn(who, '/')
      return 'leaves'
    })
  if (stop !== null) {
    return (
      <AccountSheet title="No new account">
        <Refused message={stop} />
        <Link className="underline" href="/sign-in" prefetch={false}>
          Sign in
        </Link>
      </AccountSheet>
    )
  }
  return (
    <AccountSheet title="Make an account">
      <p className="text-muted">It takes the chats of this browser over; its files stay in this browser.</p>
      {offered.password ? (
        <form
          method="post"
          className="grid gap-4"
          onSubmit={(event) => {
            event.preventDefault()
            void send()
          }}
        >
          <AccountField
            label="E-mail"
            type="email"
            autoComplete="username"
            value={email}
            onChange={setEmail}
            readOnly={invited !== null}
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
          <AccountField
            label="Password"
            type="password"
            autoComplete="new-password"
            value={password}
            onChange={setPassword}
            hint="At least 10 characters."
          />
          <Refused message={refused} />
          <Button type="submit" look="ink" disabled={busy}>
            Make the account
          </Button>
        </form>
      ) : null}
      {offered.oidc === null ? null : <ProviderButton label={offered.oidc} invitation={invitation} />}
      <p className="text-sm">
        <Link className="underline" href="/sign-in" prefetch={false}>
          I have an account
        </Link>
      </p>
    </AccountSheet>
  )
}
