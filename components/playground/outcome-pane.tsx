'use client'

import type { RefObject } from 'react'
import { SentenceText } from '@/components/ui/text/foreign-text'
import { ChangedFiles, filesSentence } from '@/components/tool-call/changed-files'
import { ConsoleLines, Elapsed } from '@/components/ui/code/console-lines'
import { CopyButton } from '@/components/ui/controls/copy-button'
import { DisplayView } from '@/components/ui/data/display-view'
import { drawableText } from '@/components/ui/text/drawable-text'
import { cx } from '@/components/ui/recipes/recipe'
import { Spinner } from '@/components/ui/page/wait'
import { TextButton } from '@/components/ui/controls/button'
import { waitsFor } from '@/lib/sandbox/sandbox'
import { t } from '@/lib/i18n/t'
import { benchPart, BenchTitle, rawText } from './bench'
import type { StrategyId } from '@/lib/protocols/types/tool-context-def'
import { ResultQuestion } from './run-question'
import type { HandRun, DecidedByHand } from './use-hand-run'
import { CodeBlock } from '@/components/ui/code/code-block'
import { decidedResult } from '@/lib/shared/prompt/decided-result'
import { resultToWrite } from '@/lib/shared/conversation/stopped-outcome'
import { toolContextBuilder } from '@/lib/protocols/tool-context-builder'

interface ManualCallResultProps {
  readonly decided: DecidedByHand
  readonly strategy: StrategyId
}

/** What a model would be told of a call by hand, in the words and the frame of a chat. */
function ManualCallResult({ decided: { live, row, boundary }, strategy }: ManualCallResultProps) {
  const told = resultToWrite(decidedResult(row, live))
  const { text } = toolContextBuilder.get(strategy).formatResults([told], boundary)
  return (
    <section aria-label={t('play.told')} className="mb-3">
      <p className="mb-1 text-sm text-muted">
        {t('play.told-under', { strategy })} <CopyButton text={() => text} label={t('play.copy-told')} />
      </p>
      <CodeBlock label={t('play.told')} text={text} numbered={false} />
    </section>
  )
}

export interface OutcomePaneProps extends Pick<HandRun, 'questions' | 'running' | 'outcome' | 'decided'> {
  readonly strategy: StrategyId
  /** The region of what came back, which takes the focus of a question that was answered. */
  readonly region: RefObject<HTMLDivElement | null>
  readonly onAnswer: () => void
  readonly onClear: () => void
}

/** What came back, exactly as it would be stored, and what a model would be told of it. */
export function OutcomePane({
  questions,
  running,
  outcome,
  decided,
  strategy,
  region,
  onAnswer,
  onClear,
}: OutcomePaneProps) {
  const text = outcome === null ? '' : JSON.stringify(outcome, null, 2)
  const lines = running?.events.flatMap((event) => (event.type === 'console' ? [event] : [])) ?? []
  return (
    <section
      className={benchPart(
        { second: true },
        'col-start-2 row-[1/span_2] narrow:col-auto narrow:row-auto narrow:py-0 [&_img]:mx-0',
      )}
      aria-label={t('play.came-back')}
    >
      <BenchTitle>
        {t('play.outcome')}
        {running ? (
          <span className="ms-auto inline-flex items-center gap-1.5 ps-3 whitespace-nowrap text-muted tabular-nums [&>svg]:size-3.5">
            <Spinner /> {waitsFor(running.events) || t('play.running')} · <Elapsed startedAt={running.startedAt} />
          </span>
        ) : null}
        {outcome ? (
          <span className="text-muted tabular-nums" role="status">
            {t('play.status', { status: outcome.status, ms: outcome.durationMs })}
          </span>
        ) : null}
        {outcome ? (
          <span className="ms-auto">
            <span className="text-muted">{t('play.nothing-sent')}</span> <CopyButton text={() => text} />{' '}
            <TextButton onClick={onClear}>{t('play.clear')}</TextButton>
          </span>
        ) : null}
      </BenchTitle>
      {questions.map((question) =>
        question.kind === 'result' ? (
          <ResultQuestion key={question.id} question={question} onAnswer={onAnswer} />
        ) : null,
      )}
      {decided ? <ManualCallResult decided={decided} strategy={strategy} /> : null}
      {outcome?.files && outcome.files.total > 0 ? (
        <div className="grid gap-2 py-2 text-sm">
          <p>{filesSentence(outcome.files)}</p>
          <ChangedFiles files={outcome.files} />
        </div>
      ) : null}
      <div
        ref={region}
        role="region"
        aria-label={t('play.outcome')}
        aria-busy={running !== null}
        className="mb-3 min-h-36 overflow-clip rounded-lg border border-line"
        tabIndex={0}
      >
        {outcome ? (
          <pre className={cx(rawText, 'min-h-36')}>
            <SentenceText text={drawableText(text)} />
          </pre>
        ) : null}
        {outcome === null && !running ? <p className="px-3.5 py-3 text-muted">{t('play.nothing-yet')}</p> : null}
      </div>
      {lines.length > 0 ? <ConsoleLines lines={lines} last={8} /> : null}
      {outcome?.displays.map((display, index) => (
        <DisplayView key={index} {...display} number={index + 1} />
      ))}
    </section>
  )
}
