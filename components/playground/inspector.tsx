'use client'

import { useRef, useState, useEffect } from 'react'
import { Button, TextButton } from '@/components/ui/controls/button'
import { SentenceText, ForeignText } from '@/components/ui/text/foreign-text'
import { note } from '@/components/ui/recipes/surface'
import { Select } from '@/components/ui/forms/select'
import { quotedRefusal } from '@/lib/i18n/quoted-refusal'
import { replyAsJson } from '@/lib/protocols/types/segment'
import { t } from '@/lib/i18n/t'
import {
  bench,
  BenchEmpty,
  benchPart,
  BenchTitle,
  benchList,
  type ReadingState,
  takenCalls,
  type TakenCall,
} from './reading-state'
import { MAX_COLOURED_CHARACTERS, ReplyPaper } from './reply-paper'
import { type StrategyId, type ToolSpec, formOf } from '@/lib/protocols/types/tool-context-def'
import { useReading } from './paper-lines'
import { SentenceParts } from '@/components/tool-call/sentence'
import { cx, recipe } from '@/components/ui/recipes/recipe'
import type { SentencePart } from '@/lib/base/untrusted-text/sentence-part'
import { type ReadingItem, examples } from '@/lib/protocols/explain/explain-reply'
import type { Tone } from '@/lib/protocols/explain/explanation'

interface ReadingListProps {
  readonly items: readonly ReadingItem[]
  readonly active: number | null
  readonly onPoint: (index: number | null) => void
  readonly onGo: (index: number) => void
  /** The items that can be run by hand. */
  readonly calls: ReadonlyMap<number, TakenCall>
  readonly onTake: ((call: TakenCall) => void) | undefined
}

const title = recipe('font-strong', {
  tone: {
    call: 'text-accent-text',
    problem: 'text-danger',
    quote: '',
    foreign: 'text-warn',
    broken: 'text-danger',
    reasoning: '',
    miss: '',
  } satisfies Readonly<Record<Tone, string>>,
})

/** Every part of the reply that is not plain text, and why it is, or is not, a call. */
function ReadingList({ items, active, onPoint, onGo, calls, onTake }: ReadingListProps) {
  return (
    <ol className={benchList}>
      {items.map((item, index) => (
        <li key={index}>
          <button
            type="button"
            className="grid w-full grid-cols-[1.5rem_minmax(0,1fr)] gap-x-2 px-3.5 py-2.75 text-start hover:bg-surface focus-visible:rounded-lg focus-visible:-outline-offset-3 data-on:bg-surface"
            data-on={index === active || undefined}
            onMouseEnter={() => onPoint(index)}
            onMouseLeave={() => onPoint(null)}
            onFocus={() => onPoint(index)}
            onBlur={() => onPoint(null)}
            onClick={() => onGo(index)}
          >
            <span className="mt-0.5 grid h-4.5 place-items-center rounded-sm border border-control bg-raised font-sans text-[0.6875rem]/none font-medium">
              {index + 1}
            </span>
            <span className="min-w-0">
              <span className="flex items-baseline gap-2">
                <b className={title({ tone: item.tone })}>
                  <SentenceText text={item.title} />
                </b>{' '}
                {item.name === null ? null : (
                  <span className="truncate font-mono">
                    <ForeignText text={item.name} />
                  </span>
                )}{' '}
                <span className="ms-auto text-sm whitespace-nowrap text-muted tabular-nums">{item.place}</span>
              </span>
              {item.lines.map((line, at) => (
                <span
                  key={at}
                  className={cx('block text-sm text-pretty wrap-anywhere', line.main ? 'text-text' : 'text-muted')}
                >
                  <Words parts={line.parts} />{' '}
                </span>
              ))}
            </span>
          </button>
          <Take call={calls.get(index)} onTake={onTake} />
        </li>
      ))}
    </ol>
  )
}

function Take({ call, onTake }: { call: TakenCall | undefined; onTake: ReadingListProps['onTake'] }) {
  if (!call || !onTake) return null
  return (
    <p className="ps-12 pb-2.5 text-sm">
      <TextButton onClick={() => onTake(call)}>{t('inspector.run-here')}</TextButton>
    </p>
  )
}

function Words({ parts }: { parts: readonly SentencePart[] }) {
  return <SentenceParts parts={parts} />
}

const SAID_FOR_MS = 1_600

/** Copies the reading as `npm run -s protocol -- parse` prints it. */
function CopyJson({ text, disabled }: { text: () => string; disabled: boolean }) {
  const [copyNotice, setCopyNotice] = useState<'inspector.copied' | 'inspector.not-copied' | null>(null)
  useEffect(() => {
    if (copyNotice === null) return
    const timer = setTimeout(() => setCopyNotice(null), SAID_FOR_MS)
    return () => clearTimeout(timer)
  }, [copyNotice])
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text())
      setCopyNotice('inspector.copied')
    } catch {
      setCopyNotice('inspector.not-copied')
    }
  }
  return (
    <Button look="quiet" disabled={disabled} onClick={() => void copy()}>
      {t(copyNotice ?? 'inspector.copy')}
    </Button>
  )
}

/**
 * The inspector's state. The component that shows it owns the text; without `share`, it has no link and no examples.
 */
export interface InspectorState extends Pick<ReadingState, 'text' | 'strategy' | 'note' | 'replaced'> {
  readonly tools: readonly ToolSpec[]
  /** As shown in a reply's row. */
  readonly reading?: 'whole'
  readonly type: (text: string) => void
  /** Replaces the text; the old one can be restored. */
  readonly replace: (text: string, strategy?: StrategyId) => void
  readonly bringBack: () => void
  /** Takes a parsed call to the panel that runs it by hand. */
  readonly take?: (call: TakenCall) => void
  /** Sets the page's address to the link of this reading, and copies it. */
  readonly share?: () => void
}

/** Highlights any reply in place, and explains each part of it. */
export function Inspector({ state }: { state: InspectorState }) {
  const { text, strategy, tools, note: inspectorNote, replaced } = state
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
          className={note({ tone: inspectorNote?.tone === 'trouble' ? 'bad' : undefined }, 'mt-2 empty:hidden')}
          role={inspectorNote?.tone === 'trouble' ? 'alert' : 'status'}
        >
          {inspectorNote ? <SentenceText text={quotedRefusal(inspectorNote.refusal)} /> : null}
          {replaced === null ? null : (
            <>
              {inspectorNote ? null : t('inspector.kept-before')}{' '}
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
