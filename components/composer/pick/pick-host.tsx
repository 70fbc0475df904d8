'use client'

import { useEffect, useState, type RefObject } from 'react'
import { composerHint } from '../composer-styles'
import { SentenceText } from '@/components/ui/text/foreign-text'
import { FillForm, type FillRequest } from './fill-form'
import type { PickKeys } from './options'
import type { PickTrigger } from './pick-trigger'
import { PromptList } from './prompt-list'
import { ResourceList } from './resource-list'

export interface PickHostProps {
  /** Null while nothing is being picked. */
  readonly trigger: PickTrigger | null
  readonly field: RefObject<HTMLTextAreaElement | null>
  readonly keys: RefObject<PickKeys | null>
  /** Replaces the typed trigger with text. */
  readonly onInsert: (at: PickTrigger, words: string) => void
  readonly onAttach: (files: readonly File[]) => void
}

/** How long a confirmation is shown. */
const saidMs = 10_000

/**
 * Above the message field: the list for `/` and `@`, and the form for a prompt's arguments. Loads on the first trigger.
 */
export default function PickHost({ trigger, field, keys, onInsert, onAttach }: PickHostProps) {
  /** Closed by Esc: the same trigger does not open the list again. */
  const [closed, setClosed] = useState<string | null>(null)
  const [form, setForm] = useState<{ readonly request: FillRequest; readonly at: PickTrigger } | null>(null)
  const [said, setSaid] = useState<string | null>(null)
  const [at, setAt] = useState(trigger)
  if (trigger !== null && trigger !== at) setAt(trigger)
  if (trigger === null && closed !== null) setClosed(null)
  if (trigger !== null && said !== null && trigger !== at) setSaid(null)
  const name = trigger && `${trigger.kind} ${trigger.start}`
  useEffect(() => {
    if (said === null) return
    const timer = setTimeout(() => setSaid(null), saidMs)
    return () => clearTimeout(timer)
  }, [said])
  // A server may answer after the text has changed; the result is inserted where it was picked.
  const place = form?.at ?? at
  const insert = (words: string) => {
    setSaid(null)
    if (place) onInsert(place, words)
  }
  const close = () => setForm(null)
  const parts = {
    field,
    keys,
    insert,
    fill: (request: FillRequest) => {
      if (!at) return
      const onDone: FillRequest['onDone'] = (values) => {
        close()
        request.onDone(values)
      }
      setForm({ request: { ...request, onDone }, at })
    },
    say: setSaid,
    attach: onAttach,
    onClose: () => setClosed(name),
  }
  const List = at?.kind === 'resources' ? ResourceList : PromptList
  return (
    <>
      {said === null ? null : (
        <p className={composerHint()} role="status">
          <SentenceText text={said} />
        </p>
      )}
      <div className="relative">{trigger && name !== closed ? <List {...parts} trigger={trigger} /> : null}</div>
      {form ? <FillForm request={form.request} onClose={close} /> : null}
    </>
  )
}
