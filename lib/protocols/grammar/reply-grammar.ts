import type { JsonObject } from '@/lib/base/json'
import type { ToolSpec } from '../types/tool-context-def'
import type { Grammar } from './grammar'
import type { Widening } from './json-value'

/** What a strategy lets a model write, for servers that hold a model to it. */
export interface ReplyGrammar {
  /** What a whole reply may be: free prose in which every call that begins is a right one. */
  readonly reply: Grammar
  /** Calls alone. */
  readonly call: Grammar
  /** Where one says it all: the reply is then one JSON value and nothing else, to be read by `whole-reply.ts`. */
  readonly jsonSchema: JsonObject | null
  /** What that schema lets a model write, in one spelling. */
  readonly whole: Grammar | null
  /** What the tools' schemas ask and the grammar leaves open, by tool. */
  readonly widened: readonly (Widening & { readonly tool: string })[]
  /** Tools that the form can't name: they can't be called under the grammar. */
  readonly leftOut: readonly string[]
}

/** What a strategy's folder brings; null when no call can be written. */
export type GrammarOfTools = (tools: readonly ToolSpec[]) => ReplyGrammar | null
