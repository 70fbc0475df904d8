'use client'

import { type ReactNode, useState } from 'react'
import { Button } from '@/components/ui/controls/button'
import { t } from '@/lib/i18n/t'
import { AccountField, Refused, AccountSheet, useAsking } from './account-sheet'
import { withBase } from '@/lib/base/base-path'
import { PageLink } from '@/components/ui/page/page-head'
import { useLanguage } from '@/components/ui/page/use-language'

export interface AccountFormProps {
  /** The button's label. */
  readonly send: string
  readonly busy: boolean
  /** A request is pending. */
  readonly asks: boolean
  readonly refused: string | null
  readonly onSend: () => void
  readonly children: ReactNode
}

/**
 * Fields, an error and a submit button. Before hydration, a native submit would put the fields into the address, so it
 * is blocked.
 */
export function AccountForm({ send, busy, asks, refused, onSend, children }: AccountFormProps) {
  return (
    <form
      method="post"
      className="grid gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        onSend()
      }}
    >
      {children}
      <Refused message={refused} waits={asks} />
      <Button type="submit" look="ink" disabled={busy}>
        {send}
      </Button>
    </form>
  )
}

interface FieldProps {
  readonly value: string
  readonly onChange: (value: string) => void
}

/** The email field. `onChange` is null if the address is fixed; `hint` then says where it comes from. */
export function EmailField({
  value,
  onChange,
  hint,
}: Omit<FieldProps, 'onChange'> & { readonly onChange: FieldProps['onChange'] | null; readonly hint?: string }) {
  return (
    <AccountField
      label={t('account.email')}
      type="email"
      autoComplete="username"
      value={value}
      onChange={onChange ?? (() => {})}
      readOnly={onChange === null}
      {...(hint !== undefined && { hint })}
    />
  )
}

/** Without `label`, the field is the first password. */
export function NewPasswordField({ label = t('account.password'), ...rest }: FieldProps & { readonly label?: string }) {
  return (
    <AccountField
      label={label}
      type="password"
      autoComplete="new-password"
      hint={t('account.password-least')}
      {...rest}
    />
  )
}

/**
 * Sets a new password from a reset link and signs in with it. `email` is for password managers; if it is null, `stop`
 * gives the reason.
 */
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
