'use client'

import { wallClock } from '@/lib/base/clocks'
import { useEffect, useState, useId } from 'react'
import { ExportEverything, saveBlob, fileOfTitle } from '@/components/log/export-everything'
import { Button, IconButton } from '@/components/ui/controls/button'
import { CopyButton } from '@/components/ui/controls/copy-button'
import { Dialog, DrawerHead } from '@/components/ui/popups/dialog'
import { SentenceText } from '@/components/ui/text/foreign-text'
import { row } from '@/components/ui/recipes/surface'
import { SegmentedControl } from '@/components/ui/forms/segmented-control'
import { Spinner } from '@/components/ui/page/wait'
import { useLanguage } from '@/components/ui/page/use-language'
import type { NodApi, ShareApi } from '@/lib/client/api/nod-api'
import {
  nothingShown,
  onlyShown,
  type ReadableChat,
  type ShownParts,
  countParts,
  shownPartNames,
  type SharedLink,
} from '@/lib/shared/conversation/readable/readable-chat'
import { readableMarkdown } from '@/lib/shared/conversation/readable/readable-markdown'
import { nodApi, shareApi } from '@/lib/client/wiring/nod-api.browser'
import { t } from '@/lib/i18n/t'
import { LinkPanel, MyLinks } from './link-panel'
import { PrintSheet, forMyself, useReadable } from './print-chat'
import { ReadableThread } from './readable-thread'
import { checkBox, checkLabel } from '@/components/ui/recipes/field'

export interface TakeOutProps {
  readonly conversationId: string
  readonly onClose: () => void
  readonly api?: Pick<NodApi, 'exportChat'>
  readonly shares?: ShareApi
}

const kinds = ['link', 'markdown', 'print', 'all'] as const
type Kind = (typeof kinds)[number]

interface Links {
  readonly links: readonly SharedLink[]
  readonly readers: 'off' | 'on' | 'public'
}

/** Exports one chat: as a share link, as Markdown, on paper, or as a complete file. */
export default function ExportDialog({ conversationId, onClose, api = nodApi, shares = shareApi }: TakeOutProps) {
  useLanguage()
  const [kind, setKind] = useState<Kind>('link')
  const { readable, readAgain } = useReadable(conversationId, api)
  const links = useLinks(shares)
  return (
    <Dialog look="drawer" label={t('out.title')} onClose={onClose}>
      <DrawerHead title={t('out.title')}>
        <IconButton icon="cross" label={t('out.close')} onClick={onClose} />
      </DrawerHead>
      <div className="p-5 narrow:px-3.5">
        <SegmentedControl
          label={t('out.kinds')}
          value={kind}
          options={kinds.map((value) => ({ value, label: t(`out.kind.${value}`) }))}
          onChange={setKind}
        />
        {kind === 'all' ? (
          <>
            <p className="mt-4 mb-3 text-sm text-pretty text-muted">{t('out.all.about')}</p>
            <div className={row()}>
              <ExportEverything conversationId={conversationId} />
            </div>
          </>
        ) : readable.kind === 'reading' ? (
          <p className="mt-4 text-muted" role="status">
            <Spinner /> {t('out.reading')}
          </p>
        ) : readable.kind === 'failed' ? (
          <div className="mt-4" role="alert">
            <p className="mb-2">
              <SentenceText text={t('out.not-read', { why: readable.why })} />
            </p>
            <Button onClick={readAgain}>{t('out.again')}</Button>
          </div>
        ) : readable.chat.messages.length === 0 ? (
          <p className="mt-4 text-muted">{t('out.empty')}</p>
        ) : (
          <SharedContent
            key={kind}
            kind={kind}
            conversationId={conversationId}
            chat={readable.chat}
            isWriting={readable.isWriting}
            links={links}
            shares={shares}
          />
        )}
        {kind === 'link' && links.known ? (
          <MyLinks links={links.known.links} conversationId={conversationId} api={shares} onEnded={links.drop} />
        ) : null}
      </div>
    </Dialog>
  )
}

interface LeavingProps {
  readonly kind: Exclude<Kind, 'all'>
  readonly conversationId: string
  readonly chat: ReadableChat
  readonly isWriting: boolean
  readonly links: ReturnType<typeof useLinks>
  readonly shares: ShareApi
}

