import type { AssistantMessage, ConversationSettings } from '@/lib/shared/conversation/conversation'
import type { ExactOfModel } from '@/lib/shared/models/model'
import { envelopeStrategy } from '@/lib/protocols/envelope-reply'

/**
 * Whether the next reply is asked for as one JSON value: where the chat wants exact replies of a model that takes a schema
 * alone. It follows from what was chosen and what the model is, not from how the last reply went, so that the prompt stays.
 * `last`: the reply before it in the branch.
 */
export function readingOfNext(
  { model, strategy, tools, exact: wanted }: Pick<ConversationSettings, 'model' | 'strategy' | 'tools' | 'exact'>,
  exact: Pick<ExactOfModel, 'takes' | 'byDefault'> | null | undefined,
  last: AssistantMessage | undefined,
): 'whole' | undefined {
  if (!exact || strategy !== envelopeStrategy || !tools.enabled || !(wanted ?? exact.byDefault)) return undefined
  if (exact.takes === 'json-schema') return 'whole'
  // What was found out of a server is forgotten after a while; the chat goes on as it began.
  const goesOn = exact.takes === 'unknown' && last?.model === model && last.strategy === strategy
  return goesOn ? last.reading : undefined
}
