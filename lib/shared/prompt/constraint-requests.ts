import type { ReplyConstraint } from '@/lib/shared/models/exact/exact-forms'
import { toGbnf } from '@/lib/protocols/grammar/grammar'
import { grammarOf } from '@/lib/protocols/grammar-of'
import type { StrategyId, ToolSpec } from '@/lib/protocols/types/tool-context-def'
import type { ExactPort } from './exact-reply'

/** Chats mostly offer the same few sets of tools; a grammar is some kilobytes. */
const MAX_KEPT = 50

/** The constraint for replies of a strategy with these tools; created once for the same ones. */
export function createReplyConstraints(): ExactPort['askOf'] {
  const kept = new Map<string, ReplyConstraint | null>()
  return (strategy, tools) => {
    const key = JSON.stringify([strategy, tools])
    const known = kept.get(key)
    const ask = known === undefined ? askOf(strategy, tools) : known
    kept.delete(key)
    kept.set(key, ask)
    for (const oldest of kept.keys()) {
      if (kept.size <= MAX_KEPT) break
      kept.delete(oldest)
    }
    return ask
  }
}

function askOf(strategy: StrategyId, tools: readonly ToolSpec[]): ReplyConstraint | null {
  const grammar = grammarOf(strategy, tools)
  if (!grammar) return null
  const looseTools = grammar.widened.map(({ tool }) => tool)
  return { gbnf: toGbnf(grammar.reply), jsonSchema: grammar.jsonSchema, looseTools }
}
