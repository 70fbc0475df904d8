import type { ReactNode } from 'react'
import { ForeignText, SentenceText } from '@/components/ui/foreign-text'
import { Icon } from '@/components/ui/icon'
import { Spinner } from '@/components/ui/spinner'
import type { CallSegment } from '@/lib/protocols/types/segment'
import type { CallSummary } from '@/lib/shared/tools/tool'
import type { CardStatus } from '../scope/card-status'
import { aboutCall, cardHead, statusLine, toolName } from '../styles/card'
import { useIconOf } from '../words/use-tool-words'

export interface CardHeadProps {
  readonly call: CallSegment
  /** Shown muted after the name; left out while the sentence below says the same. */
  readonly summary: CallSummary | null
  readonly status: CardStatus
  /** More after the status word, e.g. " · 12 ms · 4.8 KB". */
  readonly figures?: ReactNode
  /** Makes the head a button that folds the card. */
  readonly fold?: { readonly open: boolean; readonly toggle: () => void }
  /** Nothing of it can run. */
  readonly quiet?: boolean
  /** Stands before the rest. */
  readonly lead?: ReactNode
}

/** One line in every state: tool, what it is about, status. Its height never changes. */
export function CardHead({ call, summary, status, figures, fold, lead, quiet = false }: CardHeadProps) {
  const icon = useIconOf(call.name)
  const look = quiet ? 'quiet' : undefined
  const content = (
    <>
      {lead}
      <Icon name={icon} className="text-muted" />
      <span className={toolName({ look })}>
        <ForeignText text={call.name} />
      </span>
      {summary && summary.head !== '' ? (
        <span data-about="" className={aboutCall({ code: summary.headIsCode })}>
          {summary.headIsCode ? <ForeignText text={summary.head} /> : <SentenceText text={summary.head} />}
        </span>
      ) : null}
      <StatusWord status={status} figures={figures} />
      {fold ? <Icon name={fold.open ? 'down' : 'right'} className="size-3 text-muted" /> : null}
    </>
  )
  if (!fold) return <div className={cardHead()}>{content}</div>
  return (
    <button type="button" className={cardHead()} aria-expanded={fold.open} onClick={fold.toggle}>
      {content}
    </button>
  )
}

/** Beside a word that says the same: the state's own colour. */
const tones: Readonly<Record<CardStatus['tone'], string>> = {
  plain: '',
  wait: '',
  ok: 'text-ok',
  bad: 'text-danger',
  warn: 'text-warn',
}

function StatusWord({ status, figures }: { status: CardStatus; figures: ReactNode }) {
  const { glyph, tone, word } = status
  const isTrouble = tone === 'bad' || tone === 'warn'
  const waits = tone === 'wait' ? tone : undefined
  return (
    <span className={statusLine({ tone: waits })}>
      {glyph === 'spinner' ? <Spinner /> : <Icon name={glyph} className={tones[tone]} />}
      <span>
        {isTrouble ? <b className={`font-medium ${tones[tone]}`}>{word}</b> : <span>{word}</span>}
        {figures}
      </span>
    </span>
  )
}
