'use client'

import { recipe } from '@/components/ui/recipes/recipe'
import { asUntrusted, labelOf } from '@/lib/base/untrusted-text/foreign'
import { IconButton, Button } from '@/components/ui/controls/button'
import { checkBox, checkLabel } from '@/components/ui/recipes/field'
import { t } from '@/lib/i18n/t'
import { useContext, useRef, useState } from 'react'
import { useCommand } from '@/components/context/commands'
import { SentenceText } from '@/components/ui/text/foreign-text'
import { Icon } from '@/components/ui/controls/icon'
import { CALLS_AT_ONCE, clickReason, type ClickReason } from '@/lib/shared/calls/click-reasons'
import { isLoudInBatch } from '@/lib/shared/origin/branch-origin'
import { useLongWait } from '@/components/ui/page/wait'
import { isBeingChecked, type CallEntry } from '../scope/call-scope'
import { OutlinedCards } from '../scope/reply-scope'
import type { Batch } from '../scope/use-batch'
import { footButton } from '../styles/card'

/** A bar above a reply's cards for decisions on several of them. */
export const batchBar = 'flex flex-wrap items-center gap-x-2 gap-y-1.5 pt-1 pb-2 narrow:gap-2'
export const batchLead = recipe('me-auto flex items-center gap-1.5 font-medium narrow:basis-full [&>svg]:size-3.5', {
  tone: { default: 'text-accent-text', plain: 'text-muted' },
})
/** The row below: how they run, and other notes. */
export const batchMore = 'flex basis-full flex-wrap items-center gap-x-4 gap-y-1 text-sm text-muted narrow:order-2'

export interface HeadSelectProps {
  readonly name: string
  /** From 1, in batch order. */
  readonly place: number
  readonly count: number
  readonly selected: boolean
  readonly onSelect: (selected: boolean) => void
  readonly onMove: (step: -1 | 1) => void
}

/** The card head's controls during a selection: a checkbox, the position, and buttons to move it. */
export function HeadSelect({ name, place, count, selected, onSelect, onMove }: HeadSelectProps) {
  return (
    <span className="-ms-1 inline-flex flex-none items-center">
      <input
        className={checkBox()}
        type="checkbox"
        aria-label={labelOf(t('batch.select-one', { tool: asUntrusted(name), place, count }))}
        checked={selected}
        onChange={(event) => onSelect(event.target.checked)}
      />
      <span className="text-muted tabular-nums" aria-hidden="true">
        {place}
      </span>
      <IconButton
        size="xs"
        icon="up"
        label={t('batch.earlier', { tool: name })}
        disabled={place === 1}
        onClick={() => onMove(-1)}
      />
      <IconButton
        size="xs"
        icon="down"
        label={t('batch.later', { tool: name })}
        disabled={place === count}
        onClick={() => onMove(1)}
      />
    </span>
  )
}

export interface BatchBarProps {
  readonly batch: Batch
  /** The calls of one start run concurrently. */
  readonly sideBySide: boolean
  readonly onRun: (slots: readonly number[], stopAtFailure: boolean) => void
  readonly onDeny: (slots: readonly number[]) => void
  readonly onSkip: (slots: readonly number[]) => void
}

const slotsOf = (entries: readonly CallEntry[]): readonly number[] => entries.map((entry) => entry.slot)

/**
 * Decides all waiting calls of a reply at once. A plain line without a box. Each card keeps its own buttons, but the
 * primary button is here, because it is the most common answer to a batch.
 */
