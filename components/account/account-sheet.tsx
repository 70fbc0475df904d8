import { type ReactNode, useState } from 'react'
import { SentenceText } from '@/components/ui/text/foreign-text'
import { field } from '@/components/ui/recipes/field'
import { cx } from '@/components/ui/recipes/recipe'
import { panel } from '@/components/ui/recipes/surface'
import { Wait } from '@/components/ui/page/wait'
import { t } from '@/lib/i18n/t'
import { useIsLive } from '@/components/ui/page/lazy-part'
import { createApiClient } from '@/lib/client/api/api-client'

/** One question in the middle of the page. */
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
  /** What a password manager takes it for. */
  readonly autoComplete: 'username' | 'name' | 'current-password' | 'new-password' | 'off'
  /** Says more under the field. */
  readonly hint?: string
  readonly readOnly?: boolean
  readonly optional?: boolean
}

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
  return (
    <label className="grid gap-1.5">
      <SentenceText text={label} />
      <input
        {...rest}
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

/** What went wrong, read out as it appears. `waits`: the server is being asked, which is said once it takes long. */
export function Refused({ message, waits = false }: { message: string | null; waits?: boolean }) {
  if (waits) return <Wait what={t('account.waits')} />
  return message === null ? null : (
    <p role="alert" className="text-danger">
      <SentenceText text={message} />
    </p>
  )
}

const wire = createApiClient((...asked) => fetch(...asked))

/**
 * One question at a time: whether it is being asked, and what was refused. Busy too while the page is not alive yet: a form
 * that the browser sends by itself would put what was typed, a password too, into the address.
 */
export function useAsking() {
  const [asks, setBusy] = useState(false)
  const isLive = useIsLive()
  const busy = asks || !isLive
  const [refused, setRefused] = useState<string | null>(null)
  /** `then` on a good answer; where it leaves the page, nothing can be pressed again. Gives null where it was refused. */
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
