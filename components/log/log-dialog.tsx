'use client'

import { SentenceText } from '@/components/ui/text/foreign-text'
import { useCallback, useEffect, useMemo, useState } from 'react'
import { Button, IconButton, TextButton } from '@/components/ui/controls/button'
import { Dialog, DrawerHead } from '@/components/ui/popups/dialog'
import { Icon } from '@/components/ui/controls/icon'
import { button } from '@/components/ui/recipes/button'
import { cx } from '@/components/ui/recipes/recipe'
import { Select } from '@/components/ui/forms/select'
import { useLanguage } from '@/components/ui/page/use-language'
import { Wait } from '@/components/ui/page/wait'
import { t } from '@/lib/i18n/t'
import type { LogEntry } from '@/lib/shared/conversation/conversation'
import { exportAddress, type NodApi } from '@/lib/client/api/nod-api'
import { nodApi } from '@/lib/client/wiring/nod-api.browser'
import { ExportEverything, saveText } from './export-everything'
import { formatMoment } from '@/lib/base/text/locale'
import { SentenceParts } from '@/components/tool-call/sentence'
import { JsonTree } from '@/components/ui/code/json-tree'
import { logSentence } from './log-words'

/** One entry as a sentence; it opens to show everything the log has about it. */
function LogRow({ entry }: { readonly entry: LogEntry }) {
  const [open, setOpen] = useState(false)
  const { seq, at, actor, event, messageId, slot, tool, detail } = entry
  const when = new Date(at)
  return (
    <li className="not-first:border-t not-first:border-line">
      <button
        type="button"
        className="grid w-full grid-cols-[1rem_minmax(0,1fr)] gap-x-2 px-5 py-2 text-start hover:bg-hover narrow:px-3.5"
        aria-expanded={open}
        onClick={() => setOpen(!open)}
      >
        <Icon name={open ? 'down' : 'right'} className="mt-0.75 size-3" />
        <span className="leading-md wrap-anywhere">
          <SentenceParts parts={logSentence(entry)} />
        </span>
        <small className="col-start-2 text-sm text-muted tabular-nums">
          <time dateTime={when.toISOString()}>{formatMoment(at)}</time> · {actor} · {seq}
        </small>
      </button>
      {open ? (
        <JsonTree label={t('log.entry', { number: seq })} value={{ event, messageId, slot, tool, actor, at, detail }} />
      ) : null}
    </li>
  )
}

const place = cx('p-5 narrow:px-3.5')
const pageSize = 200

interface LogDialogProps {
  readonly conversationId: string
  readonly onClose: () => void
  readonly api?: Pick<NodApi, 'log'>
}

type Loaded =
  | { readonly phase: 'loading' }
  | { readonly phase: 'failed'; readonly message: string }
  | { readonly phase: 'ready'; readonly entries: readonly LogEntry[] }

/** Everything that was decided, changed, run and sent in one conversation, newest last. */
export default function LogDialog({ conversationId, onClose, api = nodApi }: LogDialogProps) {
  useLanguage()
  const [loaded, setLoaded] = useState<Loaded>({ phase: 'loading' })
  const load = useCallback(() => {
    let wanted = true
    const show = async () => {
      const log = await api.log(conversationId)
      if (!wanted) return
      setLoaded(log.ok ? { phase: 'ready', entries: log.value } : { phase: 'failed', message: log.error.message })
    }
    void show()
    return () => {
      wanted = false
    }
  }, [api, conversationId])
  useEffect(load, [load])

  return (
    <Dialog label={t('log.title')} look="drawer" onClose={onClose}>
      <DrawerHead title={t('log.title')}>
        <IconButton icon="again" label={t('log.again')} onClick={load} />
        <IconButton icon="cross" label={t('log.close')} onClick={onClose} />
      </DrawerHead>
      {loaded.phase === 'loading' ? (
        <Wait className={place} what={t('wait.log')} />
      ) : loaded.phase === 'failed' ? (
        <div className={cx(place, 'grid justify-items-start gap-3')}>
          <p className="text-sm text-pretty text-muted" role="alert">
            <SentenceText text={t('log.not-loaded', { why: loaded.message })} />
          </p>
          <Button onClick={load}>{t('log.retry')}</Button>
        </div>
      ) : (
        <Entries conversationId={conversationId} entries={loaded.entries} />
      )}
    </Dialog>
  )
}

function Entries({ conversationId, entries }: { conversationId: string; entries: readonly LogEntry[] }) {
  const [tool, setTool] = useState('')
  const [count, setCount] = useState(pageSize)
  const tools = useMemo(() => [...new Set(entries.flatMap((entry) => entry.tool ?? []))].toSorted(), [entries])
  const picked = tool === '' ? entries : entries.filter((entry) => entry.tool === tool)
  const shown = picked.slice(-count)
  const earlier = picked.length - shown.length

  return (
    <>
      <div className="sticky top-(--spacing-bar) z-above flex flex-wrap items-center gap-2 border-b border-line bg-raised px-5 py-2 text-sm/[inherit] narrow:px-3.5 narrow:[&_a]:h-10 narrow:[&_button]:h-10">
        <Select
          label={t('log.show')}
          value={tool}
          boxed
          options={[
            { value: '', label: t('log.everything') },
            ...tools.map((name) => ({ value: name, label: t('log.only', { tool: name }) })),
          ]}
          onChange={(next) => {
            setTool(next)
            setCount(pageSize)
          }}
        />
        <span className="text-muted tabular-nums" role="status">
          {t('log.count', { count: picked.length })}
        </span>
        <span className="ms-auto flex flex-wrap gap-2 narrow:ms-0">
          <Button onClick={() => saveText(`nod-log-${conversationId}.json`, JSON.stringify({ entries }, null, 2))}>
            <Icon name="save" />
            {t('log.download')}
          </Button>
          <a className={button()} href={exportAddress(conversationId)} download={`nod-chat-${conversationId}.json`}>
            <Icon name="save" />
            {t('log.export')}
          </a>
          <ExportEverything conversationId={conversationId} />
        </span>
      </div>
      {entries.length === 0 ? (
        <p className={place}>{t('log.none')}</p>
      ) : (
        <>
          {earlier > 0 ? (
            <p className="px-5 pt-3 text-sm/[inherit]">
              <TextButton onClick={() => setCount(count + pageSize)}>{t('log.earlier', { count: earlier })}</TextButton>
            </p>
          ) : null}
          <ol aria-label={t('log.entries')}>
            {shown.map((entry) => (
              <LogRow key={entry.seq} entry={entry} />
            ))}
          </ol>
        </>
      )}
      <div key={entries.at(-1)?.seq ?? 0} ref={bringIntoView} />
    </>
  )
}

/** Scrolls to the end, because the newest entry is last. */
function bringIntoView(end: HTMLDivElement | null): void {
  end?.scrollIntoView?.({ block: 'end' })
}
