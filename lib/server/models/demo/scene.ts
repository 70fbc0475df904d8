import type { CallToWrite } from '@/lib/protocols/types/tool-context-def'
import type { Language } from '@/lib/base/text/languages'
import { write, type Turn, demoReplies } from './turn'

/** What the script does in one turn: parts in order, then how it ends. */
export interface DemoReply {
  readonly parts: readonly DemoPart[]
  readonly ending: DemoEnding
  /** Spread the parts over this time instead of the usual pace. */
  readonly durationMs?: number
}

interface DemoPart {
  readonly kind: 'text' | 'reasoning'
  readonly text: string
}

type DemoEnding =
  | { readonly kind: 'stop' }
  /** As if the model had reached its output limit. */
  | { readonly kind: 'length' }
  /** As a provider would fail: before the first word when there are no parts, else in the middle. */
  | { readonly kind: 'failure'; readonly status: number }
  /** Nothing more comes, and the stream stays open until someone gives up. */
  | { readonly kind: 'stall' }

export const text = (...paragraphs: readonly string[]): DemoReply => ({
  parts: [{ kind: 'text', text: paragraphs.join('\n\n') }],
  ending: { kind: 'stop' },
})

/** One thing that the script can do: what to type, and what it answers. */
export interface Scene {
  /** As help and docs show it, e.g. `read PATH`. */
  readonly usage: string
  readonly summary: string
  readonly matches: RegExp
  /** `found` is the match of `matches` with the task. The first turn has no rounds yet. */
  play(turn: Turn, found: RegExpExecArray): DemoReply
}

/** Words, then calls; when tools are off or one is not offered, words that say so instead. */
export function ask(turn: Turn, words: string, calls: readonly CallToWrite[], after = ''): DemoReply {
  return refusal(turn, calls) ?? text(words, write(turn, calls), ...(after === '' ? [] : [after]))
}

/** Why these calls can't be written, or null when they can. */
export function refusal(turn: Turn, calls: readonly CallToWrite[]): DemoReply | null {
  if (turn.strategy === null) {
    return text(demoReplies(turn.language, 'tools_off', { calls: callNames(turn, calls) }))
  }
  const missing = calls.filter(({ name }) => !turn.tools.has(name))
  if (missing.length === 0) return null
  return text(demoReplies(turn.language, 'not_offered', { calls: callNames(turn, missing) }))
}

const callNames = ({ language }: Turn, calls: readonly CallToWrite[]): string =>
  joinWords(language, [...new Set(calls.map(({ name }) => demoReplies(language, 'call', { name })))])

/** a, b and c */
function joinWords(language: Language, words: readonly string[]): string {
  if (words.length < 2) return words.join('')
  const [comma, and] = language === 'en' ? [', ', ' and '] : ['、', '和']
  return `${words.slice(0, -1).join(comma)}${and}${words.at(-1) ?? ''}`
}
