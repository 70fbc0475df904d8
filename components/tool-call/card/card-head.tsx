import type { ReactNode } from 'react'
import { ForeignText, SaidText } from '@/components/ui/foreign-text'
import { Icon, type IconName } from '@/components/ui/icon'
import type { CallSegment } from '@/lib/strategies/segment'
import type { CallSummary } from '@/lib/tools/tool'
import type { CardStatus } from './card-status'
import { iconOf } from '../words/tool-facts'

export interface CardHeadProps {
  readonly call: CallSegment
  /** Shown muted after the name; left out while the sentence below says the same. */
  readonly summary: CallSummary | null
  readonly status: CardStatus
  /** More after the status word, e.g. " · 12 ms · 4.8 KB". */
  readonly figures?: ReactNode
  /** Makes the head a button that folds the card. */
  readonly fold?: { readonly open: boolean; readonly toggle: () => void }
  /** Stands before the rest. */
  readonly lead?: ReactNode
}

/** One line in every state: tool, what it is about, status. Its height never changes. */
export function CardHead({ call, summary, status, figures, fold, lead }: CardHeadProps) {
  const content = (
    <>
      {lead}
      <Icon name={iconOf(call.name)} />
      <span className="tool cut">
        <ForeignText text={call.name} />
      </span>
      {summary && summary.head !== '' ? (
        <span className={`what cut${summary.headIsCode ? ' mono' : ''}`}>
          {summary.headIsCode ? <ForeignText text={summary.head} /> : <SaidText text={summary.head} />}
        </span>
      ) : null}
      <StatusWord status={status} figures={figures} />
      {fold ? <Icon name={fold.open ? 'down' : 'right'} className="twist lead" /> : null}
    </>
  )
  if (!fold) return <div className="card-head">{content}</div>
  return (
    <button type="button" className="card-head" aria-expanded={fold.open} onClick={fold.toggle}>
      {content}
    </button>
  )
}

function StatusWord({ status, figures }: { status: CardStatus; figures: ReactNode }) {
  const tone = status.tone === 'wait' ? ' wait' : ''
  const glyph: IconName = status.glyph
  return (
    <span className={`status${tone}`}>
      <Icon name={glyph} className={glyph === 'spinner' ? 'spin' : status.tone} />
      <span>
        {status.tone === 'bad' || status.tone === 'warn' ? (
          <b className={status.tone}>{status.word}</b>
        ) : (
          <span>{status.word}</span>
        )}
        {figures}
      </span>
    </span>
  )
}
