import { recipe, cx } from '@/components/ui/recipes/recipe'
import type { ReactNode, Ref } from 'react'
import { SentenceText } from '@/components/ui/text/foreign-text'

// Parts of a card have `data-part`, which sets the distance to the next part.

/** Solid: a real call. Dashed: not one yet, or not one here. Blue: it waits for the user. */
export const cardFrame = recipe('relative overflow-clip rounded-lg border', {
  look: {
    default: 'border-line bg-raised shadow-card',
    waiting: 'border-accent-line bg-raised shadow-card focus-within:border-accent forced-colors:border-2',
    current: 'border-accent bg-raised shadow-card forced-colors:border-2',
    dashed: 'border-dashed border-line-strong',
  },
})

/** One line in every state; in narrow layouts the summary is on a second one. */
export const cardHead = recipe(
  'flex min-h-10 w-full items-center gap-2 px-3.5 text-sm narrow:min-h-touch narrow:px-3 narrow:has-data-about:flex-wrap narrow:has-data-about:gap-y-0 narrow:has-data-about:py-2.5',
  {},
)
export const toolName = recipe('whitespace-nowrap', {
  look: {
    default: 'max-w-[60%] min-w-0 flex-initial truncate font-strong narrow:max-w-none',
    quiet: 'font-medium text-muted',
  },
})
/** The call's summary, after the tool's name. */
export const aboutCall = recipe('min-w-0 truncate text-muted narrow:order-5 narrow:basis-full', {
  code: { on: 'font-mono text-mono' },
})
export const statusLine = recipe(
  'ms-auto inline-flex items-center gap-1.5 ps-3 whitespace-nowrap tabular-nums [&_svg]:size-3.5',
  { tone: { default: 'text-muted', wait: 'font-medium text-accent-text', bad: 'text-danger' } },
)

/** A sentence of the card. */
export const cardSay = recipe('px-3.5 text-pretty wrap-anywhere narrow:px-3', {
  tone: {
    default: 'text-md whitespace-pre-line [[data-part=meta]+&]:pt-1 [[data-part=say]+&]:pt-1',
    /** The first one, directly below the head. */
    sum: '-mt-0.75 text-md whitespace-pre-line [[data-part=meta]+&]:pt-1 [[data-part=say]+&]:pt-1',
    trouble: 'pt-1 text-sm whitespace-pre-line text-danger',
    amber: 'pt-1 text-sm whitespace-pre-line text-warn',
    muted: 'text-md whitespace-pre-line text-muted [[data-part=meta]+&]:pt-1',
    /** What the model reads, verbatim. */
    told: 'border-t border-line py-3 text-md whitespace-pre-wrap text-muted',
    /** Why the model is no longer asked. */
    limit: 'border-t border-line pt-2.5 text-sm whitespace-pre-line text-warn',
  },
  /** Nothing comes after it. */
  last: { on: 'pb-3.25' },
})

/** Space below the last text of a card. */
export const cardEnd = 'pb-3.25'

/** The content between the text and the buttons: code, a change, a result. */
export const cardBody = recipe('border-line [[data-part=body]+&]:mt-0', {
  look: {
    default: 'mt-3 border-t',
    /** A finished call's parts contain bodies themselves. */
    settled: 'mt-3 border-t first:mt-0 [&_[data-part=body]]:m-0 [&_[data-part=body]]:border-0',
    /** In a card that is not a call. */
    dashed: 'border-t border-dashed border-line-strong',
  },
})

