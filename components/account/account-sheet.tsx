import { type ReactNode, useEffectEvent, useLayoutEffect, useRef, useState } from 'react'
import { SentenceText } from '@/components/ui/text/foreign-text'
import { field } from '@/components/ui/recipes/field'
import { cx } from '@/components/ui/recipes/recipe'
import { panel } from '@/components/ui/recipes/surface'
import { Wait } from '@/components/ui/page/wait'
import { t } from '@/lib/i18n/t'
import { useIsLive } from '@/components/ui/page/lazy-part'
import { createApiClient } from '@/lib/client/api/api-client'

/** A centered page with one form. */
export function AccountSheet({ title, children }: { title: string; children: ReactNode }) {
  return (
    <main className="grid min-h-dvh place-items-center p-4">
      <div className={cx(panel(), 'grid w-full max-w-96 gap-4 p-6')}>
        <h1 className="text-lg font-strong">
          <SentenceText text={title} />
        </h1>
        {children}
      </div>
    </main>
  )
}

export interface AccountFieldProps {
  readonly label: string
  readonly value: string
  readonly onChange: (value: string) => void
  readonly type?: 'email' | 'password' | 'text'
  /** Tells password managers what the field is for. */
  readonly autoComplete: 'username' | 'name' | 'current-password' | 'new-password' | 'off'
  /** A hint under the field. */
  readonly hint?: string
  readonly readOnly?: boolean
  readonly optional?: boolean
}

/**
 * A field of a form that the server renders. What was typed, or filled in by a password manager, before hydration is
 * only in the element, and would be lost with the next rendering.
 */
export function AccountField({
  label,
  value,
  onChange,
  type = 'text',
  hint,
  readOnly,
  optional,
  ...rest
}: AccountFieldProps) {
  const input = useRef<HTMLInputElement>(null)
  const take = useEffectEvent(() => {
    const typed = input.current?.value ?? ''
    if (readOnly !== true && typed !== value) onChange(typed)
  })
  useLayoutEffect(() => take(), [])
  return (
    <label className="grid gap-1.5">
      <SentenceText text={label} />
      <input
        {...rest}
        ref={input}
        className={field()}
        type={type}
        name={rest.autoComplete}
        value={value}
        readOnly={readOnly}
        required={optional !== true}
        maxLength={400}
        spellCheck={false}
        autoCapitalize="none"
        onChange={(event) => onChange(event.target.value)}
      />
      {hint === undefined ? null : (
        <span className="text-sm text-muted">
          <SentenceText text={hint} />
        </span>
      )}
    </label>
  )
}

/**
 * An error that screen readers announce when it appears. `waits`: a request is pending, which is shown if it takes
 * long.
 */
export function Refused({ message, waits = false }: { message: string | null; waits?: boolean }) {
  if (waits) return <Wait what={t('account.waits')} />
  return message === null ? null : (
    <p role="alert" className="text-danger">
      <SentenceText text={message} />
    </p>
  )
}

const wire = createApiClient((...args) => fetch(...args))

/**
 * Runs one request at a time: whether it is pending, and its error. Also busy before hydration, because a native form
 * submit would put the typed fields, even a password, into the address.
 */
export function useAsking() {
  const [asks, setBusy] = useState(false)
  const isLive = useIsLive()
  const busy = asks || !isLive
  const [refused, setRefused] = useState<string | null>(null)
  /** Calls `then` on success; if `then` leaves the page, the form stays disabled. Resolves to null on an error. */
  async function ask<T>(
    method: string,
    path: string,
    body: unknown,
    then: (value: T) => void | 'leaves',
  ): Promise<T | null> {
    setBusy(true)
    setRefused(null)
    const answer = await wire.ask<T>(method, path, body === undefined ? {} : { body })
    if (!answer.ok) setRefused(answer.error.message)
    const leaves = answer.ok && then(answer.value) === 'leaves'
    if (!leaves) setBusy(false)
    return answer.ok ? answer.value : null
  }
  return { busy, asks, refused, ask }
}
