import type { CallToWrite } from '@/lib/protocols/types/tool-context-def'
import type { Language } from '@/lib/base/text/languages'
import { write, type Turn, demoReplies, type DemoText } from './turn'

/** What the script does in one turn: parts in order, then its ending. */
export interface DemoReply {
  readonly parts: readonly DemoPart[]
  readonly ending: DemoEnding
  /** Spreads the parts over this time instead of the usual pace. */
  readonly durationMs?: number
}

interface DemoPart {
  readonly kind: 'text' | 'reasoning'
  readonly text: string
}

type DemoEnding =
  | { readonly kind: 'stop' }
  /** Ends as if the model had reached its output limit. */
  | { readonly kind: 'length' }
  /** Fails like a provider: before the first token if there are no parts, otherwise in the middle. */
  | { readonly kind: 'failure'; readonly status: number }
  /** Sends nothing more and keeps the stream open until it is aborted. */
  | { readonly kind: 'stall' }

export const text = (...paragraphs: readonly string[]): DemoReply => ({
  parts: [{ kind: 'text', text: paragraphs.join('\n\n') }],
  ending: { kind: 'stop' },
})

/** One thing that the script can do: what to type, and the reply. */
export interface Scene {
  /** As shown in help and docs, e.g. `read PATH`. */
  readonly usage: string
  readonly summary: DemoText
  readonly matches: RegExp
  /** `found` is the match of `matches` with the task. The first turn has no rounds yet. */
  play(turn: Turn, found: RegExpExecArray): DemoReply
}

/** Text, then calls; if tools are off or one is not offered, text that says so. */
export function ask(turn: Turn, words: string, calls: readonly CallToWrite[], after = ''): DemoReply {
  return refusal(turn, calls) ?? text(words, write(turn, calls), ...(after === '' ? [] : [after]))
}

/** Why these calls can't be written, or null if they can. */
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
export function joinWords(language: Language, words: readonly string[]): string {
  if (words.length < 2) return words.join('')
  const [comma, and] = language === 'en' ? [', ', ' and '] : ['、', '和']
  return `${words.slice(0, -1).join(comma)}${and}${words.at(-1) ?? ''}`
}
