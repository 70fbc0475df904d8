'use client'

import { useId, useRef, useState, type KeyboardEvent } from 'react'
import { ForeignCode } from '@/components/ui/foreign-code'
import { SaidText } from '@/components/ui/foreign-text'
import { Icon } from '@/components/ui/icon'
import { badge } from '@/components/ui/recipes/badge'
import { codeBox } from '@/components/ui/recipes/code'
import type { MeasuredBest } from '@/lib/lab/measured-best'
import { TYPEAHEAD_MS, typeAhead } from '@/lib/base/type-ahead'
import { sampleCall } from '@/lib/strategies/sample-call'
import { toolContextBuilder } from '@/lib/strategies/tool-context-builder'
import type { StrategyId } from '@/lib/strategies/tool-context-def'
import { t } from '@/lib/i18n/t'
import { placeAfter } from './list-place'
import { choiceLine, choiceMark } from './picker-look'

export interface FormatChoicesProps {
  readonly labelledBy: string
  readonly current: StrategyId
  /** What was measured to be the best for the chosen model. */
  readonly best: MeasuredBest | null
  /** About how many tokens each adds to every turn; empty: tools are off. */
  readonly costs: ReadonlyMap<StrategyId, number>
  readonly onPick: (id: StrategyId) => void
}

/** The call formats, and how a call looks in the one that is pointed at. Arrows, Home, End, first letters; Enter chooses. */
export function FormatChoices({ labelledBy, current, best, costs, onPick }: FormatChoicesProps) {
  const id = useId()
  const formats = toolContextBuilder.strategies
  const [pointed, setPointed] = useState<StrategyId>(current)
  const typed = useRef({ text: '', at: 0 })
  const at = formats.findIndex((format) => format.id === pointed)

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter' || event.key === ' ') {
      event.preventDefault()
      return onPick(pointed)
    }
    const isLetter = event.key.length === 1 && !(event.altKey || event.ctrlKey || event.metaKey)
    let next = { Home: 0, End: formats.length - 1 }[event.key] ?? placeAfter(event.key, at, formats.length)
    if (isLetter) {
      const going = event.timeStamp - typed.current.at < TYPEAHEAD_MS
      typed.current = { text: going ? typed.current.text + event.key : event.key, at: event.timeStamp }
      next = typeAhead(
        formats.map((format) => format.id),
        at,
        typed.current.text,
      )
    }
    const format = next === null ? undefined : formats[next]
    if (!format) return
    event.preventDefault()
    setPointed(format.id)
  }
  const sample = sampleCall(pointed)
  return (
    <>
      <div
        role="listbox"
        tabIndex={0}
        aria-labelledby={labelledBy}
        aria-activedescendant={`${id}-${pointed}`}
        className="px-1.5 focus-visible:-outline-offset-2"
        onKeyDown={onKeyDown}
      >
        {formats.map((format) => (
          <button
            type="button"
            tabIndex={-1}
            key={format.id}
            id={`${id}-${format.id}`}
            role="option"
            aria-selected={format.id === current}
            aria-describedby={`${id}-sample`}
            className={choiceLine()}
            {...(format.id === pointed ? { 'data-pointed': '' } : {})}
            onPointerMove={() => setPointed(format.id)}
            onClick={() => onPick(format.id)}
          >
            {format.id === current ? <Icon name="ok" className={choiceMark()} /> : <span className={choiceMark()} />}
            <span className="min-w-0 flex-1">
              <span className="font-medium">{format.id}</span>{' '}
              {format.id === best?.strategy ? (
                <span className={badge()}>
                  <SaidText text={t('picker.best', { by: best.by })} />
                </span>
              ) : null}
              <span className="block text-sm text-muted">{format.summary}</span>
            </span>
            <Cost tokens={costs.get(format.id)} />
          </button>
        ))}
      </div>
      <figure className="mx-3 mt-2 flex-none overflow-hidden rounded-md border border-line">
        <figcaption className="border-b border-line px-3 py-1 text-xs text-muted">
          {t('picker.sample', { strategy: pointed })}
        </figcaption>
        <div id={`${id}-sample`} className="h-26 overflow-auto bg-code">
          {sample === null ? (
            <p className="px-3 py-2 text-sm text-code-muted">{t('picker.no-sample')}</p>
          ) : (
            <pre className={codeBox({}, 'px-3 py-2 whitespace-pre-wrap wrap-anywhere')}>
              {sample.split('\n').map((line, index) => (
                <span key={index} className="block">
                  <ForeignCode text={line} />
                </span>
              ))}
            </pre>
          )}
        </div>
      </figure>
    </>
  )
}

const Cost = ({ tokens }: { readonly tokens: number | undefined }) =>
  tokens === undefined ? null : (
    <span className="flex-none text-end text-sm whitespace-nowrap text-muted tabular-nums">
      {t('picker.cost', { tokens })}
    </span>
  )
