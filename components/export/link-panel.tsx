'use client'

import { useEffect, useRef, useState } from 'react'
import { CopyButton } from '@/components/ui/controls/copy-button'
import { Button } from '@/components/ui/controls/button'
import { SentenceText } from '@/components/ui/text/foreign-text'
import { field } from '@/components/ui/recipes/field'
import { row } from '@/components/ui/recipes/surface'
import { Select } from '@/components/ui/forms/select'
import { Spinner } from '@/components/ui/page/wait'
import { withBase } from '@/lib/base/base-path'
import type { ShareApi } from '@/lib/client/api/share-api'
import {
  onlyShown,
  type ReadableChat,
  type ShownParts,
  mostShareBytes,
  shareDays,
  sharePath,
  usualShareDays,
  type SharedLink,
  type ShareDays,
} from '@/lib/shared/conversation/readable/readable-chat'
import { t } from '@/lib/i18n/t'

export interface LinkPanelProps {
  readonly conversationId: string
  /** All of it; what is not `shown` does not leave the page. */
  readonly chat: ReadableChat
  readonly shown: ShownParts
  readonly readers: 'on' | 'public'
  readonly api: Pick<ShareApi, 'share'>
  readonly onMade: (share: SharedLink) => void
}

type Making =
  | { readonly kind: 'idle' }
  | { readonly kind: 'making' }
  | { readonly kind: 'failed'; readonly why: string }
  | { readonly kind: 'made'; readonly address: string; readonly endsAt: number }

/** Makes a link, and shows it this once. */
export function LinkPanel({ conversationId, chat, shown, readers, api, onMade }: LinkPanelProps) {
  const [days, setDays] = useState<ShareDays>(usualShareDays)
  const [making, setMaking] = useState<Making>({ kind: 'idle' })
  const work = useRef(new AbortController())
  useEffect(() => () => work.current.abort(), [])
  const create = async () => {
    const leaves = onlyShown(chat, shown)
    const size = new Blob([JSON.stringify(leaves)]).size
    // The answer says the same, after all of it was sent.
    if (size > mostShareBytes - 1_000) {
      return setMaking({
        kind: 'failed',
        why: t('out.link.too-large', { size, most: mostShareBytes }),
      })
    }
    work.current = new AbortController()
    setMaking({ kind: 'making' })
    const made = await api.share(conversationId, { chat: leaves, shown, days }, work.current.signal)
    if (!made.ok) return setMaking({ kind: 'failed', why: made.error.message })
    const { share, token } = made.value
    setMaking({
      kind: 'made',
      address: `${window.location.origin}${withBase(sharePath(token))}`,
      endsAt: share.expiresAt,
    })
    onMade(share)
  }
  return (
    <div className="mt-4">
      <p className="text-sm text-pretty text-muted">
        {t(readers === 'public' ? 'out.link.who.on' : 'out.link.who.gate')} {t('out.link.snapshot')}
      </p>
      <div className={row({}, 'mt-3')}>
        <label className="inline-flex items-center gap-2">
          <span aria-hidden="true">{t('out.link.ends')}</span>
          <Select
            boxed
            label={t('out.link.ends')}
            value={String(days)}
            options={shareDays.map((one) => ({
              value: String(one),
              label: t('out.link.days', { days: one }),
            }))}
            onChange={(value) => setDays(shareDays.find((one) => String(one) === value) ?? usualShareDays)}
          />
        </label>
        <Button look="ink" disabled={making.kind === 'making'} onClick={() => void create()}>
          {t('out.link.create')}
        </Button>
      </div>
      {making.kind === 'making' ? (
        <p className="mt-2 text-sm text-muted" role="status">
          <Spinner /> {t('out.link.creating')}
        </p>
      ) : making.kind === 'failed' ? (
        <p className="mt-2 text-sm text-danger" role="alert">
          <SentenceText text={making.why} />
        </p>
      ) : making.kind === 'made' ? (
        <div className="mt-3" role="status">
          <div className="flex items-center gap-2">
            <input
              className={field({}, 'font-mono text-mono')}
              readOnly
              aria-label={t('out.link.label')}
              value={making.address}
              onFocus={({ currentTarget }) => currentTarget.select()}
            />
            <CopyButton look="icon" label={t('out.link.copy')} text={() => making.address} />
          </div>
          <p className="mt-1 text-sm text-pretty text-muted">
            {t('out.link.once', { at: making.endsAt })}{' '}
            <a className="underline" href={making.address} target="_blank" rel="noreferrer">
              {t('out.link.open')}
            </a>
          </p>
        </div>
      ) : null}
    </div>
  )
}
