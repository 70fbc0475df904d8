'use client'

import { useEffect, useRef, useState, type ReactNode } from 'react'
import { Button, TextButton } from '@/components/ui/controls/button'
import { CodeBlock } from '@/components/ui/code/code-block'
import { lazyPart } from '@/components/ui/page/lazy-part'
import { useChat } from '@/components/context/chat-context'
import { note } from '@/components/ui/recipes/surface'
import { t } from '@/lib/i18n/t'
import type { TourPart } from './card-tour'
import { localStorageOrNull } from '@/lib/base/features.browser'

const CardTour = lazyPart(() => import('./card-tour'), { look: 'silent' })

/** A highlight ring inside the part. */
const pointsAt: Readonly<Record<TourPart, string>> = {
  head: '[&_[data-call-card]>:first-child]:outline-2 [&_[data-call-card]>:first-child]:-outline-offset-2 [&_[data-call-card]>:first-child]:outline-focus',
  evidence:
    '[&_[data-part=evidence]]:outline-2 [&_[data-part=evidence]]:-outline-offset-2 [&_[data-part=evidence]]:outline-focus',
  foot: '[&_:is([data-part=foot],[data-decides])]:outline-2 [&_:is([data-part=foot],[data-decides])]:-outline-offset-2 [&_:is([data-part=foot],[data-decides])]:outline-focus',
}

const stored = 'nod:card-seen'

/** This page's first card; null: there was none, undefined: not asked yet. */
let first: string | null | undefined

/**
 * Whether this card is the first that this browser ever shows. Every waiting card asks; the first to ask is it while
 * the page lives, and the browser remembers that there was one. Without storage, no card is.
 */
function claimFirstCard(id: string): boolean {
  if (first === undefined) first = wasOneSeen() ? null : id
  return first === id
}

function wasOneSeen(): boolean {
  try {
    const storage = localStorageOrNull()
    if (!storage || storage.getItem(stored) !== null) return true
    storage.setItem(stored, '1')
    return storage.getItem(stored) === null
  } catch {
    return true
  }
}

export interface FirstCardProps {
  /** The card's id, unique over all chats. */
  readonly id: string
  readonly raw: string
  readonly strategy: string
  /** It waits for a decision. */
  readonly waits: boolean
  /** It is a question of the model. */
  readonly asks?: boolean
  readonly children: ReactNode
}

/**
 * On the first card that this browser ever shows: offers to show the model's text beside the card. If only the demo is
 * available, shows a tour of the card instead. Shown once; any use of it hides it permanently.
 */
export function FirstCard({ id, raw, strategy, waits, asks = false, children }: FirstCardProps) {
  const [isFirst] = useState(() => waits && claimFirstCard(id))
  const [view, setView] = useState<'link' | 'open' | 'gone'>('link')
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => {
    // Both start at the top, and only the card was in view.
    if (view === 'open') box.current?.scrollIntoView({ block: 'start' })
  }, [view])
  /** The part that the tour points at; null when it is over. */
  const [toured, setToured] = useState<TourPart | null>('head')
  const hasModel = useChat((state) => state.models?.models.some(({ simulated }) => !simulated) ?? true)
  if (!isFirst) return children
  if (!hasModel) {
    const isTour = waits && toured !== null
    return (
      <div className="grid gap-2">
        {isTour ? <CardTour asks={asks} onPoint={setToured} onDone={() => setToured(null)} /> : null}
        <div className={isTour ? pointsAt[toured] : undefined}>{children}</div>
      </div>
    )
  }
  const isOpen = view === 'open'
  return (
    <div ref={box} className="grid scroll-mt-4 gap-2">
      {isOpen ? (
        <p className={note({}, 'narrow:flex-wrap')}>
          <span>{t('card.first-told')}</span>
          <Button className="ms-auto" onClick={() => setView('gone')}>
            {t('card.first-close')}
          </Button>
        </p>
      ) : view === 'link' && waits ? (
        // Above the card, where following leaves room; below a long card nobody would see it.
        <p className="-mb-1 text-end pointer-coarse:mb-2">
          <TextButton onClick={() => setView('open')}>{t('card.first')}</TextButton>
        </p>
      ) : null}
      <div className={isOpen ? 'grid grid-cols-2 items-start gap-3 narrow:grid-cols-1' : ''}>
        {isOpen ? (
          <div className="min-w-0">
            <p className="pb-1.5 text-sm text-muted">{t('card.first-wrote')}</p>
            <div className="overflow-clip rounded-lg border border-line">
              <CodeBlock label={t('card.first-wrote')} text={raw} numbered={false} />
            </div>
          </div>
        ) : null}
        <div className="min-w-0">
          {isOpen ? <p className="pb-1.5 text-sm text-muted">{t('card.first-became', { strategy })}</p> : null}
          {children}
        </div>
      </div>
    </div>
  )
}
