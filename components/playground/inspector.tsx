'use client'

import { useRef, useState } from 'react'
import { Button } from '@/components/ui/button'
import { SaidText } from '@/components/ui/foreign-text'
import { note } from '@/components/ui/recipes/note'
import { Select } from '@/components/ui/select'
import { TextButton } from '@/components/ui/text-button'
import { quotedRefusal } from '@/lib/i18n/quoted-refusal'
import { examples } from '@/lib/strategies/explain/reply-examples'
import { formOf } from '@/lib/strategies/reply-form'
import { replyAsJson } from '@/lib/strategies/reply-json'
import { t } from '@/lib/i18n/t'
import { bench, BenchEmpty, benchPart, BenchTitle } from './bench'
import { CopyJson } from './copy-json'
import { ReadingList } from './reading-list'
import { MAX_COLOURED_CHARACTERS, ReplyPaper } from './reply-paper'
import type { StrategyId, ToolSpec } from '@/lib/strategies/tool-context-def'
import type { ReadingState } from './reading-state'
import { takenCalls, type TakenCall } from './taken-call'
import { useReading } from './use-reading'

/** What is inspected. What is typed stays with whoever shows it; without `share` there is no link to it, and no examples. */
export interface InspectorState extends Pick<ReadingState, 'text' | 'strategy' | 'note' | 'replaced'> {
  readonly tools: readonly ToolSpec[]
  /** As the row of a reply says it. */
  readonly reading?: 'whole'
  readonly type: (text: string) => void
  /** Puts another text in place of the present one, which can be brought back. */
  readonly replace: (text: string, strategy?: StrategyId) => void
  readonly bringBack: () => void
  /** Puts a call that was read where it can be run by hand. */
  readonly take?: (call: TakenCall) => void
  /** Makes the page's address the link to this reading, and copies it. */
  readonly share?: () => void
}

/** Any reply, coloured in place, and what each part of it is and why. */
export function Inspector({ state }: { state: InspectorState }) {
  const { text, strategy, tools, note: said, replaced } = state
  const inspected = useReading(text, formOf(state), tools)
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
    <div className={bench({ tall: true })} id="read">
      <section className={benchPart()} aria-label={t('inspector.pasted')} ref={paper}>
        <BenchTitle>
          {t('inspector.pasted')}{' '}
          <span className="text-muted tabular-nums">{t('inspector.characters', { count: text.length })}</span>
          <span className="ms-auto" />
          {state.share ? <ExampleMenu onChoose={load} /> : null}
          <Button look="quiet" className="-me-2" disabled={text === ''} onClick={() => state.replace('')}>
            {t('inspector.clear')}
          </Button>
        </BenchTitle>
        <ReplyPaper
          typed={text}
          inspected={inspected}
          active={active}
          onType={state.type}
          onReplace={state.replace}
          onCaret={pointAtCaret}
        />
        {text.length > MAX_COLOURED_CHARACTERS ? (
          <p className={note({}, 'mt-2')}>{t('inspector.too-long')}</p>
        ) : drawn.covered < text.length && !isBehind ? (
          <p className={note({}, 'mt-2')}>{t('inspector.colours-end', { lines: drawn.lines.length })}</p>
        ) : null}
        <p className={note({}, 'mt-2')}>{t('inspector.about')}</p>
        <p
          className={note({ tone: said?.tone === 'trouble' ? 'bad' : undefined }, 'mt-2 empty:hidden')}
          role={said?.tone === 'trouble' ? 'alert' : 'status'}
        >
          {said ? <SaidText text={quotedRefusal(said.said)} /> : null}
          {replaced === null ? null : (
            <>
              {said ? null : t('inspector.kept-before')}{' '}
              <TextButton onClick={state.bringBack}>{t('inspector.bring-back')}</TextButton>
            </>
          )}
        </p>
      </section>
      <section className={benchPart({ second: true })} aria-label={t('inspector.reading')} aria-busy={isBehind}>
        <BenchTitle>
          {t('inspector.how')}{' '}
          <span className="text-muted">{isBehind ? t('inspector.reads') : text === '' ? '' : reading.summary}</span>
          <span className="ms-auto" />
          <CopyJson
            disabled={text === ''}
            text={() => JSON.stringify(replyAsJson(inspected.text, inspected.reply), null, 2)}
          />
          {state.share ? (
            <Button look="quiet" className="-me-2" disabled={text === ''} onClick={state.share}>
              {t('inspector.share')}
            </Button>
          ) : null}
        </BenchTitle>
        {reading.items.length > 0 ? (
          <ReadingList
            items={reading.items}
            active={active}
            onPoint={setActive}
            onGo={go}
            calls={state.take ? takenCalls(reading.items, inspected.reply) : none}
            onTake={state.take}
          />
        ) : (
          <BenchEmpty>{text === '' ? t('inspector.nothing') : t('inspector.all-plain', { strategy })}</BenchEmpty>
        )}
        {reading.hidden > 0 ? (
          <p className={note({}, 'mt-2')}>{t('inspector.hidden', { count: reading.hidden })}</p>
        ) : null}
      </section>
    </div>
  )
}

const none: ReadonlyMap<number, TakenCall> = new Map()

/** A list of its own, so that the same example can be loaded again. */
function ExampleMenu({ onChoose }: { onChoose: (id: string) => void }) {
  const options = [
    { value: '', label: t('inspector.example') },
    ...examples.map(({ id, strategy, shows }) => ({
      value: id,
      label: t('inspector.example-of', { strategy, label: t(`inspector.shows.${shows}`) }),
    })),
  ]
  return (
    <Select
      label={t('inspector.example')}
      className="max-w-38 text-sm"
      value=""
      options={options}
      onChange={onChoose}
    />
  )
}
