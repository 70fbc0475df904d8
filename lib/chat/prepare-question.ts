import { imagesToSend } from '@/lib/conversation/attached'
import { describeTooLong } from '@/lib/models/failure'
import type { ModelFailure } from '@/lib/models/model'
import type { AppendAnswer } from '@/lib/store/store'
import type { ToolSpec } from '@/lib/strategies/tool-context-def'
import type { ChatServicePorts } from './chat-service-ports'
import type { FittedPrompt } from './fit-prompt'
import { buildModelInput, keptOf, type ModelInput } from './model-messages'
import type { ReplyReadings } from './reply-readings'

export interface Question {
  readonly input: ModelInput
  readonly tools: readonly ToolSpec[]
  /** Why it is not asked. */
  readonly failure?: ModelFailure
}

/** All that the model is asked: the settings and the branch that the append was planned on, and what it added. */
export async function prepareQuestion(
  { store, models, discoverTools, builder, boundary }: ChatServicePorts,
  readings: ReplyReadings,
  owner: string,
  { stored, path, cut, beyond }: FittedPrompt,
  { reply }: AppendAnswer,
): Promise<Question> {
  const { conversation, amendments } = stored
  const tools = discoverTools(conversation.settings.tools, stored.tools)
  const seesImages = await models.seesImages(reply.model)
  const images = seesImages ? await store.loadImages(owner, conversation.id, imagesToSend(keptOf(path, cut))) : []
  const branch = { conversation, path, tools, amendments, seesImages, images, ...(cut && { cut }) }
  const failure = beyond && describeTooLong(beyond, models.info(reply.model))
  const input = buildModelInput({ ...branch, builder, readings, boundary })
  return { tools, input, ...(failure && { failure }) }
}
