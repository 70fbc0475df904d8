import type { JsonValue } from '@/lib/base/json'
import type { ModelFailure, ModelId } from '@/lib/shared/models/model'
import type { StrategyId, ToolSpec } from '@/lib/protocols/types/tool-context-def'
import type { ExactOfReply, ReplyOutcome, Usage } from '../conversation'

/*
 * One reply of a model that belongs to no chat and is not kept: the lab asks for it (`POST /api/lab/trials`), gets what comes
 * as lines, and judges it.
 */

/** Results of the reply before, by the place of their calls among its live calls. */
export interface TrialResult {
  readonly slot: number
  readonly name: string
  readonly result: JsonValue
}

export type TrialTurn =
  | { readonly role: 'user'; readonly text: string }
  /** What the model wrote before, in the strategy of the trial. */
  | { readonly role: 'assistant'; readonly text: string }
  | { readonly role: 'results'; readonly results: readonly TrialResult[] }

export interface TrialRequest {
  readonly model: ModelId
  readonly strategy: StrategyId
  readonly systemPrompt: string
  readonly tools: readonly Pick<ToolSpec, 'name' | 'description' | 'parameters'>[]
  /** The last one is not the model's. */
  readonly turns: readonly TrialTurn[]
  /** Left out: as the model's server has it. */
  readonly temperature?: number
  /** Its server is asked to hold the reply to its form, where it can; left out: not. */
  readonly exact?: true
  /** With it, where the server takes a JSON schema: the reply is one JSON value, as `AssistantMessage` has it. */
  readonly reading?: 'whole'
}

/** A line of the answer; `ms` since the model was asked. The last one is the end. */
export type TrialLine =
  | { readonly type: 'text'; readonly text: string; readonly ms: number }
  | { readonly type: 'reasoning'; readonly text: string; readonly ms: number }
  | {
      readonly type: 'end'
      readonly outcome: ReplyOutcome
      readonly failure: ModelFailure | null
      readonly usage: Usage | null
      /** How far it was held to its form; left out: nothing was asked. */
      readonly exact?: ExactOfReply
      readonly firstTextMs: number | null
      readonly ms: number
    }
