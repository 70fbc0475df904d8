'use client'

import { useRef, useState } from 'react'
import { Button } from '@/components/ui/button'
import { Select } from '@/components/ui/select'
import { TextButton } from '@/components/ui/text-button'
import { replyAsJson } from '@/lib/strategies/reply-json'
import { CopyJson } from './copy-json'
import { examples } from './examples'
import { ReadingList } from './reading-list'
import { MAX_COLOURED_CHARACTERS, ReplyPaper } from './reply-paper'
import type { InspectorState } from './use-inspector'
import { useReading } from './use-reading'

/** Any reply, coloured in place, and what each part of it is and why. */
export function Inspector({ state }: { state: InspectorState }) {
  const { text, strategy, tools, note, replaced } = state
  const inspected = useReading(text, strategy, tools)
  const [active, setActive] = useState<number | null>(null)
  const paper = useRef<HTMLElement>(null)
  const { reading, paper: drawn } = inspected
  const isBehind = inspected.text !== text

  const go = (index: number) => {
    const place = paper.current?.querySelector(`[data-item="${index}"]`)
    const item = reading.items[index]
    const field = paper.current?.querySelector('textarea')
    if (place) place.scrollIntoView({ block: 'center' })
    else if (field && item) {
      field.focus()
      field.setSelectionRange(item.start, item.end)
    }
  }
  const pointAtCaret = (offset: number) => {
    const found = reading.items.findIndex(({ start, end }) => offset >= start && offset < end)
    setActive(found < 0 ? null : found)
  }
  const load = (id: string) => {
    const example = examples.find((one) => one.id === id)
    if (example) state.replace(example.text, example.strategy)
  }

  return (
    <div className="bench inspector" id="read">
      <section aria-label="Pasted reply" ref={paper}>
        <h2>
          Pasted reply <span className="muted num">{countWords(text.length)}</span>
          <span className="end" />
          <ExampleMenu onChoose={load} />
          <Button look="quiet" disabled={text === ''} onClick={() => state.replace('')}>
            Clear
          </Button>
        </h2>
        <ReplyPaper
          typed={text}
          inspected={inspected}
          active={active}
          onType={state.type}
          onReplace={state.replace}
          onCaret={pointAtCaret}
        />
        {text.length > MAX_COLOURED_CHARACTERS ? (
          <p className="note-line">
            This reply is too long to be coloured in place. It is read whole; a click in the list selects the part here.
          </p>
        ) : drawn.covered < text.length && !isBehind ? (
          <p className="note-line">
            Colours and line numbers end after {drawn.lines.length.toLocaleString('en')} lines; the list beside it goes
            on.
          </p>
        ) : null}
        <p className="note-line">Every character belongs to exactly one part. Nothing here can run or reach a model.</p>
        <p
          className={note?.tone === 'trouble' ? 'note-line bad' : 'note-line'}
          role={note?.tone === 'trouble' ? 'alert' : 'status'}
        >
          {note?.text ?? ''}
          {replaced === null ? null : (
            <>
              {note ? ' ' : 'The text before is kept. '}
              <TextButton onClick={state.bringBack}>bring back the text before</TextButton>
            </>
          )}
        </p>
      </section>
      <section aria-label="Reading" aria-busy={isBehind}>
        <h2>
          How it is read <span className="muted">{isBehind ? 'reading …' : text === '' ? '' : reading.summary}</span>
          <span className="end" />
          <CopyJson
            disabled={text === ''}
            text={() => JSON.stringify(replyAsJson(inspected.text, inspected.reply), null, 2)}
          />
          <Button look="quiet" disabled={text === ''} onClick={state.share}>
            Share by link
          </Button>
        </h2>
        {reading.items.length > 0 ? (
          <ReadingList items={reading.items} active={active} onPoint={setActive} onGo={go} />
        ) : (
          <p className="reading-empty">
            {text === ''
              ? 'Paste a reply on the other side, or load an example. Each part that could be a call is listed here, with the reason why it is one or not.'
              : `All of it is plain text. ${strategy} finds no call in it, and nothing that resembles one.`}
          </p>
        )}
        {reading.hidden > 0 ? (
          <p className="note-line">
            {reading.hidden.toLocaleString('en')} more are counted and not listed. “Copy as JSON” has all of them.
          </p>
        ) : null}
      </section>
    </div>
  )
}

const countWords = (length: number): string =>
  `${length.toLocaleString('en')} ${length === 1 ? 'character' : 'characters'}`

/** A list of its own, so that the same example can be loaded again. */
function ExampleMenu({ onChoose }: { onChoose: (id: string) => void }) {
  const options = [
    { value: '', label: 'Load an example' },
    ...examples.map(({ id, strategy, label }) => ({ value: id, label: `${strategy} · ${label}` })),
  ]
  return <Select label="Load an example" className="examples" value="" options={options} onChange={onChoose} />
}
