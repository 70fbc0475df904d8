'use client'

import { useState } from 'react'
import { SentenceText } from '@/components/ui/text/foreign-text'
import { Button } from '@/components/ui/controls/button'
import { deviceLabel } from '@/lib/i18n/labels'
import { t } from '@/lib/i18n/t'
import { Refused, useAsking } from './account-sheet'

export interface ShownSession {
  readonly id: string
  /** Epoch milliseconds. */
  readonly createdAt: number
  readonly lastSeenAt: number
  readonly address: string | null
  readonly userAgent: string | null
  readonly here: boolean
}

/** Lists the account's sessions; each can be signed out here. */
export function SessionList({ sessions }: { sessions: readonly ShownSession[] }) {
  const [ended, setEnded] = useState<ReadonlySet<string>>(new Set())
  const { busy, asks, refused, ask } = useAsking()
  const shown = sessions.filter(({ id }) => !ended.has(id))
  const others = shown.filter(({ here }) => !here)
  const end = (gone: readonly ShownSession[], path: string) =>
    ask('DELETE', path, undefined, () => setEnded(new Set([...ended, ...gone.map(({ id }) => id)])))
  return (
    <>
      <ul className="grid gap-3">
        {shown.map((session) => (
          <li key={session.id} className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <span className="min-w-0 flex-1 basis-56">
              <SentenceText text={deviceLabel(session.userAgent)} />
              {session.here ? <strong className="font-medium">{` · ${t('account.this-browser')}`}</strong> : null}
              <span className="block text-sm text-muted" suppressHydrationWarning>
                <SentenceText text={timesOf(session)} />
              </span>
            </span>
            {session.here ? null : (
              <Button
                disabled={busy}
                aria-label={t('account.sign-out-of', { device: deviceLabel(session.userAgent) })}
                onClick={() => void end([session], `/api/account/sessions/${encodeURIComponent(session.id)}`)}
              >
                {t('account.sign-out')}
              </Button>
            )}
          </li>
        ))}
      </ul>
      <Refused message={refused} waits={asks} />
      {others.length > 1 ? (
        <Button disabled={busy} onClick={() => void end(others, '/api/account/sessions')}>
          {t('account.sign-out-others')}
        </Button>
      ) : null}
    </>
  )
}

const timesOf = ({ createdAt, lastSeenAt, address }: ShownSession): string =>
  t('account.session', { seen: lastSeenAt, address, since: createdAt })
