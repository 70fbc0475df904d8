'use client'

import { useEffect, useRef, useState, useId } from 'react'
import { CopyButton } from '@/components/ui/controls/copy-button'
import { Button } from '@/components/ui/controls/button'
import { SentenceText, ForeignText } from '@/components/ui/text/foreign-text'
import { field, rows } from '@/components/ui/recipes/field'
import { row } from '@/components/ui/recipes/surface'
import { Select } from '@/components/ui/forms/select'
import { Spinner } from '@/components/ui/page/wait'
import { withBase } from '@/lib/base/base-path'
import type { ShareApi } from '@/lib/client/api/nod-api'
import {
  onlyShown,
  type ReadableChat,
  type ShownParts,
  maxShareBytes,
  shareDays,
  sharePath,
  usualShareDays,
  type SharedLink,
  type ShareDays,
  shownPartNames,
} from '@/lib/shared/conversation/readable/readable-chat'
import { t } from '@/lib/i18n/t'
import { asUntrusted, labelOf } from '@/lib/base/untrusted-text/foreign'

export interface LinkPanelProps {
  readonly conversationId: string
  /** The whole chat; parts that are not in `shown` never leave the page. */
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

/** Creates a link, and shows it only once. */
export function LinkPanel({ conversationId, chat, shown, readers, api, onMade }: LinkPanelProps) {
  const [days, setDays] = useState<ShareDays>(usualShareDays)
  const [making, setMaking] = useState<Making>({ kind: 'idle' })
  const work = useRef(new AbortController())
  useEffect(() => () => work.current.abort(), [])
  const create = async () => {
    const leaves = onlyShown(chat, shown)
    const size = new Blob([JSON.stringify(leaves)]).size
    // The server would refuse it too, but only after everything was sent.
    if (size > maxShareBytes - 1_000) {
      return setMaking({
        kind: 'failed',
        why: t('out.link.too-large', { size, most: maxShareBytes }),
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
        {t('base.sentences', {
          all: [t(readers === 'public' ? 'out.link.who.on' : 'out.link.who.gate'), t('out.link.snapshot')],
        })}
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

interface MyLinksProps {
  readonly links: readonly SharedLink[]
  readonly conversationId: string
  readonly api: Pick<ShareApi, 'unshare'>
  readonly onEnded: (id: string) => void
}

/** The active links of all chats, with what each shares. Any of them can be revoked. */
export function MyLinks({ links, conversationId, api, onEnded }: MyLinksProps) {
  const heading = useId()
  const [notice, setNotice] = useState<{ readonly words: string; readonly isBad: boolean } | null>(null)
  const [ending, setEnding] = useState<string | null>(null)
  const end = async (id: string) => {
    setEnding(id)
    const ended = await api.unshare(id)
    setEnding(null)
    if (ended.ok || ended.error.code === 'not-found') {
      setNotice({ words: t('out.links.ended'), isBad: false })
      return onEnded(id)
    }
    setNotice({ words: ended.error.message, isBad: true })
  }
  return (
    <section className="mt-6 border-t border-line pt-4" aria-labelledby={heading}>
      <h3 className="font-strong" id={heading}>
        {t('out.links')}
      </h3>
      {links.length === 0 ? (
        <p className="mt-1 text-sm text-muted">{t('out.links.none')}</p>
      ) : (
        <ul className={rows({}, 'mt-2')}>
          {links.map((link) => {
            const title = link.title === '' ? t('readable.untitled') : link.title
            return (
              <li
                key={link.id}
                className="flex items-center gap-3 px-3.5 py-2 not-first:border-t not-first:border-line"
              >
                <span className="min-w-0 flex-1">
                  <span className="block truncate">
                    <ForeignText text={title} reading="prose" />
                    {link.conversationId === conversationId ? (
                      <span className="text-muted"> · {t('out.links.here')}</span>
                    ) : null}
                  </span>
                  <span className="block text-sm text-muted">
                    {t('out.links.about', {
                      messages: link.messages,
                      at: link.createdAt,
                      ends: link.expiresAt,
                    })}{' '}
                    · {shownWords(link.shown)}
                  </span>
                </span>
                <Button
                  disabled={ending === link.id}
                  aria-label={labelOf(t('out.links.end-named', { title: asUntrusted(title) }))}
                  onClick={() => void end(link.id)}
                >
                  {t('out.links.end')}
                </Button>
              </li>
            )
          })}
        </ul>
      )}
      {notice === null ? null : (
        <p className={notice.isBad ? 'mt-2 text-sm text-danger' : 'mt-2 text-sm text-muted'} role="status">
          <SentenceText text={notice.words} />
        </p>
      )}
    </section>
  )
}

/** "with arguments and results" */
function shownWords(shown: ShownParts): string {
  const what = shownPartNames.filter((part) => shown[part]).map((part) => t(`out.links.of.${part}`))
  return what.length === 0 ? t('out.links.words') : t('out.links.with', { what })
}
