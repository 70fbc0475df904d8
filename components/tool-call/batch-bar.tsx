'use client'

import { useState } from 'react'
import { Button } from '@/components/ui/button'
import { Icon } from '@/components/ui/icon'
import { waitingWords } from '@/lib/client/waiting-words'
import { isReadByGuess } from '@/lib/tool-calls/read-by-guess'
import type { Batch } from './use-batch'
import type { CallEntry } from './use-message-calls'

export interface BatchBarProps {
  readonly batch: Batch
  readonly onRun: (slots: readonly number[], stopAtFailure: boolean) => void
  readonly onDeny: (slots: readonly number[]) => void
  readonly onSkip: (slots: readonly number[]) => void
}

const slotsOf = (entries: readonly CallEntry[]): readonly number[] => entries.map((entry) => entry.slot)

/** Decides on all waiting calls of a reply at once. A plain line, no box; each card keeps its own buttons. */
export function BatchBar({ batch, onRun, onDeny, onSkip }: BatchBarProps) {
  const { order, runnable, leftOut, selecting, selected, failed } = batch
  const [stopAtFailure, setStopAtFailure] = useState(true)
  const words = waitingWords(order.length)
  const rest = order.filter((entry) => !selected.includes(entry))
  const next = order[0]
  return (
    <div className="batch" role="group" aria-label={words}>
      <strong>
        <Icon name="wait" />
        {words}
      </strong>
      {order.length > 1 ? (
        <Button look="quiet" aria-pressed={selecting} onClick={() => batch.setSelecting(!selecting)}>
          Select
        </Button>
      ) : null}
      {failed && !selecting ? (
        <>
          <Button disabled={runnable.length === 0} onClick={() => onRun(slotsOf(runnable), stopAtFailure)}>
            Continue
          </Button>
          <Button onClick={() => next && onSkip([next.slot])}>Skip</Button>
          <Button onClick={() => onSkip(slotsOf(order))}>Send what is done</Button>
        </>
      ) : selecting ? (
        <>
          <Button disabled={selected.length === 0} onClick={() => onRun(slotsOf(selected), stopAtFailure)}>
            Run selected
          </Button>
          <Button disabled={rest.length === 0} onClick={() => onDeny(slotsOf(rest))}>
            Deny the rest
          </Button>
        </>
      ) : (
        <>
          <Button disabled={runnable.length === 0} onClick={() => onRun(slotsOf(runnable), stopAtFailure)}>
            Run all
          </Button>
          <Button onClick={() => onDeny(slotsOf(order))}>Deny all</Button>
        </>
      )}
      <div className="opts">
        <span>
          {failed && !selecting
            ? `${failed.call.name} failed. Continue runs the others, Skip leaves ${next?.call.name ?? 'the next one'} out.`
            : 'They run in this order; one message takes all results back.'}
          {leftOut.length === 0 || selecting ? null : ` ${leftOutWords(leftOut)}`}
        </span>
        <label className="check end">
          <input
            className="box"
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
  const guesses = entries.filter((entry) => isReadByGuess(entry.call)).length
  const repeats = entries.length - guesses
  const count = (n: number, one: string, many: string) => (n === 0 ? [] : [n === 1 ? one : `${n} ${many}`])
  const parts = [
    ...count(guesses, 'one that was read with a guess', 'that were read with a guess'),
    ...count(repeats, 'one that came five times', 'that came five times'),
  ]
  return `Run all leaves out ${parts.join(' and ')}.`
}
