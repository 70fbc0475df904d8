'use client'

import { createContext, useContext, useEffect, useEffectEvent } from 'react'
import { PartNotLoaded } from '@/lib/i18n/load-part'
import { t } from '@/lib/i18n/t'
import { Button, IconButton, TextButton } from '../controls/button'
import { Icon } from '../controls/icon'
import { note, notice, row } from '../recipes/surface'
import { cx } from '../recipes/recipe'

// In place of a dialog or a drawer.
export const overPage = cx(
  'fixed inset-x-4 bottom-[max(--spacing(6),env(safe-area-inset-bottom))] z-alarm mx-auto max-w-[30rem] shadow-float',
)

/** Whether this page is older than its server, so that only a reload can load further parts. */
export const PageIsOld = createContext(false)

/** The retry interval if there is no event for the server's return. */
const againMs = 10_000

export interface PartFailureProps {
  /** The part as the start of a sentence: "Settings", "The log". */
  readonly what: string
  readonly error: unknown
  readonly onAgain: () => void
  /** Loads it behind the sentence, until it works. */
  readonly load?: () => Promise<unknown>
  /** Closes the sentence, if the part was opened by a click. */
  readonly onClose?: (() => void) | undefined
  readonly look?: PartFailureView
}

/**
 * `box` in the part's own place; `over` the page, like a dialog; `line` for something small; `icon` if there is room
 * for a button only; `silent` if its fallback is enough.
 */
export type PartFailureView = 'box' | 'over' | 'line' | 'icon' | 'silent'

/** Replaces a part that did not load, or broke: what it is, why, and what to do. */
export function PartFailure({ what, error, onAgain, load, onClose, look = 'box' }: PartFailureProps) {
  const isOld = useContext(PageIsOld)
  const missing = error instanceof PartNotLoaded
  // A streaming reply renders this again and again; that must not restart the wait.
  const drawAgain = useEffectEvent(onAgain)
  useEffect(() => {
    if (!missing || !load) return
    let wanted = true
    let trying = false
    const tryAgain = () => {
      if (trying || document.visibilityState === 'hidden') return
      trying = true
      load()
        .then(
          () => wanted && drawAgain(),
          () => undefined,
        )
        .finally(() => (trying = false))
    }
    const timer = setInterval(tryAgain, againMs)
    window.addEventListener('online', tryAgain)
    return () => {
      wanted = false
      clearInterval(timer)
      window.removeEventListener('online', tryAgain)
    }
  }, [missing, load])
  if (look === 'silent') return null
  const sentence = t(!missing ? 'ui.broke' : isOld ? 'ui.old' : 'ui.missing', { what })
  const [wayOut, goOn] =
    missing && isOld ? ([t('ui.reload'), () => window.location.reload()] as const) : ([t('ui.again'), onAgain] as const)
  if (look === 'icon') return <IconButton icon="warn" label={`${sentence} ${wayOut}`} onClick={goOn} />
  if (look === 'line') {
    return (
      <p className={note()} role="alert">
        <Icon name="warn" />
        <span>
          {sentence} <TextButton onClick={goOn}>{wayOut}</TextButton>
        </span>
      </p>
    )
  }
  return (
    <div className={notice({ tone: 'warn' }, look === 'over' ? overPage : undefined)} role="alert">
      <Icon name="warn" />
      <div>
        <p className="text-pretty text-muted">{sentence}</p>
        <div className={row({}, 'mt-3')}>
          <Button onClick={goOn}>{wayOut}</Button>
          {onClose ? <Button onClick={onClose}>{t('ui.close')}</Button> : null}
        </div>
      </div>
    </div>
  )
}
