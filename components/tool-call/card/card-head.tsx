import type { ReactNode } from 'react'
import { ForeignText, SentenceText } from '@/components/ui/text/foreign-text'
import { Icon } from '@/components/ui/controls/icon'
import { Spinner } from '@/components/ui/page/wait'
import type { CallSegment } from '@/lib/protocols/types/segment'
import type { CallSummary } from '@/lib/shared/tools/tool'
import type { CardStatus } from '../scope/call-scope'
import { aboutCall, cardHead, statusLine } from '../styles/card'
import { ToolName } from '../words/tool-name'

export interface CardHeadProps {
  readonly call: CallSegment
  /** Shown muted after the name; left out if the sentence below says the same. */
  readonly summary: CallSummary | null
  readonly status: CardStatus
  /** More after the status, e.g. " · 12 ms · 4.8 KB". */
  readonly figures?: ReactNode
  /** Makes the head a button that collapses the card. */
  readonly fold?: { readonly open: boolean; readonly toggle: () => void }
  /** Nothing in it can run. */
  readonly quiet?: boolean
  /** Rendered first. */
  readonly lead?: ReactNode
  /** Receives the element for a finished call's buttons. */
  readonly actions?: (place: HTMLElement | null) => void
}

/** One line in every state: tool, summary, status. Its height never changes. */
export function CardHead({ call, summary, status, figures, fold, lead, actions, quiet = false }: CardHeadProps) {
  const content = (
    <>
      {lead}
      <ToolName name={call.name} quiet={quiet} />
      {summary && summary.head !== '' ? (
        <span data-about="" className={aboutCall({ code: summary.headIsCode })}>
          {summary.headIsCode ? <ForeignText text={summary.head} /> : <SentenceText text={summary.head} />}
        </span>
      ) : null}
      <StatusWord status={status} figures={figures} />
    </>
  )
  const place = actions ? <span ref={actions} data-acts="" className={headActions} /> : null
  if (!fold) {
    return place ? (
      <div className="flex items-center narrow:flex-wrap">
        <div className={cardHead({}, 'flex-1')}>{content}</div>
        {place}
      </div>
    ) : (
      <div className={cardHead()}>{content}</div>
    )
  }
  return (
    // The button covers the whole row; other controls are above it.
    <div className={foldedHead}>
      <button
        type="button"
        className={cardHead(
          {},
          'min-w-0 flex-1 pe-0 after:absolute after:inset-0 narrow:basis-[calc(100%-2.5rem)] narrow:pe-0',
        )}
        aria-expanded={fold.open}
        onClick={fold.toggle}
      >
        {content}
      </button>
      {place}
      <Icon name={fold.open ? 'down' : 'right'} className="mx-3.5 ms-2 size-3 flex-none text-muted" />
    </div>
  )
}

/** Its second line on a phone, the summary, leaves room for one or two buttons. */
const foldedHead =
  'group/head relative flex items-center narrow:flex-wrap narrow:has-[[data-acts]>button]:[&_[data-about]]:pe-10 narrow:has-[[data-acts]>button]:[&_[data-about]]:leading-9 narrow:has-[[data-acts]>button+button]:[&_[data-about]]:pe-26 narrow:pointer-coarse:has-[[data-acts]>button]:[&_[data-about]]:leading-12'
/** Beside the status; on a phone at the end of the second line, or below a head of one line. */
const headActions =
  'relative z-1 ms-3 flex flex-none gap-2 empty:hidden narrow:order-1 narrow:m-0 narrow:basis-full narrow:justify-end narrow:px-3 narrow:pb-3 narrow:group-has-data-about/head:absolute narrow:group-has-data-about/head:end-0 narrow:group-has-data-about/head:bottom-0'

/** The state's color, beside text that says the same. */
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
