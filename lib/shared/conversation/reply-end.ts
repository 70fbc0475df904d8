import type { LanguageModelV4FinishReason } from '@ai-sdk/provider'
import { meaningOf } from '@/lib/shared/models/read-failure'
import type { ModelFailure } from '@/lib/shared/models/model'
import { storedText, type StoredText } from '@/lib/i18n/stored-text'
import { makeModelMessage } from '@/lib/i18n/t'
import type { ReplyOutcome, Usage, ReplyPace } from './conversation'
import type { MonotonicClock } from '@/lib/base/clocks'

/** How a model's run ended. */
export interface ReplyEnd {
  readonly outcome: ReplyOutcome
  readonly failure: ModelFailure | null
  readonly usage: Usage | null
}

/** How a reply ended, as its row stores it. */
interface ReplyEnding {
  readonly outcome: Extract<ReplyOutcome, 'finished' | 'length' | 'failed'>
  readonly failure: ModelFailure | null
}

/**
 * How a reply ends if its model gave a reason, no matter who asked it. `raw`: the server's own reason, undefined if it gave
 * none. `label`: the model's display name.
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
      return failed(
        'refused',
        storedText(makeModelMessage(whoRefused(raw), { label })),
        `finish reason: ${raw ?? unified}`,
      )
    case 'other':
      return raw === undefined ? endBrokenOff(label) : endByServersReason(raw, label)
    default:
      return raw === undefined ? endBrokenOff(label) : unknownEnding(raw, label)
  }
}

/** The model itself, or a filter after it. A server’s own reason names the filter. */
const whoRefused = (raw: string | undefined) =>
  raw === undefined || raw === 'refusal' ? 'failure.declined' : 'failure.filtered'

/** A reason that the provider’s package does not know: good only if it is known to be. */
function endByServersReason(raw: string, label: string): ReplyEnding {
  const meaning = meaningOf(raw)
  return meaning === 'other' ? unknownEnding(raw, label) : endByReason(meaning, raw, label)
}

const unknownEnding = (raw: string, label: string): ReplyEnding =>
  failed(
    'bad-response',
    storedText(makeModelMessage('failure.ended-oddly', { label })),
    `finish reason: ${raw.slice(0, 200)}`,
  )

/** How a reply ends if its stream stopped without a reason. */
export const endBrokenOff = (label: string): ReplyEnding =>
  failed('bad-response', storedText(makeModelMessage('failure.broke-off', { label })), '')

const failed = (code: ModelFailure['code'], words: StoredText, detail: string): ReplyEnding => ({
  outcome: 'failed',
  failure: { code, ...words, detail },
})

interface PaceWatch {
  /** Call it when the model is asked; again for a retry before it wrote anything. */
  readonly asked: () => void
  /** Call it for each text. */
  readonly wrote: () => void
  /** Left out: there was no text. */
  readonly end: () => { readonly pace?: ReplyPace }
}

/** Measures the speed of a reply, in milliseconds. */
export function createPaceWatch(monotonic: MonotonicClock): PaceWatch {
  let askedAt = monotonic()
  let firstMs: number | null = null
  return {
    asked() {
      if (firstMs === null) askedAt = monotonic()
    },
    wrote() {
      firstMs ??= Math.max(0, Math.round(monotonic() - askedAt))
    },
    end: () =>
      firstMs === null ? {} : { pace: { firstMs, ms: Math.max(firstMs, Math.round(monotonic() - askedAt)) } },
  }
}
