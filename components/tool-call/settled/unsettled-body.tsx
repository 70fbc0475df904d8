'use client'

import { Button } from '@/components/ui/controls/button'
import { ConsoleLines } from '@/components/ui/code/console-lines'
import { SentenceText } from '@/components/ui/text/foreign-text'
import type { FileChanges } from '@/lib/shared/conversation/conversation'
import type { CallState } from '@/lib/shared/calls/call-state'
import { t } from '@/lib/i18n/t'
import { useCall, isCancelled, isKeptForSignIn } from '../scope/call-scope'
import { ChangedFiles, filesSentence } from '../changed-files'
import { LazyAsk } from '../ask/lazy-parts'
import { LazyKeptCall } from '../remote/lazy-parts'
import { useRecordedChanges } from '../changes/use-recorded-changes'
import { Sentence } from '../sentence'
import { UndoLine, sentResultWords } from './settled-lines'
import { cardEnd, footButton, CardBody, CardFoot, Meta, Fact, CardTrouble } from '../styles/card'

type Unsettled = Extract<CallState, { status: 'cancelled' | 'interrupted' }>

/** It began and did not end. The user decides: once more, or tell the model as it is. */
export function UnsettledBody({ state }: { state: Unsettled }) {
  const { conversationId, messageId, entry, tool, decide } = useCall()
  const isInterrupted = state.status === 'interrupted'
  const outcome = state.status === 'cancelled' ? state.outcome : null
  const withOthers = isCancelled(entry)
  const began = isInterrupted || !(withOthers || outcome?.durationMs === 0)
  // The history is asked whatever the tool declares; what can't be known is a worry only of tools that change files.
  const asks = began && outcome?.files === undefined
  const at = { conversationId, messageId, slot: entry.slot, attempt: state.attempt }
  const recorded = useRecordedChanges(at, asks)
  const files = outcome?.files ?? (asks && recorded !== 'looking' && recorded !== 'unknown' ? recorded : null)
  const touchesFiles = tool?.policy.capabilities.files === 'write'
  if (isKeptForSignIn(state)) return <LazyKeptCall />
  return (
    <>
      <Sentence
        parts={[
          isInterrupted
            ? t('settled.interrupted')
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
        <Fact>
          <SentenceText text={sentResultWords(entry, state.posted, t('settled.told'))} />
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
      <UndoLine />
    </>
  )
}

/**
 * What an unfinished run left in the files, where no list says it. `atTheEnd`: its changes reach the files in one step after
 * the run, so that one which is cut off before has changed none.
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
