'use client'

import { PageLink } from '@/components/ui/page-link'
import { useState } from 'react'
import type { OfferedSignIns } from '@/lib/accounts/account-settings'
import { AccountForm, EmailField } from './account-form'
import { AccountField, AccountSheet, Refused } from './account-sheet'
import { goIn, pageWithNext, type Arrived } from './go-in'
import { ProviderButton } from './provider-button'
import { useAsking } from './use-asking'

export interface SignInFormProps {
  readonly offered: OfferedSignIns
  readonly next: string
  /** Why somebody was sent here. */
  readonly why: string | null
}

export function SignInForm({ offered, next, why }: SignInFormProps) {
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const { busy, refused, ask } = useAsking()
  const send = () =>
    ask<Arrived>('POST', '/api/account/sign-in', { email, password }, ({ who }) => {
      goIn(who, next)
      return 'leaves'
    })
  return (
    <AccountSheet title="Sign in">
      {why === null ? (
        <p className="text-muted">The chats of this browser come along, and are then on every device you sign in on.</p>
      ) : (
        <Refused message={why} />
      )}
      {offered.password ? (
        <AccountForm send="Sign in" busy={busy} refused={refused} onSend={() => void send()}>
          <EmailField value={email} onChange={setEmail} />
          <AccountField
            label="Password"
            type="password"
            autoComplete="current-password"
            value={password}
            onChange={setPassword}
          />
        </AccountForm>
      ) : null}
      {offered.oidc === null ? null : <ProviderButton label={offered.oidc} next={next} />}
      {offered.header && !offered.password && offered.oidc === null ? (
        <p className="text-muted">
          The proxy in front of this server says who you are. Open this server by its public address.
        </p>
      ) : null}
      <p className="text-sm text-muted">{otherWays(offered)}</p>
      <p className="flex flex-wrap gap-x-4 text-sm">
        {offered.password && !offered.inviteOnly ? (
          <PageLink className="underline" href={pageWithNext('/sign-up', next)}>
            Make an account
          </PageLink>
        ) : null}
        {offered.anonymous ? (
          <PageLink className="underline" href="/">
            Go on without an account
          </PageLink>
        ) : null}
      </p>
    </AccountSheet>
  )
}

function otherWays({ password, inviteOnly }: OfferedSignIns): string {
  const forgotten = password ? 'A forgotten password: ask whoever runs this server for a link to set a new one. ' : ''
  return inviteOnly ? `${forgotten}New accounts need an invitation.` : forgotten
}
