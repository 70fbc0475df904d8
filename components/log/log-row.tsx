'use client'

import { SentenceParts } from '@/components/tool-call/sentence'
import { useState } from 'react'
import { Icon } from '@/components/ui/icon'
import { JsonTree } from '@/components/ui/json-tree'
import type { LogEntry } from '@/lib/chat/conversation'
import { logSentence } from './log-words'

/** One entry as a sentence; it opens to all that the log holds of it. */
export function LogRow({ entry }: { readonly entry: LogEntry }) {
  const [open, setOpen] = useState(false)
  const { seq, at, actor, event, messageId, slot, tool, detail } = entry
  const when = new Date(at)
  return (
    <li>
      <button type="button" className="log-row" aria-expanded={open} onClick={() => setOpen(!open)}>
        <Icon name={open ? 'down' : 'right'} className="twist" />
        <span className="log-what">
          <SentenceParts parts={logSentence(entry)} />
        </span>
        <small>
          <time dateTime={when.toISOString()}>{timeFormat.format(when)}</time> · {actor} · {seq}
        </small>
      </button>
      {open ? <JsonTree label={`Entry ${seq}`} value={{ event, messageId, slot, tool, actor, at, detail }} /> : null}
    </li>
  )
}

const timeFormat = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' })
