'use client'

import { PageLink } from '@/components/ui/page/page-head'
import { useLanguage } from '@/components/ui/page/use-language'
import { useState } from 'react'
import type { OfferedSignIns } from '@/lib/shared/server-facts/account-rows'
import { t } from '@/lib/i18n/t'
import { AccountForm, EmailField, NewPasswordField } from './account-form'
import { AccountField, AccountSheet, Refused, useAsking } from './account-sheet'
import { signInPage, pageWithNext, type SignedIn } from './sign-in-page'
import { SentenceText } from '@/components/ui/text/foreign-text'
import { Button } from '@/components/ui/controls/button'

interface ProviderButtonProps {
  /** The provider's name as users know it. */
  readonly label: string
  readonly next?: string
  readonly invitation?: string | null
  /** Links another sign-in method to the account that is signed in. */
  readonly link?: boolean
}

/** Starts the sign-in at the provider, which redirects back. */
export function ProviderButton({ label, next = '/', invitation = null, link = false }: ProviderButtonProps) {
  const { busy, asks, refused, ask } = useAsking()
  const go = () =>
    ask<{ readonly url: string }>('POST', '/api/account/oidc', { next, invitation, link }, ({ url }) => {
      window.location.assign(url)
      return 'leaves'
    })
  return (
    <>
      <Button disabled={busy} onClick={() => void go()}>
        <SentenceText text={t(link ? 'account.with-too' : 'account.with', { provider: label })} />
      </Button>
      <Refused message={refused} waits={asks} />
    </>
  )
}

export interface SignInFormProps {
  readonly offered: OfferedSignIns
  readonly next: string
  /** Why the visitor was redirected here. */
  readonly why: string | null
}

export function SignInForm({ offered, next, why }: SignInFormProps) {
  useLanguage()
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const { busy, asks, refused, ask } = useAsking()
  const send = () =>
    ask<SignedIn>('POST', '/api/account/sign-in', { email, password }, ({ who }) => {
      void signInPage(who, next)
      return 'leaves'
    })
  return (
    <AccountSheet title={t('account.sign-in')}>
      {why === null ? <p className="text-muted">{t('account.sign-in-why')}</p> : <Refused message={why} />}
      {offered.password ? (
        <AccountForm send={t('account.sign-in')} busy={busy} asks={asks} refused={refused} onSend={() => void send()}>
          <EmailField value={email} onChange={setEmail} />
          <AccountField
            label={t('account.password')}
            type="password"
            autoComplete="current-password"
            value={password}
            onChange={setPassword}
          />
        </AccountForm>
      ) : null}
      {offered.oidc === null ? null : <ProviderButton label={offered.oidc} next={next} />}
      {offered.header && !offered.password && offered.oidc === null ? (
        <p className="text-muted">{t('account.proxy-alone')}</p>
      ) : null}
      <p className="text-sm text-muted">
        {offered.password ? t('account.forgotten') : null} {offered.inviteOnly ? t('account.invite-only') : null}
      </p>
      <p className="flex flex-wrap gap-x-4 text-sm">
        {offered.password && !offered.inviteOnly ? (
          <PageLink className="underline" href={pageWithNext('/sign-up', next)}>
            {t('account.sign-up')}
          </PageLink>
        ) : null}
        {offered.anonymous ? (
          <PageLink className="underline" href="/">
            {t('account.without')}
          </PageLink>
        ) : null}
      </p>
    </AccountSheet>
  )
}

interface SignUpFormProps {
  readonly offered: OfferedSignIns
  readonly next: string
  readonly invitation: string | null
  /** The address that was invited. */
  readonly invited: string | null
  /** Why the form can't be submitted. */
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
