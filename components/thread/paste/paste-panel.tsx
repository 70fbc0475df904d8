'use client'

import { useEffect, useId, useState, useSyncExternalStore, type KeyboardEvent, type ReactNode } from 'react'
import { Button } from '@/components/ui/controls/button'
import { copyText, useForAMoment } from '@/components/ui/controls/copy-button'
import { hint, rows, textArea } from '@/components/ui/recipes/field'
import { note } from '@/components/ui/recipes/surface'
import { SegmentedControl } from '@/components/ui/forms/segmented-control'
import { TextExcerpt } from '@/components/ui/text/text-excerpt'
import {
  atLastReply,
  newInPrompt,
  completePrompt,
  type PasteRequest,
} from '@/lib/client/browser-models/paste/paste-queue'
import { pasteQueue, pastedDrafts, localModelsReady, pastedChats } from '@/lib/client/wiring/models/tab-models.browser'
import { t } from '@/lib/i18n/t'
import PasteWithoutServer from './paste-without-server'

interface PastePanelProps {
  readonly runId: string
  /** Whether the server can be reached, as far as is known. */
  readonly online: boolean
}

/** Replaces a reply that a person copies from another chat. */
export default function PastePanel({ runId, online }: PastePanelProps) {
  const request = useSyncExternalStore(pasteQueue.subscribe, () => pasteQueue.waiting(runId))
  const asked = useLastAsked(runId, request)
  const [given, setGiven] = useState(false)
  const elsewhere = useElsewhere(runId)
  if (given)
    return online ? null : (
      <>
        <Note reason="paste.given" />
        <PasteWithoutServer />
      </>
    )
  // Offline, the tab aborts the reply after a while, but the panel must stay for a person who is about to paste.
  if (asked)
    return <Paste key={runId} request={asked} state={online ? 'waits' : 'offline'} onUsed={() => setGiven(true)} />
  return elsewhere ? <Note reason="paste.elsewhere" /> : null
}

const Note = ({ reason }: { readonly reason: 'paste.given' | 'paste.elsewhere' }) => (
  <p className={note()} role="status">
    {t(reason)}
  </p>
)

/** The last request for this reply in this tab, even if it has ended. */
function useLastAsked(runId: string, request: PasteRequest | null): PasteRequest | null {
  const [last, setLast] = useState(request)
  if (request !== null && last !== request) setLast(request)
  const asked = request ?? last
  return asked?.runId === runId ? asked : null
}

/** True once it is known that this tab does not write the reply. */
function useElsewhere(runId: string): boolean {
  const [elsewhere, setElsewhere] = useState(false)
  useEffect(() => {
    let wanted = true
    void localModelsReady(runId).then(() => wanted && setElsewhere(true))
    return () => {
      wanted = false
    }
  }, [runId])
  return elsewhere
}

interface PasteProps {
  readonly request: PasteRequest
  readonly state: 'waits' | 'offline'
  readonly onUsed: () => void
}

function Paste({ request, state, onUsed }: PasteProps) {
  const { prompt } = request
  const id = useId()
  const [text, setText] = useState(() => pastedDrafts.get(prompt))
  const write = (next: string) => {
    setText(next)
    pastedDrafts.set(prompt, next)
  }
  const use = () => {
    if (text.trim() === '') return
    pastedChats.note(prompt, text)
    request.answer(text)
    onUsed()
    // Offline, the text may never be taken: it is then offered when the reply is requested again.
    void localModelsReady(request.runId).then((taken) => taken && pastedDrafts.set(prompt, ''))
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
    event.preventDefault()
    use()
  }
  return (
    <section className={rows()} aria-label={t('paste.section')}>
      <Step number={1} heading={t('paste.take')}>
        <Take request={request} />
      </Step>
      <Step number={2} heading={<label htmlFor={id}>{t('paste.bring')}</label>}>
        <textarea
          id={id}
          className={textArea({}, 'max-h-80 min-h-20')}
          value={text}
          aria-describedby={`${id}-how`}
          onChange={(event) => write(event.currentTarget.value)}
          onKeyDown={onKeyDown}
        />
        <p className={hint()} id={`${id}-how`}>
          {t('paste.how')}
        </p>
        {state === 'offline' ? (
          <div>
            <p className={hint()} role="status">
              {t('paste.offline')}
            </p>
            <PasteWithoutServer />
          </div>
        ) : null}
        <Button look="ink" className="justify-self-start" disabled={text.trim() === ''} onClick={use}>
          {t('paste.use')}
        </Button>
      </Step>
    </section>
  )
}

function Step({
  number,
  heading,
  children,
}: {
  readonly number: number
  readonly heading: ReactNode
  readonly children: ReactNode
}) {
  return (
    <div className="grid gap-2 px-3.5 py-3 not-first:border-t not-first:border-line">
      <h3 className="text-md font-strong">
        <span className="me-2 text-muted">{number}</span>
        {heading}
      </h3>
      {children}
    </div>
  )
}

type Part = 'new' | 'whole'

function Take({ request: { prompt } }: { readonly request: PasteRequest }) {
  const [known] = useState(() => pastedChats.knows(prompt))
  const fresh = newInPrompt(prompt)
  const [part, setPart] = useState<Part>(known ? 'new' : 'whole')
  const [copyLabel, showCopyLabel] = useForAMoment<'paste.copy' | 'paste.copied' | 'paste.not-copied'>('paste.copy')
  const { text, pictures } = part === 'new' && fresh ? fresh : completePrompt(prompt)
  const before = atLastReply(prompt).asked.filter(({ role }) => role !== 'system').length + 1
  const copy = () =>
    void copyText(text).then(
      () => showCopyLabel('paste.copied'),
      () => showCopyLabel('paste.not-copied'),
    )
  return (
    <>
      {fresh ? (
        <SegmentedControl<Part>
          label={t('paste.part')}
          value={part}
          options={[
            { value: 'new', label: t('paste.part-new') },
            { value: 'whole', label: t('paste.part-whole') },
          ]}
          onChange={setPart}
        />
      ) : null}
      <p className={hint()}>
        {part === 'new'
          ? known
            ? t('paste.new', { before })
            : t('paste.after')
          : t(fresh && !known ? 'paste.untold' : 'paste.whole')}
      </p>
      <div className="grid [&>pre]:max-w-none">
        <TextExcerpt label={t('paste.prompt')} text={text} />
      </div>
      {pictures > 0 ? <p className={hint()}>{t('paste.pictures', { count: pictures })}</p> : null}
      <Button className="justify-self-start" onClick={copy}>
        {t(copyLabel)}
      </Button>
    </>
  )
}
