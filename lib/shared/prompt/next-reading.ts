import type { AssistantMessage, ConversationSettings } from '@/lib/shared/conversation/conversation'
import type { ExactOfModel } from '@/lib/shared/models/model'
import { envelopeStrategy } from '@/lib/protocols/envelope-reply'

/**
 * Whether the next reply is requested as one JSON value: if the chat wants constrained replies and the model supports
 * only a schema. It follows from the settings and the model, not from the last reply's result, so that the prompt stays
 * the same. `last`: the previous reply in the branch.
 */
export function readingOfNext(
  { model, strategy, tools, exact: wanted }: Pick<ConversationSettings, 'model' | 'strategy' | 'tools' | 'exact'>,
  exact: Pick<ExactOfModel, 'takes' | 'byDefault'> | null | undefined,
  last: AssistantMessage | undefined,
): 'whole' | undefined {
  if (!exact || strategy !== envelopeStrategy || !tools.enabled || !(wanted ?? exact.byDefault)) return undefined
  if (exact.takes === 'json-schema') return 'whole'
  // Findings about a server expire after a while; the chat continues as it began.
  const goesOn = exact.takes === 'unknown' && last?.model === model && last.strategy === strategy
  return goesOn ? last.reading : undefined
}
