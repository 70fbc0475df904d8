'use client'

import { Button, TextButton } from '@/components/ui/controls/button'
import { ConsoleLines } from '@/components/ui/code/console-lines'
import { SentenceText } from '@/components/ui/text/foreign-text'
import type { FileChanges, CallOutcome } from '@/lib/shared/conversation/call-record'
import type { CallState } from '@/lib/shared/calls/call-state'
import { t } from '@/lib/i18n/t'
import { type CallEntry, useCall, isCancelled, isKeptForUser } from '../scope/call-scope'
import { ChangedFiles, filesSentence } from '../changed-files'
import { LazyAsk, LazyKeptCall } from '../lazy-parts'
import { Sentence } from '../sentence'
import { sentResultText, ReleasedNote, FilesLine, Preface, Unstored } from './settled-lines'
import { cardEnd, footButton, CardBody, CardFoot, Meta, Fact, CardTrouble, MetaEnd } from '../styles/card'
import { useState, useEffect } from 'react'
import { OutcomeTabs } from './outcome-tabs'
import { asUntrusted, foreignIn } from '@/lib/base/untrusted-text/foreign'
import { withParts, type SentencePart } from '@/lib/base/untrusted-text/sentence-part'
import type { CallSegment } from '@/lib/protocols/types/segment'
import { failureSentence } from '../evidence/result-view'
import { quoteArguments } from './not-run-body'
import { isApprovedElsewhere } from '@/lib/shared/conversation/wire/call-requests'
import { recordedChanges } from '@/lib/client/files/history/change-groups'
import { useToolRuntime } from '@/components/context/tool-runtime-context'

interface AttemptAt {
  readonly conversationId: string
  readonly messageId: string
  readonly slot: number
  readonly attempt: number
}

/**
 * The file changes of an interrupted attempt in this browser: `looking` until known, null if nothing is recorded,
 * `unknown` if the files can't be read. `wanted` false: not needed.
 */
function useRecordedChanges(
  { conversationId, messageId, slot, attempt }: AttemptAt,
  wanted: boolean,
): FileChanges | 'looking' | 'unknown' | null {
  const runtimeOf = useToolRuntime()
  const [found, setFound] = useState<FileChanges | 'looking' | 'unknown' | null>('looking')
  useEffect(() => {
    if (!wanted) return
    let mounted = true
    runtimeOf(conversationId)
      .then(({ vfs }) => recordedChanges(vfs, { messageId, slot, attempt }))
      .then(
        (changes) => mounted && setFound(changes),
        () => mounted && setFound('unknown'),
      )
    return () => {
      mounted = false
    }
  }, [runtimeOf, conversationId, messageId, slot, attempt, wanted])
  return found
}

type Unsettled = Extract<CallState, { status: 'cancelled' | 'interrupted' }>

function interruptedWords({ record }: CallEntry): string {
  if (!record || !isApprovedElsewhere(record)) return t('settled.interrupted')
  const { by } = record
  return by.kind === 'reviewer'
    ? t('settled.approved-by-reviewer', { name: asUntrusted(by.name) })
    : t('settled.approved-elsewhere')
}

