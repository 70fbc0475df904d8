import type { JsonValue } from '@/lib/base/json'
import type { ModelFailure, ModelId } from '@/lib/shared/models/model'
import { type StrategyId, type ToolSpec, defaultStrategy } from '@/lib/protocols/types/tool-context-def'
import type { ExactOfReply, ReplyOutcome, Usage, Message } from '../conversation'

/*
 * One reply of a model that belongs to no chat and is not stored: the lab requests it (`POST /api/lab/trials`), gets it
 * as lines, and judges it.
 */

/** Results of the previous reply, by the index of their calls among its live calls. */
export interface TrialResult {
  readonly slot: number
  readonly name: string
  readonly result: JsonValue
}

export type TrialTurn =
  | { readonly role: 'user'; readonly text: string }
  /** The model's earlier reply, in the strategy of the trial. */
  | { readonly role: 'assistant'; readonly text: string }
  | { readonly role: 'results'; readonly results: readonly TrialResult[] }

export interface TrialRequest {
  readonly model: ModelId
  readonly strategy: StrategyId
  readonly systemPrompt: string
  readonly tools: readonly Pick<ToolSpec, 'name' | 'description' | 'parameters'>[]
  /** The last one is not the model's. */
  readonly turns: readonly TrialTurn[]
  /** Left out: the default of the model's server. */
  readonly temperature?: number
  /** Its server is asked to constrain the reply to its format, if it can; left out: not. */
  readonly exact?: true
  /** With it, if the server supports a JSON schema: the reply is one JSON value, as in `AssistantMessage`. */
  readonly reading?: 'whole'
}

/** A line of the response; `ms` since the model was asked. The last one is the end. */
export type TrialLine =
  | { readonly type: 'text'; readonly text: string; readonly ms: number }
  | { readonly type: 'reasoning'; readonly text: string; readonly ms: number }
  | {
      readonly type: 'end'
      readonly outcome: ReplyOutcome
      readonly failure: ModelFailure | null
      readonly usage: Usage | null
      /** How far it was constrained to its format; left out: not requested. */
      readonly exact?: ExactOfReply
      readonly firstTextMs: number | null
      readonly ms: number
    }

/*
 * The request for a chat's title: one short prompt without tools, which is in no chat and not stored. It contains the
 * user's messages, and no results, files or replies.
 */

/** The beginning of the prompt. */
export const titleAsked = 'Write a title for this conversation.'

const system =
  'You name conversations. Answer with the title alone: two to six words, in the language of the conversation, without quotation marks, without a full stop, nothing before or after it.'

/** Characters of the first message, and of each later one. */
const maxFirstLength = 1_500
const maxLaterLength = 400
const maxLater = 3
/** The limit of a title, as for one typed by hand. */
const maxTitleLength = 80
/** A model that writes more than this has misunderstood. */
export const maxTitleReplyLength = 4_000

/** The request for a title by a branch; null: nobody has written in it yet. */
export function titleRequest(path: readonly Message[], model: string): TrialRequest | null {
  const texts = path.flatMap((row) => {
    if (row.role !== 'user') return []
    const names = (row.attachments ?? []).map((file) => file.path.slice(file.path.lastIndexOf('/') + 1)).join(', ')
    const text = [row.text.trim(), names === '' ? '' : `[${names}]`].filter(Boolean).join('\n')
    return text === '' ? [] : [text]
  })
  const [first, ...rest] = texts
  if (first === undefined) return null
  const parts = [first.slice(0, maxFirstLength), ...rest.slice(-maxLater).map((text) => text.slice(0, maxLaterLength))]
  const asked = [titleAsked, 'Its messages by the user:', ...parts.map((text) => text.toWellFormed())].join('\n\n')
  return { model, strategy: defaultStrategy, systemPrompt: system, tools: [], turns: [{ role: 'user', text: asked }] }
}

const thought = /<(think|thinking|reasoning)>[^]*?(?:<\/\1>|$)/gi
const before = /^(?:[#>*\-\s]+|\*{0,2}(?:title|标题|题目)\*{0,2}\s*[:：]\s*)+/i
const around = /^["'“”‘’«»「」『』《》`*_\s]+|["'“”‘’«»「」『』《》`*_\s]+$/g

/** The title in a model's answer, on one line; null: there is none. */
export function titleIn(reply: string): string | null {
  const lines = reply.replaceAll(thought, '').split(/[\r\n]+/)
  for (const line of lines) {
    const plain = line
      .replaceAll(/\p{Cc}+/gu, ' ')
      .replaceAll(/\s+/g, ' ')
      .replace(before, '')
      .replaceAll(around, '')
      .replace(/[.。]$/, '')
      .replaceAll(around, '')
    if (!/[\p{L}\p{N}]/u.test(plain)) continue
    const characters = Array.from(plain)
    return characters.length <= maxTitleLength ? plain : `${characters.slice(0, maxTitleLength - 1).join('')}…`
  }
  return null
}
