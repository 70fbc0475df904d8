'use client'

import { plural, type Forms } from '@/lib/base/locale'
import { useState } from 'react'
import { Button } from '@/components/ui/button'
import { Icon } from '@/components/ui/icon'
import { say } from '@/lib/base/catalogue'
import { asksSentence } from '@/lib/words/asks'
import { clientWords } from '@/lib/words/client'
import { CALLS_AT_ONCE, clickReason, type ClickReason } from '@/lib/calls/chain-limits'
import type { Batch } from '../scope/use-batch'
import type { CallEntry } from '../scope/use-message-calls'
import { checkLabel, checkBox } from '@/components/ui/recipes/field'
import { footButton } from '../look/card'
import { batchBar, batchLead, batchMore } from './batch-look'

export interface BatchBarProps {
  readonly batch: Batch
  /** What is started together does not wait for each other. */
  readonly sideBySide: boolean
  readonly onRun: (slots: readonly number[], stopAtFailure: boolean) => void
  readonly onDeny: (slots: readonly number[]) => void
  readonly onSkip: (slots: readonly number[]) => void
}

const slotsOf = (entries: readonly CallEntry[]): readonly number[] => entries.map((entry) => entry.slot)

/**
 * Decides on all waiting calls of a reply at once. A plain line, no box; each card keeps its own buttons, and the filled one
 * is here: it is what a batch is most often answered with.
 */
export function BatchBar({ batch, sideBySide, onRun, onDeny, onSkip }: BatchBarProps) {
  const { order, runnable, leftOut, questions, selecting, selected, failed } = batch
  const [stopAtFailure, setStopAtFailure] = useState(true)
  const [unseen, setUnseen] = useState(0)
  const runSeen = (entries: readonly CallEntry[]) => {
    const opened = batch.openUnseen(slotsOf(entries))
    setUnseen(opened)
    if (opened === 0) onRun(slotsOf(entries), stopAtFailure)
  }
  const words = say(clientWords, 'client.calls-wait', { count: order.length })
  const rest = order.filter((entry) => !selected.includes(entry))
  const next = order[0]
  return (
    <div data-batch="" className={batchBar} role="group" aria-label={words}>
      <strong className={batchLead({})}>
        <Icon name="wait" />
        {words}
      </strong>
      {order.length > 1 ? (
        <Button
          look="quiet"
          className="narrow:order-1 narrow:h-touch"
          aria-pressed={selecting}
          onClick={() => batch.setSelecting(!selecting)}
        >
          Select
        </Button>
      ) : null}
      {failed && !selecting ? (
        <>
          <Button look="go" className={footButton} disabled={runnable.length === 0} onClick={() => runSeen(runnable)}>
            Continue
          </Button>
          <Button className={footButton} onClick={() => next && onSkip([next.slot])}>
            Skip
          </Button>
          <Button className={footButton} onClick={() => onSkip(slotsOf(order))}>
            Send what is done
          </Button>
        </>
      ) : selecting ? (
        <>
          <Button look="go" className={footButton} disabled={selected.length === 0} onClick={() => runSeen(selected)}>
            Run selected
          </Button>
          <Button className={footButton} disabled={rest.length === 0} onClick={() => onDeny(slotsOf(rest))}>
            Deny the rest
          </Button>
        </>
      ) : (
        <>
          <Button look="go" className={footButton} disabled={runnable.length === 0} onClick={() => runSeen(runnable)}>
            Run all
          </Button>
          <Button className={footButton} onClick={() => onDeny(slotsOf(order))}>
            Deny all
          </Button>
        </>
      )}
      <div className={batchMore}>
        {unseen > 0 ? (
          <strong className="me-auto font-medium text-accent-text narrow:basis-full" role="status">
            {plural(unseen, {
              one: 'One of them was not all in view',
              other: `${unseen} of them were not all in view`,
            })}
            . They are open now: look them over, then press again.
          </strong>
        ) : null}
        <span>
          {failed && !selecting
            ? `${failed.call.name} failed. Continue runs the others, Skip leaves ${next?.call.name ?? 'the next one'} out.`
            : `${sideBySide ? `They run side by side, up to ${CALLS_AT_ONCE} at once` : 'They run in this order'}; one message takes all results back.`}
          {leftOut.length === 0 || selecting ? null : ` ${leftOutWords(leftOut)}`}
          {questions.length === 0 ? null : ` ${asksSentence('asks.left-out', { count: questions.length })}`}
        </span>
        <label className={checkLabel({}, 'ms-auto narrow:m-0')}>
          <input
            className={checkBox()}
            type="checkbox"
            checked={stopAtFailure}
            onChange={(event) => setStopAtFailure(event.target.checked)}
          />{' '}
          stop at the first failure
        </label>
      </div>
    </div>
  )
}

function leftOutWords(entries: readonly CallEntry[]): string {
  const counts = new Map<ClickReason, number>()
  for (const entry of entries) {
    const reason = clickReason(entry, entry.repeats)
    if (reason) counts.set(reason, (counts.get(reason) ?? 0) + 1)
  }
  const parts = [...counts].map(
    ([reason, count]) =>
      `${plural(count, { one: 'one', other: String(count) })} ${plural(count, leftOutReasons[reason])}`,
  )
  return `Run all leaves out ${parts.join(' and ')}.`
}

const leftOutReasons: Readonly<Record<ClickReason, Forms>> = {
  guess: { one: 'that was read with a guess', other: 'that were read with a guess' },
  marks: {
    one: 'that holds characters that don’t show what they are',
    other: 'that hold characters that don’t show what they are',
  },
  repeats: { other: 'that came five times' },
}
