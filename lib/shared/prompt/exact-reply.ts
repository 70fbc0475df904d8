import type {
  AssistantMessage,
  ConversationSettings,
  ExactOfReply,
  Message,
} from '@/lib/shared/conversation/conversation'
import { lostPositions } from '@/lib/base/text/characters'
import type { ConstrainedDecoding, RequestedConstraint } from '@/lib/shared/models/exact/constrained-decoding'
import { exactForms, type ReplyConstraint, type ExactShape } from '@/lib/shared/models/exact/exact-forms'
import { offeredTools } from '@/lib/protocols/prompt/unlisted-tools'
import type { Segment } from '@/lib/protocols/types/segment'
import type { StrategyId, ToolSpec } from '@/lib/protocols/types/tool-context-def'
import type { ReplyReadings } from './reply-readings'

export interface ExactPort {
  readonly constrainedDecoding: ConstrainedDecoding
  /** The constraint for a reply of a strategy, with the offered tools; null: it can't be expressed. */
  readonly askOf: (strategy: StrategyId, tools: readonly ToolSpec[]) => ReplyConstraint | null
}

/** The settings of a chat that matter here. */
type ExactSettings = Pick<ConversationSettings, 'strategy'> & {
  readonly tools: Pick<ConversationSettings['tools'], 'enabled'>
}

/**
 * The constraint for this reply of a chat: its calls by a grammar, or all of it by a schema, matching how it is read.
 * Null: there is none.
 */
export function constraintOf(
  exact: ExactPort | undefined,
  { settings, tools }: { readonly settings: ExactSettings; readonly tools: readonly ToolSpec[] },
  { reading }: Pick<AssistantMessage, 'reading'>,
): ReplyConstraint | null {
  if (!settings.tools.enabled) return null
  const offered = offeredTools(tools)
  const ask = exact?.askOf(settings.strategy, offered)
  if (!ask) return null
  if (reading === 'whole') return ask.jsonSchema && { ...ask, gbnf: null }
  return { ...ask, jsonSchema: null, ...(ask.jsonSchema && { schemaLater: true }) }
}

/**
 * The finding about an ended reply, and what the constrained decoding learns from it. `before`: the branch that it answers, in which
 * facts that hold for each reply are stated once. Null: there is nothing to state.
 */
export function exactOf(
  exact: ExactPort | undefined,
  asked: RequestedConstraint | null,
  reply: AssistantMessage,
  {
    readings,
    tools,
    before,
  }: { readonly readings: ReplyReadings; readonly tools: readonly ToolSpec[]; readonly before: readonly Message[] },
): ExactOfReply | null {
  if (!asked) return null
  const held = heldOf(asked, reply, () => readings.parse(reply, tools).segments)
  if (isWithoutConstraint(held) && wasShown(before, reply)) return null
  if (held.is === 'broken') exact?.constrainedDecoding.note(reply.model, asked.form, 'half')
  return held
}

/** How far an ended reply followed its constraint. */
export function heldOf(
  { form, fields, finding, looseTools, isRefused }: RequestedConstraint,
  reply: Pick<AssistantMessage, 'strategy' | 'outcome' | 'text'>,
  segments: () => readonly Segment[],
): ExactOfReply {
  if (isRefused || fields === null) return { is: isRefused || finding === 'refused' ? 'refused' : 'ignored', form }
  // An unknown end says nothing about what came before it.
  if (reply.text === '') return { is: 'asked', form }
  if (!followsForm(segments(), reply, { takes: exactForms[form].takes, looseTools })) return { is: 'broken', form }
  // Invalid characters can't be judged, nor what would have followed a break.
  const isKnown = finding === 'honoured' && reply.outcome !== 'failed' && lostPositions(reply.text) === 0
  return { is: isKnown ? 'honoured' : 'asked', form }
}

/**
 * The user already saw a note that the reply was written without it. Which field was refused and which was left out
 * makes no difference to the user.
 */
const wasShown = (before: readonly Message[], { model }: AssistantMessage): boolean =>
  before.some((one) => one.role === 'assistant' && one.model === model && isWithoutConstraint(one.exact))

const isWithoutConstraint = (exact: ExactOfReply | undefined): boolean =>
  exact?.is === 'refused' || exact?.is === 'ignored'

/**
 * Whether a reply could have come from the grammar, or from the schema, as its reader sees it: no call of its strategy
 * is damaged, repaired, unknown or wrongly filled. An interrupted reply may end inside of one.
 */
export function followsForm(
  segments: readonly Segment[],
  { strategy, outcome, text }: Pick<AssistantMessage, 'strategy' | 'outcome' | 'text'>,
  { takes, looseTools }: { readonly takes: ExactShape['takes']; readonly looseTools: readonly string[] },
): boolean {
  const isComplete = takes === 'json-schema'
  // Nothing of a list that was cut at its first character can be read.
  const mayBegin = outcome !== 'finished' && /^\s*(?:[[{]|$)/.test(text)
  return segments.every((segment) => {
    // With a schema prose is JSON, too.
    if (segment.kind === 'text' && isComplete && segment.said === undefined) return mayBegin
    if (segment.kind === 'broken') return segment.reason === 'truncated' && outcome !== 'finished'
    if (segment.kind !== 'call' || segment.standing !== 'live' || segment.dialect !== strategy) return true
    const mended = segment.repairs.filter((code) => !(isComplete && code === 'missing-fence'))
    const isLoose = looseTools.includes(segment.name)
    // A grammar can't prevent duplicate calls.
    const isFilled = segment.problem === null || segment.problem.code === 'duplicate'
    return mended.length === 0 && (isLoose || (segment.coercions.length === 0 && isFilled))
  })
}
