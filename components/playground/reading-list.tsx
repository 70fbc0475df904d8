'use client'

import { SentenceParts } from '@/components/tool-call/sentence'
import { ForeignText, SaidText } from '@/components/ui/foreign-text'
import { cx, recipe } from '@/components/ui/recipes/recipe'
import { TextButton } from '@/components/ui/text-button'
import type { SentencePart } from '@/lib/base/sentence-part'
import type { ReadingItem } from '@/lib/strategies/explain/explain-reply'
import type { Tone } from '@/lib/strategies/explain/explanation'
import { t } from '@/lib/i18n/t'
import { benchList } from './bench'
import type { TakenCall } from './taken-call'

export interface ReadingListProps {
  readonly items: readonly ReadingItem[]
  readonly active: number | null
  readonly onPoint: (index: number | null) => void
  readonly onGo: (index: number) => void
  /** Those of the items that can be run by hand. */
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

/** Every part of the reply that is no plain text, and why it is, or is not, a call. */
export function ReadingList({ items, active, onPoint, onGo, calls, onTake }: ReadingListProps) {
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
                  <SaidText text={item.title} />
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
