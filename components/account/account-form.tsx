'use client'

import type { ReactNode } from 'react'
import { Button } from '@/components/ui/controls/button'
import { t } from '@/lib/i18n/t'
import { AccountField, Refused } from './account-sheet'

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
