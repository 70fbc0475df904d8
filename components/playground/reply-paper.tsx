'use client'

import { ForeignText } from '@/components/ui/text/foreign-text'
import { memo, useEffect, useLayoutEffect, useRef, type ComponentProps } from 'react'
import { cx, recipe } from '@/components/ui/recipes/recipe'
import type { ReadingItem } from '@/lib/protocols/explain/explain-reply'
import type { Tone } from '@/lib/protocols/explain/explanation'
import { t } from '@/lib/i18n/t'
import type { PaperLine, InspectedReply } from './paper-lines'

/** A longer text uses a scrolling field, because laying out its full height twice would slow typing. */
export const MAX_COLOURED_CHARACTERS = 200_000

export interface ReplyPaperProps {
  readonly typed: string
  readonly inspected: InspectedReply
  /** The highlighted item, or null. */
  readonly active: number | null
  readonly onType: (text: string) => void
  /** Called for a pasted text so long that the browser's own insertion would block the page for seconds. */
  readonly onReplace: (text: string) => void
  /** Reports the caret's offset. */
  readonly onCaret: (offset: number) => void
}

const call = cx('rounded-[3px] bg-accent-soft shadow-[0_1px_0_var(--color-accent)]')
const pale = cx('data-on:bg-text/8')
/** A part of the reply in its color; the highlighted one is underlined. */
const stretch = recipe('box-decoration-clone py-0.75 data-on:shadow-[0_2px_0_var(--color-text)]', {
  tone: {
    call,
    problem: call,
    quote: 'rounded-[3px] bg-hover shadow-[0_1px_0_var(--color-control)]',
    foreign: 'rounded-[3px] bg-warn-soft shadow-[0_1px_0_var(--color-warn)]',
    broken: 'rounded-[3px] bg-danger-soft shadow-[0_1px_0_var(--color-danger)]',
    // Above the field's own text: reasoning is paler than the answer.
    reasoning: cx('relative z-dock bg-code/32 shadow-[0_1px_0_var(--color-line-strong)]', pale),
    miss: cx('rounded-[3px] underline decoration-control decoration-dashed underline-offset-[0.4375rem]', pale),
  } satisfies Readonly<Record<Tone, string>>,
})

/** The field and the colored layer behind it share one grid cell and lay out the same text at the same width. */
const layout = cx(
  '[grid-area:1/1] min-w-0 py-3 pe-3.5 font-mono text-mono/7 whitespace-pre-wrap wrap-anywhere narrow:text-lg/7',
  'tab-2 [font-variant-ligatures:none] [text-rendering:auto]',
)
const box = recipe(
  cx(
    'min-h-56 rounded-lg border border-control bg-code text-code-text [--margin:4.125rem] narrow:[--margin:3.125rem]',
    'max-h-[calc(100dvh-var(--spacing-bar)-9.5rem)] outline-offset-2 outline-focus focus-within:outline-2 narrow:max-h-[70dvh]',
  ),
  { isHuge: { default: 'overflow-auto', on: 'overflow-hidden' } },
)
const writing = recipe(cx('relative z-above block w-full resize-none outline-none', layout), {
  isHuge: {
    default: 'min-h-56 overflow-hidden field-sizing-content ps-(--margin)',
    on: 'h-[calc(100dvh-var(--spacing-bar)-10rem)] overflow-auto field-sizing-fixed ps-3.5',
  },
})
/** The number of a part at its start: above the line, or in the margin if the part starts the line. */
const mark = recipe(
  cx(
    'before:absolute before:grid before:place-items-center before:rounded-sm before:border before:border-control before:bg-raised',
    'before:px-0.75 before:font-sans before:font-medium before:text-text before:content-[attr(data-number)]',
  ),
  {
    inMargin: {
      default:
        'relative z-dock before:-start-1 before:bottom-2 before:h-3.5 before:min-w-3.5 before:text-[0.625rem]/none',
      on: 'before:start-9.5 before:top-1.25 before:h-4.5 before:min-w-4.5 before:text-[0.6875rem]/none narrow:before:start-6.5',
    },
  },
)
const damageMark = cx(
  'relative after:absolute after:start-0 after:-bottom-[0.2em] after:h-[1.2em] after:border-s-2 after:border-danger',
)

/**
 * The pasted reply: a plain text field, and behind it the same text, invisible, with colored parts. Both lay out the
 * same characters at the same width, so the colors match the text, and the field keeps its native behavior.
 */
