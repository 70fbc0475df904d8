import type { Refusal } from '@/lib/base/app-error'
import { toolContextBuilder } from '@/lib/protocols/tool-context-builder'
import { defaultStrategy, type StrategyId } from '@/lib/protocols/types/tool-context-def'
import { makeRefusal } from '@/lib/i18n/t'
import type { SharedReading, ToolChoice } from './share-link'
import type { JsonObject } from '@/lib/base/json'
import type { ReadingItem } from '@/lib/protocols/explain/explain-reply'
import type { ParsedReply } from '@/lib/protocols/types/segment'
import type { ReactNode } from 'react'
import { cx, recipe, codeBox } from '@/components/ui/recipes/recipe'

export interface InspectorNote {
  readonly tone: 'said' | 'trouble'
  readonly refusal: Refusal
}

/** An inspected reply and its options. */
export interface ReadingState {
  readonly strategy: StrategyId
  readonly choice: ToolChoice
  readonly text: string
  readonly note: InspectorNote | null
  /** The replaced or cleared text, until something is typed. */
  readonly replaced: string | null
}

export type ReadingEvent =
  | { readonly type: 'strategy-chosen'; readonly strategy: StrategyId }
  | { readonly type: 'tools-chosen'; readonly choice: ToolChoice }
  | { readonly type: 'text-typed'; readonly text: string }
  | { readonly type: 'text-replaced'; readonly text: string; readonly strategy: StrategyId | undefined }
  | { readonly type: 'text-brought-back' }
  | { readonly type: 'link-opened'; readonly shared: SharedReading }
  | { readonly type: 'noted'; readonly note: InspectorNote }

export const firstReading: ReadingState = {
  strategy: defaultStrategy,
  choice: {},
  text: '',
  note: null,
  replaced: null,
}

export function reduceReading(state: ReadingState, event: ReadingEvent): ReadingState {
  switch (event.type) {
    case 'strategy-chosen':
      return { ...state, strategy: event.strategy }
    case 'tools-chosen':
      return { ...state, choice: event.choice }
    case 'text-typed':
      return { ...state, text: event.text, replaced: null, note: null }
    case 'text-replaced':
      return { ...withText(state, event.text), note: null, strategy: event.strategy ?? state.strategy }
    case 'text-brought-back':
      return { ...state, text: state.replaced ?? state.text, replaced: null }
    case 'noted':
      return { ...state, note: event.note }
    case 'link-opened': {
      const { text, choice, strategy } = event.shared
      const opened = { ...withText(state, text), choice }
      if (toolContextBuilder.isStrategyId(strategy)) {
        return { ...opened, strategy, note: { tone: 'said', refusal: makeRefusal('inspector.link-opened') } }
      }
      const name = strategy.slice(0, 40)
      return { ...opened, note: { tone: 'trouble', refusal: makeRefusal('inspector.link-unknown', { name }) } }
    }
  }
}

/** The previous text can be restored. */
const withText = (state: ReadingState, text: string): ReadingState => ({
  ...state,
  text,
  replaced: state.text === '' || state.text === text ? null : state.text,
})

/** A call from a parsed reply, to run by hand. */
export interface TakenCall {
  readonly name: string
  readonly arguments: JsonObject
}

/** The items that are runnable calls, by their index in the list, with their tool and arguments. */
export function takenCalls(
  items: readonly Pick<ReadingItem, 'tone' | 'start' | 'end'>[],
  { segments }: Pick<ParsedReply, 'segments'>,
): ReadonlyMap<number, TakenCall> {
  const calls = segments.filter((segment) => segment.kind === 'call')
  const taken = new Map<number, TakenCall>()
  let at = 0
  for (const [index, { tone, start, end }] of items.entries()) {
    if (tone !== 'call') continue
    // Both are in text order.
    while (at < calls.length && (calls[at]?.start ?? 0) < start) at += 1
    const call = calls[at]
    if (call && call.end <= end && call.standing === 'live' && call.problem === null)
      taken.set(index, { name: call.name, arguments: call.arguments })
  }
  return taken
}

/** A panel of the page: the input, and its result beside it. `tall`: fills the window. */
export const bench = recipe(
  'grid flex-none scroll-mt-bar border-t border-line first-of-type:border-t-0 max-[64rem]:scroll-mt-24 narrow:scroll-mt-0',
  {
    columns: {
      default: 'grid-cols-[minmax(0,1.1fr)_minmax(0,1fr)] narrow:grid-cols-[minmax(0,1fr)]',
      one: 'grid-cols-1',
    },
    tall: { on: 'min-h-[calc(100dvh-var(--spacing-bar))] narrow:min-h-0' },
  },
)

export const benchPart = recipe('min-w-0 px-5 pb-6 narrow:px-3', {
  top: { default: 'pt-4', none: 'pt-0 narrow:pt-4' },
  /** Shown next to another panel. */
  second: { on: 'border-s border-line narrow:border-s-0' },
})

/** The heading of a part, with facts and buttons at its end. */
export const BenchTitle = ({ children }: { readonly children: ReactNode }) => (
  <h2 className="mb-2 flex min-h-8 items-center gap-2 font-strong narrow:flex-wrap *:text-sm *:font-normal">
    {children}
  </h2>
)

/** A list with divider lines. */
export const benchList = cx('divide-y divide-line overflow-clip rounded-lg border border-line bg-raised')

/** Says why there is nothing yet. */
export const BenchEmpty = ({ children }: { readonly children: ReactNode }) => (
  <p className="rounded-lg border border-dashed border-line-strong px-5 py-6 text-pretty text-muted">{children}</p>
)

/** A text exactly as sent or received. */
export const rawText = codeBox({ pad: 'all' }, 'whitespace-pre-wrap wrap-anywhere')
