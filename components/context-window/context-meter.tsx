'use client'

import { SentenceText } from '@/components/ui/text/foreign-text'
import { asUntrusted, asWritten } from '@/lib/base/untrusted-text/foreign'
import { useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import { modelLabel } from '@/lib/i18n/model-label'
import { t } from '@/lib/i18n/t'
import { useConversation } from '@/components/context/chat-context'
import { useCommand } from '@/components/context/commands'
import { Icon } from '@/components/ui/controls/icon'
import { IconButton, TextButton } from '@/components/ui/controls/button'
import { lazyPart } from '@/components/ui/page/lazy-part'
import { positionBelow, type PopoverPosition } from '@/components/ui/controls/use-popover-button'
import { fingertip } from '@/components/ui/recipes/button'
import { cx } from '@/components/ui/recipes/recipe'
import type { Drafts } from '@/lib/client/outbox/drafts'
import { useNextRequest, type CountedRequest, nextRequestText } from './use-next-request'

const RADIUS = 6
const LENGTH = 2 * Math.PI * RADIUS

/** A ring filled from 0 to 1. A crossed full ring means that there is more than fits. */
function Ring({ filled, isNear }: { readonly filled: number; readonly isNear: boolean }) {
  const shown = Math.max(0.02, Math.min(1, filled)) * LENGTH
  return (
    <svg viewBox="0 0 16 16" className="size-3.5 flex-none" aria-hidden="true">
      <circle cx={8} cy={8} r={RADIUS} className="stroke-line-strong" strokeWidth={2.5} />
      <circle
        cx={8}
        cy={8}
        r={RADIUS}
        className={isNear ? 'stroke-warn' : 'stroke-control'}
        strokeWidth={2.5}
        strokeDasharray={`${shown} ${LENGTH}`}
        transform="rotate(-90 8 8)"
      />
    </svg>
  )
}

const ContextDetails = lazyPart(() => import('./context-details'), {
  what: () => t('context.part-details'),
  look: 'over',
  close: ({ onClose }) => onClose,
})
const FreeSpaceDialog = lazyPart(() => import('./free-space-dialog'), {
  what: () => t('room.part'),
  look: 'over',
  close: ({ onClose }) => onClose,
})

/** From this share on, the chat counts as nearly full: the next message may push out its beginning. */
const NEAR = 0.85

/** A smaller share is not shown: the palette and, on a phone, the field's menu open its parts. */
const HALF = 0.5

export interface ContextMeterProps {
  readonly drafts: Drafts
  /** The element above the field for the warning that the context window is nearly full. */
  readonly notes: HTMLElement | null
}

/** The size of the next request, as a line with a ring; a click shows its parts. */
export default function ContextMeter({ drafts, notes }: ContextMeterProps) {
  const place = useRef<HTMLSpanElement>(null)
  /** A press outside closes the popover before the click arrives; that click must not reopen it. */
  const wasOpen = useRef(false)
  const counted = useNextRequest(place, drafts)
  const [at, setAt] = useState<PopoverPosition | null>(null)
  const [isMaking, setMaking] = useState(false)
  const filled = counted && counted.room !== null ? counted.tokens / counted.room : null
  const hasEarlier = useConversation((view) => view.path.length > 2)
  const open = () => {
    // The line is hidden below half of the window.
    const line = place.current
    const anchor = line?.getClientRects().length === 0 ? line.closest('form') : line
    if (anchor) setAt(positionBelow(anchor))
  }
  const toggle = () => {
    if (wasOpen.current) setAt(null)
    else open()
    wasOpen.current = false
  }
  useCommand('context', open, counted !== null)
  useCommand('room', () => setMaking(true), hasEarlier)
  return (
    <>
      <span ref={place} className={line} data-half={filled !== null && filled >= HALF ? '' : undefined}>
        {counted ? (
          <button
            type="button"
            className={cx(opener, fingertip)}
            aria-haspopup="dialog"
            aria-expanded={at !== null}
            title={t('context.title')}
            onPointerDown={() => (wasOpen.current = at !== null)}
            onClick={toggle}
          >
            {filled === null ? null : <Ring filled={filled} isNear={filled >= NEAR} />}
            <span className="min-w-0 truncate narrow:whitespace-normal">
              {nextRequestText(counted, counted.windowTokens)}
            </span>
          </button>
        ) : null}
      </span>
      {counted && at
        ? // The surrounding line may be hidden.
          createPortal(
            <ContextDetails
              at={at}
              counted={counted}
              onClose={() => setAt(null)}
              onFreeSpace={() => {
                setAt(null)
                setMaking(true)
              }}
            />,
            document.body,
          )
        : null}
      {counted && notes && filled !== null
        ? createPortal(<NearlyFullNote counted={counted} filled={filled} onFreeSpace={() => setMaking(true)} />, notes)
        : null}
      {isMaking ? <FreeSpaceDialog onClose={() => setMaking(false)} /> : null}
    </>
  )
}

/** It shrinks in favor of the model's name; the note above shows the rest. */
const line = cx(
  'min-w-0 shrink-8 whitespace-nowrap narrow:order-4 narrow:basis-full narrow:whitespace-normal short:hidden not-data-half:hidden',
)
const opener = cx(
  'inline-flex min-h-6 max-w-full items-center gap-1.5 rounded-md ps-3 pe-2 tabular-nums hover:text-text narrow:px-2 narrow:text-start aria-expanded:text-text',
)

interface NearlyFullNoteProps {
  readonly counted: CountedRequest
  readonly filled: number
  readonly onFreeSpace: () => void
}

/**
 * Shown when the context window is nearly full or full: what happens to the oldest messages, and what the user can do.
 */
function NearlyFullNote({ counted, filled, onFreeSpace }: NearlyFullNoteProps) {
  const id = useConversation((view) => view.id)
  const state = counted.leftOut > 0 ? 'over' : filled >= NEAR ? 'near' : null
  const [dismissed, setDismissed] = useState('')
  if (state === null || dismissed === `${id} ${state}`) return null
  const model = counted.model ? asUntrusted(modelLabel(counted.model)) : asWritten(t('context.this-model'))
  return (
    <div className={note} role="status">
      <Icon name="info" className="mt-0.75 flex-none" />
      <p className="min-w-0 flex-1 text-pretty">
        <SentenceText
          text={
            state === 'over'
              ? t('context.over', { model, messages: counted.leftOut })
              : t('context.near', { model, share: Math.min(filled, 1) })
          }
        />{' '}
        <TextButton onClick={onFreeSpace}>{t('context.make-room')}</TextButton>
      </p>
      <IconButton size="sm" icon="cross" label={t('context.dismiss')} onClick={() => setDismissed(`${id} ${state}`)} />
    </div>
  )
}

const note = cx('flex items-start gap-2 pb-2 text-sm text-muted narrow:px-1.5')
