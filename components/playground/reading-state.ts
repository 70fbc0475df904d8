import type { Refusal } from '@/lib/base/app-error'
import { toolContextBuilder } from '@/lib/protocols/tool-context-builder'
import { defaultStrategy, type StrategyId } from '@/lib/protocols/types/tool-context-def'
import { makeRefusal } from '@/lib/i18n/t'
import type { SharedReading, ToolChoice } from './share-link'
import type { JsonObject } from '@/lib/base/json'
import type { ReadingItem } from '@/lib/protocols/explain/explain-reply'
import type { ParsedReply } from '@/lib/protocols/types/segment'

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