/** The buttons. */
export const cardFoot = recipe(
  'flex flex-wrap items-center gap-2 px-3.5 narrow:px-3 [[data-part=body]+&]:border-t [[data-part=body]+&]:border-line [[data-part=evidence]:has(>[data-part=body]:last-child)+&]:border-t [[data-part=evidence]:has(>[data-part=body]:last-child)+&]:border-line pointer-coarse:[&_button]:min-h-touch',
  {
    look: {
      default:
        'py-2.5 [[data-part=meta]+&]:pt-3 [[data-part=meta]+&]:pb-3.5 [[data-part=say]+&]:pt-3 [[data-part=say]+&]:pb-3.5',
      /** The same, sticky while the current card is in view, because a card can be higher than a phone's window. */
      decide:
        'py-2.5 narrow:[:is([data-current],dialog)_&]:sticky narrow:bottom-[var(--dock,0)] narrow:z-above narrow:bg-raised short:[:is([data-current],dialog)_&]:sticky short:bottom-[var(--dock,0)] short:z-above short:bg-raised [[data-part=meta]+&]:pt-3 [[data-part=meta]+&]:pb-3.5 [[data-part=say]+&]:pt-3 [[data-part=say]+&]:pb-3.5',
      flat: 'pt-3 pb-3.5',
      ruled: 'border-t border-line py-2.5',
      /** Sticky below a long result, because this decision is the user's task. */
      gate: 'border-t border-line py-2.5 narrow:sticky narrow:bottom-[var(--dock,0)] narrow:z-above narrow:bg-raised short:sticky short:bottom-[var(--dock,0)] short:z-above short:bg-raised',
      /** A sentence with one button. */
      sentence: 'flex-nowrap border-t border-line py-2.5 narrow:flex-wrap',
    },
  },
)
/** A button in the foot: as wide as its label; together the full width in narrow layouts. */
export const footButton = 'narrow:h-touch narrow:flex-1'
/** A button in the head of a finished card, above the button that covers the head. */
export const headButton = 'h-7 px-2.5 text-sm pointer-coarse:h-touch'
/** The primary decision. */
export const footGo = 'narrow:h-touch narrow:flex-[1.6]'
/** Space for its key hint. */
export const footWide = 'min-w-27.5 narrow:min-w-0'
/** At the other end; on its own line in narrow layouts. */
export const footEnd = recipe('ms-auto', {
  holds: {
    default:
      'flex flex-wrap items-center gap-3 narrow:m-0 narrow:basis-full narrow:justify-start [[data-words]+&]:narrow:ms-auto [[data-words]+&]:narrow:basis-auto',
    words: 'text-sm text-muted narrow:m-0 narrow:basis-full short:min-[30rem]:basis-auto',
    link: 'narrow:m-0 narrow:basis-full',
  },
})

/** A line of facts or links in a card, in small type. */
export const cardNote = recipe('px-3.5 text-sm text-muted narrow:px-3', {
  look: {
    default: 'pb-2.5 wrap-anywhere',
    links: 'flex flex-wrap items-baseline gap-x-3 pb-2.5 wrap-anywhere',
    ruled: 'flex flex-wrap items-baseline gap-x-3 border-t border-line py-2 wrap-anywhere',
    lead: 'py-2 text-pretty wrap-anywhere',
  },
})

/** A toolbar for a text. */
export const cardBar = recipe(
  'flex flex-wrap items-center gap-2 border-b border-line px-3.5 py-2 text-sm narrow:px-3 narrow:[&_[role=radiogroup]]:flex narrow:[&_[role=radiogroup]]:basis-full narrow:[&_[role=radio]]:h-10 narrow:[&_[role=radio]]:flex-1 narrow:[&_[role=radio]]:p-0 narrow:[&_[role=radio]]:text-center narrow:[&>button]:h-10',
  {},
)
/** A disabled button of the bar fades instead of becoming a box. */
export const barButton = 'disabled:border-transparent disabled:bg-transparent disabled:opacity-60'

/** A sentence that says what blocks the call. */
export function CardTrouble({ text, last = false, alert = true }: { text: string; last?: boolean; alert?: boolean }) {
  return (
    <p data-part="say" className={cardSay({ tone: 'trouble', last })} role={alert ? 'alert' : undefined}>
      <SentenceText text={text} />
    </p>
  )
}

/** The content between the text and the buttons. */
export function CardBody({ look, children }: { look?: 'settled' | 'dashed'; children: ReactNode }) {
  return (
    <div data-part="body" className={cardBody({ look })}>
      {children}
    </div>
  )
}

/** The buttons of a card. */
export function CardFoot({
  look,
  children,
}: {
  look?: 'decide' | 'flat' | 'ruled' | 'gate' | 'sentence'
  children: ReactNode
}) {
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
 * Facts in a line, separated by dots. A dot at the start of a line is clipped, so that a wrapped line never starts with
 * one.
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

/** The end of such a line. */
export const MetaEnd = ({ children, wideOnly = false }: { children: ReactNode; wideOnly?: boolean }) => (
  <span className={cx('ms-auto flex flex-wrap items-center gap-3 ps-4', wideOnly && 'narrow:hidden')}>{children}</span>
)

/** A light moving along the upper edge while a call runs; the text and the clock beside it say the same. */
export const ProgressSweep = () => (
  <span
    data-sweep=""
    aria-hidden="true"
    className="pointer-events-none absolute inset-x-0 top-0 h-0.5 w-1/4 [transform:translateX(-100%)] animate-sweep bg-linear-to-r from-transparent via-control to-transparent motion-reduce:hidden print:hidden"
  />
)

/** What a user reads before deciding. */
export function Evidence({ ref, children }: { ref: Ref<HTMLDivElement>; children: ReactNode }) {
  return (
    <div ref={ref} data-part="evidence">
      {children}
    </div>
  )
}
