import { imagesToSend } from '@/lib/shared/conversation/attached'
import type { ConversationSettings, Message } from '@/lib/shared/conversation/conversation'
import { describeTooLong } from '@/lib/shared/models/failure'
import type { ModelFailure } from '@/lib/shared/models/model'
import type { AppendAnswer } from '@/lib/server/store/ports/conversation-store'
import type { ToolSpec } from '@/lib/protocols/types/tool-context-def'
import type { ChatServicePorts } from '../stored-chats/chat-service-ports'
import type { FittedPrompt } from './fit-prompt'
import { buildModelInput, withheldOf, type ModelInput } from '@/lib/shared/prompt/model-messages'
import type { ReplyReadings } from '@/lib/shared/prompt/reply-readings'

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
