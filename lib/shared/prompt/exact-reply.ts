import type {
  AssistantMessage,
  ConversationSettings,
  ExactOfReply,
  Message,
} from '@/lib/shared/conversation/conversation'
import { lostPositions } from '@/lib/shared/conversation/lost-letters'
import { askExactly, type AskedExact } from '@/lib/shared/models/exact/ask-exactly'
import { exactForms, type ExactAsk, type ExactShape } from '@/lib/shared/models/exact/exact-forms'
import type { JsonObject } from '@/lib/base/json'
import { offeredTools } from '@/lib/protocols/prompt/unlisted-tools'
import type { Segment } from '@/lib/protocols/types/segment'
import type { StrategyId, ToolSpec } from '@/lib/protocols/types/tool-context-def'
import type { ConstrainedDecoding } from '@/lib/shared/models/exact/constrained-decoding'
import type { ReplyEnd } from '@/lib/shared/conversation/reply-end'
import type { ReplyReadings } from './reply-readings'

export interface ExactPort {
  readonly desk: ConstrainedDecoding
  /** What a reply of a strategy may be, with the tools that are offered; null: nothing says it. */
  readonly askOf: (strategy: StrategyId, tools: readonly ToolSpec[]) => ExactAsk | null
}

/** What the settings of a chat say of it. */
type ExactSettings = Pick<ConversationSettings, 'strategy' | 'exact'> & {
  readonly tools: Pick<ConversationSettings['tools'], 'enabled'>
}

/**
 * Lets a model write a reply that is held to its strategy's grammar, where its server takes one. What the server turns down
 * before its first word is asked again without. `write` asks the model, with these fields in the request; what it wrote is
 * `wrote`. Never rejects where `write` does not.
 */
export async function writeConstrained(
  exact: ExactPort | undefined,
  reply: Pick<AssistantMessage, 'model' | 'reading'>,
  how: {
    readonly settings: ExactSettings
    readonly tools: readonly ToolSpec[]
    readonly signal: AbortSignal
    readonly write: (fields?: JsonObject) => Promise<ReplyEnd>
    readonly wrote: () => boolean
  },
): Promise<{ readonly end: ReplyEnd; readonly asked: AskedExact | null }> {
  const { exact: wanted } = how.settings
  if (!exact) return { end: await how.write(), asked: null }
  const ask = () => constraintOf(exact, how, reply)
  return askExactly(exact.desk, reply.model, { ...how, ask, wanted })
}

/** What this reply of a chat may be: its calls by a grammar, or all of it by a schema, as it is read. Null: nothing holds it. */
export function constraintOf(
  exact: ExactPort | undefined,
  { settings, tools }: { readonly settings: ExactSettings; readonly tools: readonly ToolSpec[] },
  { reading }: Pick<AssistantMessage, 'reading'>,
): ExactAsk | null {
  if (!settings.tools.enabled) return null
  const offered = offeredTools(tools)
  const ask = exact?.askOf(settings.strategy, offered)
  if (!ask) return null
  if (reading === 'whole') return ask.jsonSchema && { ...ask, gbnf: null }
  return { ...ask, jsonSchema: null, ...(ask.jsonSchema && { schemaLater: true }) }
}

/**
 * What holds of an ended reply, and what the desk learns of it. `before`: the branch that it answers, where what is true of
 * each reply was said once. Null: there is nothing to say.
 */
export function exactOf(
  exact: ExactPort | undefined,
  asked: AskedExact | null,
  reply: AssistantMessage,
  {
    readings,
    tools,
    before,
  }: { readonly readings: ReplyReadings; readonly tools: readonly ToolSpec[]; readonly before: readonly Message[] },
): ExactOfReply | null {
  if (!asked) return null
  const held = heldOf(asked, reply, () => readings.parse(reply, tools).segments)
  if (saysWithout(held) && wasSaid(before, reply)) return null
  if (held.is === 'broken') exact?.desk.note(reply.model, asked.form, 'half')
  return held
}

/** How far an ended reply was held to what it was asked with. */
export function heldOf(
  { form, fields, finding, looseTools, isRefused }: AskedExact,
  reply: Pick<AssistantMessage, 'strategy' | 'outcome' | 'text'>,
  segments: () => readonly Segment[],
): ExactOfReply {
  if (isRefused || fields === null) return { is: isRefused || finding === 'refused' ? 'refused' : 'ignored', form }
  // An end that nobody saw says nothing of what came before it.
  if (reply.text === '') return { is: 'asked', form }
  if (!followsForm(segments(), reply, { takes: exactForms[form].takes, looseTools })) return { is: 'broken', form }
  // What a letter was that came as none, no reader can tell; nor what was to come where it broke off.
  const isKnown = finding === 'honoured' && reply.outcome !== 'failed' && lostPositions(reply.text) === 0
  return { is: isKnown ? 'honoured' : 'asked', form }
}

/** That it is written without; which field was turned down and which one left aside is one thing to a reader. */
const wasSaid = (before: readonly Message[], { model }: AssistantMessage): boolean =>
  before.some((one) => one.role === 'assistant' && one.model === model && saysWithout(one.exact))

const saysWithout = (exact: ExactOfReply | undefined): boolean => exact?.is === 'refused' || exact?.is === 'ignored'

/**
 * Whether a reply could have come of the grammar, or of the schema, as its reader sees it: no call of its strategy is damaged, mended, unknown or
 * wrongly filled. A reply that was cut off may end inside of one.
 */
export function followsForm(
  segments: readonly Segment[],
  { strategy, outcome, text }: Pick<AssistantMessage, 'strategy' | 'outcome' | 'text'>,
  { takes, looseTools }: { readonly takes: ExactShape['takes']; readonly looseTools: readonly string[] },
): boolean {
  const isWhole = takes === 'json-schema'
  // Of a list that was cut off at its first sign nothing can be read yet.
  const mayBegin = outcome !== 'finished' && /^\s*(?:[[{]|$)/.test(text)
  return segments.every((segment) => {
    // Under a schema prose is JSON, too.
    if (segment.kind === 'text' && isWhole && segment.said === undefined) return mayBegin
    if (segment.kind === 'broken') return segment.reason === 'truncated' && outcome !== 'finished'
    if (segment.kind !== 'call' || segment.standing !== 'live' || segment.dialect !== strategy) return true
    const mended = segment.repairs.filter((code) => !(isWhole && code === 'missing-fence'))
    const isLoose = looseTools.includes(segment.name)
    // That a call is written twice no grammar sees.
    const isFilled = segment.problem === null || segment.problem.code === 'duplicate'
    return mended.length === 0 && (isLoose || (segment.coercions.length === 0 && isFilled))
  })
}
