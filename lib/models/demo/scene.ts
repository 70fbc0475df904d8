import type { CallToWrite } from '@/lib/strategies/tool-context-def'
import { text } from './reply'
import type { DemoReply } from './reply'
import { write } from './turn'
import type { Turn } from './turn'

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
    return text(
      'Tools are off in this chat, so I can only talk. I am a script: with tools on I would write ' +
        `${callNames(calls)} for you. You can turn tools on in the settings of this chat.`,
    )
  }
  const missing = calls.filter(({ name }) => !turn.tools.has(name))
  if (missing.length === 0) return null
  return text(
    `For this I need ${callNames(missing)}, and it is not offered to me in this chat. I am a script and know no other ` +
      'way. You can offer it in the settings of this chat.',
  )
}

const callNames = (calls: readonly CallToWrite[]): string =>
  joinWords([...new Set(calls.map(({ name }) => `a call to \`${name}\``))])

/** a, b and c */
const joinWords = (words: readonly string[]): string =>
  words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1) ?? ''}`
