import { asUntrusted, asWritten } from '@/lib/base/untrusted-text/foreign'
import { useId, useMemo, useEffect, useRef, useState } from 'react'
import { modelLabel } from '@/lib/i18n/model-label'
import { t } from '@/lib/i18n/t'
import { useConversation } from '@/components/context/chat-context'
import { useOlderStatus } from '@/components/context/use-older'
import { Button } from '@/components/ui/controls/button'
import { SentenceText } from '@/components/ui/text/foreign-text'
import { textArea } from '@/components/ui/recipes/field'
import { summaryRequest } from '@/lib/shared/prompt/summary-request'
import { promptBudgetIn } from '@/lib/shared/prompt/prompt-budget'
import { isHere, type ChatRow } from '@/lib/shared/conversation/message-tree'
import { compactionIn, contextMarkLimits } from '@/lib/shared/conversation/settings/context-marks'
import { isPastedModel } from '@/lib/shared/conversation/wire/tab-run'
import { useShownModel } from './use-next-request'
import { loadPart } from '@/lib/i18n/load-part'
import { renderStoredText } from '@/lib/i18n/stored-text'
import type { TrialRequest } from '@/lib/shared/conversation/wire/trial'

interface SummaryFieldProps {
  /** The start of the branch, up to the first sent message. */
  readonly before: readonly ChatRow[]
  /** Indexes of the left-out messages. */
  readonly leaves: readonly number[]
  readonly value: string
  readonly onChange: (text: string) => void
}

/** Used if the model's context window is unknown: the size that small models accept. */
const USUAL_WINDOW = 12_000

/** The summary that replaces the left-out messages: typed, or written by the model and edited. */
export function SummaryField({ before, leaves, value, onChange }: SummaryFieldProps) {
  const field = useId()
  const settings = useConversation((view) => view.conversation?.settings)
  const marks = useConversation((view) => view.conversation?.marks)
  const model = useShownModel()
  const { problem: notLoaded } = useOlderStatus()
  const summary = useSummary()
  const isComplete = before.every(isHere)
  const asked = useMemo(() => {
    if (!settings || !before.every(isHere)) return null
    // Messages that were left out before are represented by their summary, the others by their text.
    const known = compactionIn(before, marks)
    const from = known && known.compaction.summary !== '' ? known.at + 1 : 0
    const sentTokens = leaves.filter((at) => at >= from).flatMap((at) => before[at] ?? [])
    const room = model?.contextTokens ? promptBudgetIn(model.contextTokens) : USUAL_WINDOW
    return summaryRequest(
      sentTokens,
      { model: settings.model, strategy: settings.strategy, before: from > 0 ? (known?.compaction.summary ?? '') : '' },
      room,
    )
  }, [before, leaves, settings, marks, model])
  const isByHand = settings !== undefined && isPastedModel(settings.model)
  const label = model ? asUntrusted(modelLabel(model)) : asWritten(t('context.this-model'))
  const write = () => {
    if (asked) summary.write(asked.request, (text) => onChange(text.slice(0, contextMarkLimits.maxSummaryChars)))
  }
  return (
    <div className="mt-3">
      <label className="font-medium" htmlFor={field}>
        {t('room.field')}
      </label>
      <textarea
        id={field}
        className={textArea({}, 'mt-1 max-h-72 min-h-28')}
        dir="auto"
        value={value}
        readOnly={summary.isWriting}
        maxLength={contextMarkLimits.maxSummaryChars}
        onChange={(event) => onChange(event.target.value)}
      />
      {isByHand ? (
        <p>{t('room.by-person')}</p>
      ) : (
        <div className="mt-2 flex flex-wrap items-center gap-x-3 gap-y-1">
          {summary.isWriting ? (
            <>
              <Button onClick={summary.stop}>{t('room.stop')}</Button>
              <span className="text-sm text-muted" role="status">
                <SentenceText text={t('room.writing', { model: label })} />
              </span>
            </>
          ) : (
            <>
              <Button disabled={asked === null} onClick={write}>
                <SentenceText text={t('room.write', { model: label })} />
              </Button>
              <span className="min-w-0 flex-1 text-sm text-pretty text-muted narrow:basis-full">
                {asked ? t('room.write-hint', { tokens: asked.tokens }) : null}
                {asked && asked.leftOut > 0 ? ` ${t('room.partly', { messages: asked.leftOut })}` : null}
                {isComplete ? null : <SentenceText text={notLoaded ?? t('room.loading')} />}
              </span>
            </>
          )}
        </div>
      )}
      {summary.problem === null ? null : (
        <p role="alert">
          <SentenceText
            text={
              summary.problem.kind === 'cut' ? t('room.cut-short') : t('room.not-written', { why: summary.problem.why })
            }
          />
        </p>
      )}
    </div>
  )
}

interface SummaryWriting {
  readonly isWriting: boolean
  /** A sentence: why no summary was written, or that it was cut off. */
  readonly problem: { readonly kind: 'failed' | 'cut'; readonly why: string } | null
  /** Calls `onText` with the text as it grows. */
  readonly write: (request: TrialRequest, onText: (text: string) => void) => void
  readonly stop: () => void
}

/** Requests one reply that is not stored. The usual limits apply; a click starts it and another one stops it. */
function useSummary(): SummaryWriting {
  const [isWriting, setWriting] = useState(false)
  const [problem, setProblem] = useState<SummaryWriting['problem']>(null)
  const abort = useRef<AbortController | null>(null)
  useEffect(() => () => abort.current?.abort(), [])

  async function ask(request: TrialRequest, onText: (text: string) => void, signal: AbortSignal): Promise<void> {
    const { summaryModel } = await loadPart(() => import('@/lib/client/wiring/models/summary.browser'))
    let text = ''
    for await (const line of summaryModel.ask(request, signal)) {
      if (line.type === 'text') onText((text += line.text))
      if (line.type !== 'end' || signal.aborted) continue
      if (line.outcome === 'failed' || text.trim() === '') {
        setProblem({ kind: 'failed', why: line.failure ? renderStoredText(line.failure) : '' })
      } else if (line.outcome !== 'finished') setProblem({ kind: 'cut', why: '' })
    }
  }

  return {
    isWriting,
    problem,
    stop: () => abort.current?.abort(),
    write(request, onText) {
      abort.current?.abort()
      const mine = new AbortController()
      abort.current = mine
      setProblem(null)
      setWriting(true)
      ask(request, onText, mine.signal)
        .catch((error: unknown) => {
          if (!mine.signal.aborted) setProblem({ kind: 'failed', why: error instanceof Error ? error.message : '' })
        })
        .finally(() => {
          if (abort.current === mine) setWriting(false)
        })
    },
  }
}
