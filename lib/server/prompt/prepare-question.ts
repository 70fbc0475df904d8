import { imagesToSend } from '@/lib/shared/conversation/attached'
import type {
  ConversationSettings,
  Message,
  AssistantMessage,
  ExactOfReply,
} from '@/lib/shared/conversation/conversation'
import { describeTooLong } from '@/lib/shared/models/failure'
import type { ModelFailure, ExactOfModel, ModelId } from '@/lib/shared/models/model'
import type { AppendAnswer } from '@/lib/server/store/ports/conversation-store'
import type { ToolSpec } from '@/lib/protocols/types/tool-context-def'
import type { ChatServicePorts } from '../stored-chats/chat-service-ports'
import type { FittedPrompt } from './fit-prompt'
import { buildModelInput, withheldOf, type ModelInput } from '@/lib/shared/prompt/model-messages'
import type { ReplyReadings } from '@/lib/shared/prompt/reply-readings'
import type { TabConstrainedDecoding, TabModel, TabPrompt } from '@/lib/shared/conversation/wire/tab-run'
import { browserExactOf } from '@/lib/shared/models/exact/exact-browser'
import { exactForms } from '@/lib/shared/models/exact/exact-forms'
import { constraintOf, exactOf, type ExactPort } from '@/lib/shared/prompt/exact-reply'

export interface Question {
  readonly input: ModelInput
  readonly tools: readonly ToolSpec[]
  /** Why it is not asked. */
  readonly failure?: ModelFailure
  /** The branch that is answered, as far as it was read. */
  readonly before: readonly Message[]
  readonly settings: ConversationSettings
}

/** All that the model is asked: the settings and the branch that the append was planned on, and what it added. */
export async function prepareQuestion(
  { store, models, discoverTools, offerTools, builder, boundary }: ChatServicePorts,
  readings: ReplyReadings,
  owner: string,
  { stored, path, cut, standing, beyond, connected = [] }: FittedPrompt,
  { reply }: Pick<AppendAnswer, 'reply'>,
): Promise<Question> {
  const { conversation, amendments } = stored
  const config = conversation.settings.tools
  const tools = discoverTools(config, stored.tools)
  const offered = offerTools(config, stored.tools, connected)
  const seesImages = await models.seesImages(reply.model)
  const images = seesImages ? await store.loadImages(owner, conversation.id, imagesToSend(withheldOf(path, cut))) : []
  const { reading } = reply
  const how = { ...(cut && { cut }), ...(standing && { standing }), ...(reading && { reading }) }
  const branch = { conversation, path, tools: offered, amendments, seesImages, images, ...how }
  const failure = beyond && describeTooLong(beyond, models.info(reply.model))
  const input = buildModelInput({ ...branch, builder, readings, boundary })
  return { tools, input, before: path, settings: conversation.settings, ...(failure && { failure }) }
}

/** What is known here of a tab's model: what its kind takes, and what the tab says that it found. */
export function exactOfTab(model: ModelId, takes: TabModel['takes']): Pick<ExactOfModel, 'takes' | 'byDefault'> | null {
  const offer = browserExactOf(model)
  if (!offer) return null
  const { byDefault } = offer
  const kinds = new Set(offer.forms.map((form) => exactForms[form].takes))
  const [only] = kinds
  return { takes: takes ?? (kinds.size === 1 && only ? only : 'unknown'), byDefault }
}

/** What a tab's model is to be held to; null: it is asked as ever. Only what may be of use goes to the tab. */
export function tabAskOf(
  exact: ExactPort | undefined,
  reply: AssistantMessage,
  asked: Pick<Question, 'settings' | 'tools'>,
): TabPrompt['exact'] | null {
  const offer = browserExactOf(reply.model)
  if (!offer || !(asked.settings.exact ?? offer.byDefault)) return null
  const ask = constraintOf(exact, asked, reply)
  if (!ask || !offer.forms.some((form) => exactForms[form].fields(ask) !== null)) return null
  const { gbnf, jsonSchema, schemaLater } = ask
  return { ...(gbnf !== null && { gbnf }), ...(jsonSchema && { jsonSchema }), ...(schemaLater && { schemaLater }) }
}

/**
 * What holds of a reply that a tab wrote and asked so. What this process knows of models is of its own servers: the tab keeps
 * what it learns of its.
 */
export function tabExactOf(
  exact: ExactPort | undefined,
  { form, asked, finding }: TabConstrainedDecoding,
  reply: AssistantMessage,
  about: Pick<Question, 'settings' | 'tools'> & {
    readonly readings: ReplyReadings
    readonly before: readonly Message[]
  },
): ExactOfReply | null {
  const looseTools = constraintOf(exact, about, reply)?.looseTools ?? []
  const fields = asked === 'without' ? null : {}
  return exactOf(undefined, { form, finding, looseTools, fields, isRefused: asked === 'refused' }, reply, about)
}
