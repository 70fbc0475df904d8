'use client'

import { isJsonObject, type JsonObject, type JsonValue } from '@/lib/base/json'
import type { SentencePart } from '@/lib/base/untrusted-text/sentence-part'
import { t } from '@/lib/i18n/t'
import { useCall, type CallEntry } from '../scope/call-scope'
import { Sentence } from '../sentence'
import { ShowCall, ReleasedNote, FilesLine, Preface, Unstored, unfinishedResultText } from './settled-lines'
import { CardMore, Meta, Fact, footButton, CardTrouble, CardFoot } from '../styles/card'
import { SentenceText } from '@/components/ui/text/foreign-text'
import type { CallState } from '@/lib/shared/calls/call-state'
import { Outcome } from './outcome-tabs'
import { useState } from 'react'
import { Button } from '@/components/ui/controls/button'

/** Shorter ones could be in any sentence. */
const MIN_LENGTH = 3
/** Characters of one quotation. */
const MAX_QUOTED = 120
/** The most texts searched; a call may contain thousands. */
const MAX_TEXTS = 200

/**
 * Splits a sentence about a call: parts that are in the call's arguments come from the model and are set as code, so
 * that a path made of words can't pass for the app's text. Only parts longer than a word are split off.
 */
export function quoteArguments(sentence: string, args: JsonObject): readonly SentencePart[] {
  const texts = [...new Set(textsIn(args))]
    .filter((text) => text.length >= MIN_LENGTH && sentence.includes(text))
    .toSorted((a, b) => b.length - a.length)
    .slice(0, MAX_TEXTS)
  return texts.reduce<readonly SentencePart[]>(
    (parts, text) => parts.flatMap((part) => (typeof part === 'string' ? cutAt(part, text) : [part])),
    [sentence],
  )
}

function cutAt(sentence: string, text: string): readonly SentencePart[] {
  const quotation = { code: text.length > MAX_QUOTED ? `${text.slice(0, MAX_QUOTED)}…` : text }
  return sentence
    .split(text)
    .flatMap((piece, index): SentencePart[] => [...(index === 0 ? [] : [quotation]), ...(piece === '' ? [] : [piece])])
}

function textsIn(value: JsonValue): readonly string[] {
  // A path is shown in its absolute form, whichever way it was written.
  if (typeof value === 'string')
    return value.startsWith('/') ? [value, value.replace(/\/+$/, '')] : [value, `/${value}`]
  if (Array.isArray(value)) return value.flatMap(textsIn)
  return isJsonObject(value) ? Object.values(value).flatMap(textsIn) : []
}

export function SkippedBody() {
  const { entry, overtaken } = useCall()
  const posted = overtaken || entry.record?.postedIn != null
  return (
    <>
      <Sentence parts={[skipSentence(entry, overtaken)]} />
      <Meta>
        <Fact>{t(posted ? 'settled.told' : 'settled.untold')}</Fact>
      </Meta>
      <CardMore>
        <ShowCall />
      </CardMore>
    </>
  )
}

function skipSentence({ record }: CallEntry, overtaken: boolean): string {
  const wroteOn = t('settled.skipped.wrote-on')
  if (record?.decision !== 'skip') return wroteOn
  switch (record.by.kind) {
    case 'limit':
      return t('settled.skipped.limit', { limit: record.by.maxCalls })
    case 'overtaken':
      return wroteOn
    case 'unknown':
      return t('settled.skipped.unreadable')
    case 'run-stopped':
    case 'click':
    case 'reviewer':
    case 'auto':
    case 'grant':
      return overtaken ? wroteOn : t('settled.skipped.left-out')
  }
}

/** It ran and returned a result. */
export function CompletedBody({ state }: { state: Extract<CallState, { status: 'completed' }> }) {
  const modelText = unfinishedResultText(useCall().entry)
  return (
    <>
      <Preface />
      {modelText === null ? null : (
        <Meta>
          <Fact>
            <SentenceText text={modelText} />
          </Fact>
        </Meta>
      )}
      <FilesLine files={state.outcome.files} />
      <ReleasedNote release={state.release} posted={state.posted} />
      <Outcome outcome={state.outcome} release={state.release} />
      <Unstored />
    </>
  )
}

/** It ran, and its result is withheld. */
export function WithheldBody({ state }: { state: Extract<CallState, { status: 'result_rejected' }> }) {
  const { outcome, by, note, posted } = state
  const { entry, decide } = useCall()
  const sentAsUnfinished = unfinishedResultText(entry)
  const [problem, setProblem] = useState<string | null>(null)
  const send = () => void decide.sendAfterAll().then(setProblem)
  return (
    <>
      <Sentence
        parts={[
          sentAsUnfinished !== null
            ? t('settled.kept-told', { told: sentAsUnfinished })
            : t('settled.kept', { by: by.kind, posted }),
        ]}
      />
      {note === '' ? null : (
        <Meta>
          <Fact>
            <SentenceText text={t('settled.note', { note })} />
          </Fact>
        </Meta>
      )}
      <Outcome outcome={outcome} release={null} />
      {problem ? <CardTrouble text={problem} /> : null}
      {posted ? null : (
        <CardFoot look="gate">
          <Button className={footButton} onClick={send}>
            {t('settled.send-after-all')}
          </Button>
        </CardFoot>
      )}
    </>
  )
}
