'use client'

import { momentWords } from '@/lib/base/text/locale'
import { SentenceParts } from '@/components/tool-call/sentence'
import { useState } from 'react'
import { Icon } from '@/components/ui/icon'
import { JsonTree } from '@/components/ui/json-tree'
import type { LogEntry } from '@/lib/shared/conversation/conversation'
import { t } from '@/lib/i18n/t'
import { logSentence } from './log-words'

/** One entry as a sentence; it opens to all that the log holds of it. */
export function LogRow({ entry }: { readonly entry: LogEntry }) {
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
          <time dateTime={when.toISOString()}>{momentWords(at)}</time> · {actor} · {seq}
        </small>
      </button>
      {open ? (
        <JsonTree label={t('log.entry', { number: seq })} value={{ event, messageId, slot, tool, actor, at, detail }} />
      ) : null}
    </li>
  )
}