export function ReplyPaper({ typed, inspected, active, onType, onReplace, onCaret }: ReplyPaperProps) {
  const field = useRef<HTMLTextAreaElement>(null)
  const layer = useRef<HTMLDivElement>(null)
  const { text, paper, reading } = inspected
  const isBehind = text !== typed
  const isHuge = typed.length > MAX_COLOURED_CHARACTERS

  // Sets the height in browsers that can't size a field by its content.
  useLayoutEffect(() => {
    const element = field.current
    if (!element || isHuge || CSS.supports('field-sizing', 'content')) return
    element.style.height = 'auto'
    element.style.height = `${element.scrollHeight}px`
  })

  // Hovering sets the highlight on the item's own parts, so that thousands of lines are not rendered again.
  useEffect(() => {
    const stretches =
      active === null || paper.lines.length === 0
        ? []
        : (layer.current?.querySelectorAll(`[data-item="${active}"]`) ?? [])
    for (const one of stretches) one.setAttribute('data-on', '')
    return () => {
      for (const one of stretches) one.removeAttribute('data-on')
    }
  }, [active, paper])

  return (
    <div className={box({ isHuge })}>
      <div className="grid min-h-full">
        <div
          className={cx(layout, 'pointer-events-none text-transparent select-none data-behind:invisible')}
          aria-hidden="true"
          ref={layer}
          data-layer=""
          data-behind={isBehind || undefined}
        >
          {(isHuge ? [] : paper.lines).map((line, index) => (
            <Line key={index} line={line} number={index + 1} items={reading.items} />
          ))}
        </div>
        <textarea
          ref={field}
          className={writing({ isHuge })}
          aria-label={t('inspector.reply')}
          spellCheck={false}
          autoComplete="off"
          autoCapitalize="off"
          rows={12}
          placeholder={t('inspector.paste-here')}
          value={typed}
          onChange={(event) => onType(event.target.value)}
          onPaste={(event) => {
            const pasted = event.clipboardData.getData('text/plain')
            if (pasted.length <= MAX_COLOURED_CHARACTERS) return
            event.preventDefault()
            const { value, selectionStart, selectionEnd } = event.currentTarget
            onReplace(value.slice(0, selectionStart) + pasted.replace(/\r\n?/g, '\n') + value.slice(selectionEnd))
          }}
          onSelect={(event) => onCaret(event.currentTarget.selectionStart)}
        />
      </div>
    </div>
  )
}

interface LineProps {
  readonly line: PaperLine
  readonly number: number
  readonly items: readonly ReadingItem[]
}

const Line = memo(
  function Line({ line, number, items }: LineProps) {
    return (
      <div className="relative min-h-7 ps-(--margin)">
        <span className="absolute start-0 w-7.5 text-end text-code-muted tabular-nums narrow:w-5.5">{number}</span>
        {line.spans.map(({ text, item, opens, damage }, index) =>
          item < 0 ? (
            <ForeignText key={index} text={text} reading="code" />
          ) : (
            <Stretch
              key={index}
              className={stretch({ tone: items[item]?.tone ?? 'quote' })}
              item={item}
              opens={opens}
              atStart={index === 0 || (index === 1 && line.spans[0]?.text.trim() === '')}
              damage={damage}
              text={text}
            />
          ),
        )}
      </div>
    )
  },
  (before, after) => before.line.key === after.line.key && before.number === after.number && sameTones(before, after),
)

/** The same numbers may have other colors after the strategy changed. */
const sameTones = (before: LineProps, after: LineProps): boolean =>
  before.line.spans.every(({ item }) => item < 0 || before.items[item]?.tone === after.items[item]?.tone)

interface StretchProps extends ComponentProps<'span'> {
  readonly item: number
  readonly opens: boolean
  /** It starts its line, so that its number fits in the margin. */
  readonly atStart: boolean
  readonly damage: boolean
  readonly text: string
}

function Stretch({ item, opens, atStart, damage, text, className }: StretchProps) {
  return (
    <>
      {opens ? <span className={mark({ inMargin: atStart })} data-number={item + 1} /> : null}
      <span className={className} data-item={item}>
        <ForeignText text={text} reading="code" />
      </span>
      {damage ? <span className={damageMark} /> : null}
    </>
  )
}