/** What the export includes, a preview, and the button. */
function SharedContent({ kind, conversationId, chat, isWriting, links, shares }: LeavingProps) {
  const [shown, setShown] = useState<ShownParts>(kind === 'link' ? nothingShown : forMyself)
  const [printing, setPrinting] = useState(false)
  const leaves = onlyShown(chat, shown)
  const markdown = () => readableMarkdown(leaves, wallClock())
  const readers = links.known?.readers
  if (kind === 'link' && links.failed !== null) {
    return (
      <p className="mt-4" role="alert">
        <SentenceText text={t('out.links.not-loaded', { why: links.failed })} />
      </p>
    )
  }
  if (kind === 'link' && readers === 'off') return <p className="mt-4">{t('out.link.off')}</p>
  return (
    <>
      {isWriting ? <p className="mt-4 text-sm text-warn">{t('out.writing-now')}</p> : null}
      <ShownChoices chat={chat} shown={shown} onChange={setShown} />
      <ChatPreview chat={leaves} />
      {kind === 'link' ? (
        <>
          <p className="mt-2 text-sm text-pretty text-muted">{t('out.stays')}</p>
          {readers === undefined || readers === 'off' ? null : (
            <LinkPanel
              conversationId={conversationId}
              chat={chat}
              shown={shown}
              readers={readers}
              api={shares}
              onMade={links.add}
            />
          )}
        </>
      ) : kind === 'markdown' ? (
        <>
          <p className="mt-2 mb-3 text-sm text-pretty text-muted">{t('out.markdown.about')}</p>
          <div className={row()}>
            <Button
              look="ink"
              onClick={() =>
                saveBlob(fileOfTitle(chat.title, '.md'), new Blob([markdown()], { type: 'text/markdown' }))
              }
            >
              {t('out.markdown.save')}
            </Button>
            <CopyButton label={t('out.markdown.copy')} text={markdown} />
          </div>
        </>
      ) : (
        <>
          <p className="mt-2 mb-3 text-sm text-pretty text-muted">{t('out.print.about')}</p>
          <Button look="ink" onClick={() => setPrinting(true)}>
            {t('out.print.do')}
          </Button>
          {printing ? <PrintSheet chat={leaves} onDone={() => setPrinting(false)} /> : null}
        </>
      )}
    </>
  )
}

/** The user's share links, updated when one is created or revoked here. */
function useLinks(api: Pick<ShareApi, 'shares'>) {
  const [known, setKnown] = useState<Links | null>(null)
  const [failed, setFailed] = useState<string | null>(null)
  useEffect(() => {
    let isHere = true
    const read = async () => {
      const answer = await api.shares()
      if (!isHere) return
      if (answer.ok) setKnown({ links: answer.value.shares, readers: answer.value.readers })
      else setFailed(answer.error.message)
    }
    void read()
    return () => {
      isHere = false
    }
  }, [api])
  const change = (to: (links: readonly SharedLink[]) => readonly SharedLink[]) =>
    setKnown((now) => now && { ...now, links: to(now.links) })
  return {
    known,
    failed,
    add: (share: SharedLink) => change((links) => [share, ...links]),
    drop: (id: string) => change((links) => links.filter((one) => one.id !== id)),
  }
}

/** A preview of everything that is exported. */
function ChatPreview({ chat }: { chat: ReadableChat }) {
  const heading = useId()
  return (
    <section className="mt-4" aria-labelledby={heading}>
      <h3 className="font-strong" id={heading}>
        {t('out.preview')}
      </h3>
      <div
        className="mt-2 max-h-[45vh] min-h-24 overflow-auto rounded-lg border border-line bg-surface p-4"
        tabIndex={0}
        role="group"
        aria-labelledby={heading}
      >
        <ReadableThread chat={chat} />
      </div>
    </section>
  )
}

interface ShownChoicesProps {
  readonly chat: ReadableChat
  readonly shown: ShownParts
  readonly onChange: (shown: ShownParts) => void
}

/** Choices of what to export besides the text. Parts that the chat does not have can't be chosen. */
function ShownChoices({ chat, shown, onChange }: ShownChoicesProps) {
  const counts = countParts(chat)
  return (
    <fieldset className="mt-4">
      <legend className="font-strong">{t('out.what')}</legend>
      <p className="mt-1 text-sm text-pretty text-muted">
        {t('out.words', { messages: onlyShown(chat, shown).messages.length, calls: counts.calls })}
      </p>
      <ul className="mt-1 grid">
        {shownPartNames.map((part) => {
          const what = t(`out.show.${part}`)
          const count = counts[part]
          return (
            <li key={part}>
              <label className={checkLabel({}, count === 0 ? 'text-muted' : '')}>
                <input
                  className={checkBox()}
                  type="checkbox"
                  disabled={count === 0}
                  checked={count > 0 && shown[part]}
                  onChange={(event) => onChange({ ...shown, [part]: event.target.checked })}
                />{' '}
                {part === 'systemPrompt' ? what : t('out.show-count', { what, count })}
              </label>
            </li>
          )
        })}
      </ul>
    </fieldset>
  )
}
