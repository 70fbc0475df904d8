import type { LanguageModelV4FinishReason } from '@ai-sdk/provider'
import type { ModelFailure } from '@/lib/models/model'
import { modelTold } from '@/lib/words/failures'
import { keptWords, type KeptWords } from '@/lib/words/kept-words'
import type { ReplyOutcome } from './conversation'

/** How a reply ended, as its row keeps it. */
interface ReplyEnding {
  readonly outcome: Extract<ReplyOutcome, 'finished' | 'length' | 'failed'>
  readonly failure: ModelFailure | null
}

/**
 * How a reply ends whose model gave a reason, whoever asked it. `raw`: the reason in the words of its server, undefined where
 * it gave none. `label`: what people call the model.
 */
export function endByReason(
  unified: LanguageModelV4FinishReason['unified'],
  raw: string | undefined,
  label: string,
): ReplyEnding {
  switch (unified) {
    case 'stop':
    case 'tool-calls':
      return { outcome: 'finished', failure: null }
    case 'length':
      return { outcome: 'length', failure: null }
    case 'content-filter':
      return failed('refused', keptWords(modelTold('failure.filtered', { label })), `finish reason: ${raw ?? unified}`)
    case 'other':
      // A reason that is not known is still a reason; none at all means that the stream was cut.
      return raw === undefined ? endBrokenOff(label) : { outcome: 'finished', failure: null }
    default:
      return endBrokenOff(label)
  }
}

/** How a reply ends whose stream stopped without a reason. */
export const endBrokenOff = (label: string): ReplyEnding =>
  failed('bad-response', keptWords(modelTold('failure.broke-off', { label })), '')

const failed = (code: ModelFailure['code'], words: KeptWords, detail: string): ReplyEnding => ({
  outcome: 'failed',
  failure: { code, ...words, detail },
})
