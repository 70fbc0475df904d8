'use client'

import { PageLink } from '@/components/ui/page/page-link'
import { useLanguage } from '@/components/ui/page/use-language'
import { useState } from 'react'
import type { OfferedSignIns } from '@/lib/shared/server-facts/account-rows'
import { t } from '@/lib/i18n/t'
import { AccountForm, EmailField, NewPasswordField } from './account-form'
import { AccountField, AccountSheet, Refused } from './account-sheet'
import { signInPage, pageWithNext, type SignedIn } from './sign-in-page'
import { ProviderButton } from './sign-in-form'
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
  useLanguage()
  const [email, setEmail] = useState(invited ?? '')
  const [name, setName] = useState('')
  const [password, setPassword] = useState('')
  const { busy, asks, refused, ask } = useAsking()
  const send = () =>
    ask<SignedIn>('POST', '/api/account/sign-up', { email, name, password, invitation }, ({ who }) => {
      void signInPage(who, next)
      return 'leaves'
    })
  if (stop !== null) {
    return (
      <AccountSheet title={t('account.sign-up-stopped')}>
        <Refused message={stop} />
        <PageLink className="underline" href={pageWithNext('/sign-in', next)}>
          {t('account.sign-in')}
        </PageLink>
      </AccountSheet>
    )
  }
  return (
    <AccountSheet title={t('account.sign-up')}>
      <p className="text-muted">{t('account.sign-up-why')}</p>
      {offered.password ? (
        <AccountForm
          send={t('account.sign-up-do')}
          busy={busy}
          asks={asks}
          refused={refused}
          onSend={() => void send()}
        >
          <EmailField
            value={email}
            onChange={invited === null ? setEmail : null}
            {...(invited !== null && { hint: t('account.invited') })}
          />
          <AccountField
            label={t('account.name')}
            autoComplete="name"
            value={name}
            onChange={setName}
            optional
            hint={t('account.name-hint')}
          />
          <NewPasswordField value={password} onChange={setPassword} />
        </AccountForm>
      ) : null}
      {offered.oidc === null ? null : <ProviderButton label={offered.oidc} next={next} invitation={invitation} />}
      <p className="text-sm">
        <PageLink className="underline" href={pageWithNext('/sign-in', next)}>
          {t('account.have-one')}
        </PageLink>
      </p>
    </AccountSheet>
  )
}
