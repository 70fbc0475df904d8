import type { ReactNode, Ref } from 'react'
import { SentenceText } from '@/components/ui/foreign-text'
import { cx } from '@/components/ui/recipes/recipe'
import { cardBody, cardFoot, cardSay } from './card'

/** A sentence that says what stands in the way. */
export function CardTrouble({ text, last = false, alert = true }: { text: string; last?: boolean; alert?: boolean }) {
  return (
    <p data-part="say" className={cardSay({ tone: 'trouble', last })} role={alert ? 'alert' : undefined}>
      <SentenceText text={text} />
    </p>
  )
}

/** What stands between the words and the buttons. */
export function CardBody({ look, children }: { look?: 'settled' | 'dashed'; children: ReactNode }) {
  return (
    <div data-part="body" className={cardBody({ look })}>
      {children}
    </div>
  )
}

/** The buttons of a card. */
export function CardFoot({ look, children }: { look?: 'flat' | 'ruled' | 'gate' | 'sentence'; children: ReactNode }) {
  return (
    <div data-part="foot" className={cardFoot({ look })}>
      {children}
    </div>
  )
}

/** One press more. */
export function CardMore({ children, className }: { children: ReactNode; className?: string }) {
  return (
    <div
      className={cx(
        'px-3.5 pt-1 pb-2.75 [[data-part=body]+&]:border-t [[data-part=body]+&]:border-line [[data-part=body]+&]:pt-2 pointer-coarse:[&_button]:min-h-9',
        className,
      )}
    >
      {children}
    </div>
  )
}

/**
 * Facts in a line, with dots between them. A dot that would start a line is clipped away, so that a wrapped line never
 * begins with one.
 */
export function Meta({ children }: { children: ReactNode }) {
  return (
    <p
      data-part="meta"
      className="-ms-0.5 me-3.5 flex flex-wrap pt-0.5 text-sm text-muted [clip-path:inset(0_0_0_1rem)] narrow:-ms-1 narrow:me-3 [&_button]:min-h-0"
    >
      {children}
    </p>
  )
}

export const Fact = ({ children }: { children: ReactNode }) => (
  <span className="relative ms-4 before:absolute before:-start-2.5 before:content-['·']">{children}</span>
)

/** What stands at the end of such a line. */
export const MetaEnd = ({ children }: { children: ReactNode }) => (
  <span className="ms-auto flex flex-wrap items-center gap-3 ps-4">{children}</span>
)

/** A light that goes along the upper edge while a call runs; the word and the clock beside it say the same without it. */
export const ProgressSweep = () => (
  <span
    data-sweep=""
    aria-hidden="true"
    className="pointer-events-none absolute inset-x-0 top-0 h-0.5 w-1/4 [transform:translateX(-100%)] animate-sweep bg-linear-to-r from-transparent via-control to-transparent motion-reduce:hidden print:hidden"
  />
)

/** What a person reads before deciding. */
export function Evidence({ ref, children }: { ref: Ref<HTMLDivElement>; children: ReactNode }) {
  return (
    <div ref={ref} data-part="evidence">
      {children}
    </div>
  )
}