export function BatchBar({ batch, sideBySide, onRun, onDeny, onSkip }: BatchBarProps) {
  const { order, leftOut, questions, selecting, failed, runs } = batch
  // The first ones in order, as many as may still run.
  const [runnable, selected] = [batch.runnable.slice(0, runs.left), batch.selected.slice(0, runs.left)]
  const wanted = selecting ? batch.selected.length : batch.runnable.length
  const [stopAtFailure, setStopAtFailure] = useState(true)
  const [unseen, setUnseen] = useState(0)
  const runSeen = (entries: readonly CallEntry[]) => {
    const opened = batch.openUnseen(slotsOf(entries))
    setUnseen(opened)
    if (opened === 0) onRun(slotsOf(entries), stopAtFailure)
  }
  const isChecking = useLongWait(order.some(isBeingChecked))
  const words = t('waiting.calls', { count: order.length })
  const rest = order.filter((entry) => !batch.selected.includes(entry))
  const next = order[0]
  const notes = [
    failed && !selecting
      ? t('batch.failed', { tool: failed.call.name, next: next?.call.name ?? '' })
      : t('batch.how', { sideBySide, most: CALLS_AT_ONCE }),
    ...(wanted <= runs.left
      ? []
      : [t('batch.limit', { button: buttonOf(batch), runs: runs.left, of: wanted, limit: runs.limit })]),
    ...(leftOut.length === 0 || selecting ? [] : [leftOutText(leftOut)]),
    ...(isChecking ? [t('card-origin.checking')] : []),
    ...(questions.length === 0 ? [] : [t('asks.left-out', { count: questions.length })]),
  ]
  const [runButton, denyButton] = [useRef<HTMLButtonElement>(null), useRef<HTMLButtonElement>(null)]
  const look = useContext(OutlinedCards) ? 'go-next' : 'go'
  const isPlain = !selecting && !failed
  useCommand('run-all', () => press(runButton.current), isPlain && runnable.length > 0)
  useCommand('deny-all', () => press(denyButton.current), isPlain)
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
          {t('batch.select')}
        </Button>
      ) : null}
      {failed && !selecting ? (
        <>
          <Button look={look} className={footButton} disabled={runnable.length === 0} onClick={() => runSeen(runnable)}>
            {t('batch.continue')}
          </Button>
          <Button className={footButton} onClick={() => next && onSkip([next.slot])}>
            {t('batch.skip')}
          </Button>
          <Button className={footButton} onClick={() => onSkip(slotsOf(order))}>
            {t('batch.send-done')}
          </Button>
        </>
      ) : selecting ? (
        <>
          <Button look={look} className={footButton} disabled={selected.length === 0} onClick={() => runSeen(selected)}>
            {t('batch.run-selected')}
          </Button>
          <Button className={footButton} disabled={rest.length === 0} onClick={() => onDeny(slotsOf(rest))}>
            {t('batch.deny-rest')}
          </Button>
        </>
      ) : (
        <>
          <Button
            ref={runButton}
            look={look}
            className={footButton}
            disabled={runnable.length === 0}
            onClick={() => runSeen(runnable)}
          >
            {t('batch.run-all')}
          </Button>
          <Button ref={denyButton} className={footButton} onClick={() => onDeny(slotsOf(order))}>
            {t('batch.deny-all')}
          </Button>
        </>
      )}
      <div className={batchMore}>
        {unseen > 0 ? (
          <strong className="me-auto font-medium text-accent-text narrow:basis-full" role="status">
            {t('batch.unseen', { count: unseen })}
          </strong>
        ) : null}
        <span>
          <SentenceText text={t('batch.said', { said: notes })} />
        </span>
        <label className={checkLabel({}, 'ms-auto narrow:m-0')}>
          <input
            className={checkBox()}
            type="checkbox"
            checked={stopAtFailure}
            onChange={(event) => setStopAtFailure(event.target.checked)}
          />{' '}
          {t('batch.stop-at-failure')}
        </label>
      </div>
    </div>
  )
}

const buttonOf = ({ selecting, failed }: Batch): string =>
  t(selecting ? 'batch.run-selected' : failed ? 'batch.continue' : 'batch.run-all')

/** From the palette: presses the button if it is visible. Otherwise it scrolls into view, and the user presses it. */
function press(button: HTMLButtonElement | null): void {
  if (button === null) return
  if (isSeen(button)) return button.click()
  button.scrollIntoView({ block: 'center' })
  button.focus({ preventScroll: true })
}

/** Neither out of view nor covered. */
function isSeen(element: Element): boolean {
  const { left, top, width, height } = element.getBoundingClientRect()
  return element.contains(document.elementFromPoint(left + width / 2, top + height / 2))
}

function leftOutText(entries: readonly CallEntry[]): string {
  const counts = new Map<ClickReason | 'unchecked', number>()
  for (const entry of entries) {
    const reason = clickReason(entry, entry.repeats, isLoudInBatch(entry.origin))
    const what = reason === 'origin' && entry.origin?.isUnchecked ? 'unchecked' : reason
    if (what) counts.set(what, (counts.get(what) ?? 0) + 1)
  }
  const what = [...counts].map(([reason, count]) => t(`batch.left-out.${reason}`, { count }))
  return t('batch.left-out', { what })
}
