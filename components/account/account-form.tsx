'use client'

import { type ReactNode, useState } from 'react'
import { Button } from '@/components/ui/controls/button'
import { t } from '@/lib/i18n/t'
import { AccountField, Refused, AccountSheet, useAsking } from './account-sheet'
import { withBase } from '@/lib/base/base-path'
import { PageLink } from '@/components/ui/page/page-link'
import { useLanguage } from '@/components/ui/page/use-language'

export interface AccountFormProps {
  /** What the button says. */
  readonly send: string
  readonly busy: boolean
  /** The server is being asked. */
  readonly asks: boolean
  readonly refused: string | null
  readonly onSend: () => void
  readonly children: ReactNode
}

/** Fields, what was refused, and the button. A page that is not alive yet would send it itself: never into the address. */
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

/** Whose account. `onChange` null: it is known already; `hint` says from where. */
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

/** `label` left out: it is the first one. */
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

/** A new password by a link; anyone who has it continues to sign in with it. `email` is told to password managers; null: `stop` says why there is none. */
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