/** It started and did not end. The user decides: run it again, or tell the model. */
export function UnsettledBody({ state }: { state: Unsettled }) {
  const { conversationId, messageId, entry, tool, decide } = useCall()
  const isInterrupted = state.status === 'interrupted'
  const outcome = state.status === 'cancelled' ? state.outcome : null
  const withOthers = isCancelled(entry)
  const began = isInterrupted || !(withOthers || outcome?.durationMs === 0)
  // The history is asked whatever the tool declares; unknown changes matter only for tools that change files.
  const asks = began && outcome?.files === undefined
  const at = { conversationId, messageId, slot: entry.slot, attempt: state.attempt }
  const recorded = useRecordedChanges(at, asks)
  const files = outcome?.files ?? (asks && recorded !== 'looking' && recorded !== 'unknown' ? recorded : null)
  const touchesFiles = tool?.policy.capabilities.files === 'write'
  if (isKeptForUser(state)) return <LazyKeptCall />
  return (
    <>
      <Sentence
        parts={[
          isInterrupted
            ? interruptedWords(entry)
            : began
              ? t('settled.stopped')
              : t(withOthers ? 'settled.cancelled' : 'settled.stopped-before'),
        ]}
      />
      {entry.problem ? <CardTrouble text={entry.problem} /> : null}
      <Meta>
        {(touchesFiles || files !== null) && began ? (
          <Fact>
            {files
              ? filesSentence(files)
              : leftWords(isInterrupted, tool?.policy.filesAtTheEnd === true, asks ? recorded : null)}
          </Fact>
        ) : null}
        {began && tool?.policy.server !== undefined ? (
          <Fact>
            <SentenceText text={t('settled.at-server', { host: asUntrusted(tool.policy.server) })} />
          </Fact>
        ) : null}
        <Fact>
          <SentenceText text={sentResultText(entry, state.posted, t('settled.told'))} />
        </Fact>
      </Meta>
      {files ? (
        <CardBody>
          <ChangedFiles files={files} />
        </CardBody>
      ) : null}
      {outcome && outcome.console.length > 0 ? (
        <CardBody>
          <ConsoleLines lines={outcome.console} />
        </CardBody>
      ) : null}
      {state.settled || state.posted ? (
        <div className={cardEnd} />
      ) : tool?.policy.asksUser ? (
        <LazyAsk again />
      ) : (
        <CardFoot look="flat">
          <Button className={footButton} onClick={decide.runAgain}>
            {t(began ? 'settled.run-again' : 'settled.run-after-all')}
          </Button>
          <Button className={footButton} onClick={decide.tell}>
            {t('settled.tell')}
          </Button>
        </CardFoot>
      )}
    </>
  )
}

/**
 * What an unfinished run left in the files if no list says it. `atTheEnd`: its changes are applied in one step after
 * the run, so an earlier interruption has changed none.
 */
function leftWords(
  isInterrupted: boolean,
  atTheEnd: boolean,
  recorded: FileChanges | 'looking' | 'unknown' | null,
): string {
  if (!atTheEnd || recorded === 'unknown') return t('settled.files.may')
  if (recorded === 'looking') return ''
  return t(isInterrupted ? 'settled.files.not-kept' : 'settled.files.none')
}

/** Characters of an error in a sentence; the whole is one press away. */
const MAX_QUOTED = 400

/** Errors thrown by foreign code, and a call's paths and texts, are quoted, because they may say anything. */
function failureParts(
  outcome: CallOutcome,
  call: CallSegment,
  { isCode }: { readonly isCode: boolean },
): readonly SentencePart[] {
  const sentence = failureSentence(outcome)
  // Our own text is not from the code.
  if (!isCode || outcome.said)
    return foreignIn(sentence).flatMap((part) =>
      typeof part === 'string' ? quoteArguments(part, call.arguments) : [part],
    )
  const line = sentence.replaceAll(/\s+/g, ' ')
  const error = line.length > MAX_QUOTED ? `${line.slice(0, MAX_QUOTED)}…` : line
  return withParts((part) => t('settled.failed', { error: part({ code: error }) }))
}

/** The error, and what the model knows of it. */
export function FailedBody({ state }: { state: Extract<CallState, { status: 'error' }> }) {
  const { outcome, release, posted } = state
  const { entry, tool } = useCall()
  const [more, setMore] = useState(false)
  return (
    <>
      <Preface />
      <Sentence parts={failureParts(outcome, entry.call, { isCode: tool?.card.codeParameter !== undefined })} />
      <Meta>
        <Fact>
          <SentenceText text={sentResultText(entry, posted, t('settled.told-can-try'))} />
        </Fact>
        <MetaEnd>
          <TextButton aria-expanded={more} onClick={() => setMore(!more)}>
            {t('settled.details')}
          </TextButton>
        </MetaEnd>
      </Meta>
      <FilesLine files={outcome.files} />
      <ReleasedNote release={release} posted={posted} />
      {more ? <OutcomeTabs outcome={outcome} release={release} /> : <div className={cardEnd} />}
      <Unstored />
    </>
  )
}
