'use client'

import { SentenceParts } from '@/components/tool-call/sentence'
import { ForeignText, SaidText } from '@/components/ui/foreign-text'
import type { SentencePart } from '@/lib/tools/tool'
import type { ReadingItem } from '@/lib/strategies/explain/explain-reply'
import type { Tone } from '@/lib/strategies/explain/explanation'

export interface ReadingListProps {
  readonly items: readonly ReadingItem[]
  readonly active: number | null
  readonly onPoint: (index: number | null) => void
  readonly onGo: (index: number) => void
}

const toneClass: Readonly<Record<Tone, string>> = {
  call: 't-call',
  problem: 't-broken',
  quote: '',
  foreign: 't-foreign',
  broken: 't-broken',
  reasoning: '',
  miss: '',
}

/** Every part of the reply that is no plain text, and why it is, or is not, a call. */
export function ReadingList({ items, active, onPoint, onGo }: ReadingListProps) {
  return (
    <ol className="verdicts">
      {items.map((item, index) => (
        <li key={index}>
          <button
            type="button"
            className={index === active ? 'verdict on' : 'verdict'}
            onMouseEnter={() => onPoint(index)}
            onMouseLeave={() => onPoint(null)}
            onFocus={() => onPoint(index)}
            onBlur={() => onPoint(null)}
            onClick={() => onGo(index)}
          >
            <span className="ref">{index + 1}</span>
            <span className="verdict-text">
              <span className="vh">
                <b className={toneClass[item.tone]}>
                  <SaidText text={item.title} />
                </b>{' '}
                {item.name === null ? null : (
                  <span className="mono cut">
                    <ForeignText text={item.name} />
                  </span>
                )}{' '}
                <span className="at num">{item.place}</span>
              </span>
              {item.lines.map((line, at) => (
                <span key={at} className={line.main ? 'verdict-line why' : 'verdict-line'}>
                  <Words parts={line.parts} />{' '}
                </span>
              ))}
            </span>
          </button>
        </li>
      ))}
    </ol>
  )
}

function Words({ parts }: { parts: readonly SentencePart[] }) {
  return <SentenceParts parts={parts} />
}
