import type {
  AssistantMessage,
  ConversationSummary,
  ExactOfReply,
  ReplyOutcome,
  ReplyPace,
  Usage,
} from '../conversation'
import type { ModelFailure } from '@/lib/shared/models/model'

/**
 * One entry of a run's append-only log. Sequence numbers start at 1 and have no gaps; folding all events of a run over
 * its first message gives the stored message, from wherever a reader starts (`foldRunEvents`). On the wire: `GET
 * /api/runs/:id/events?after=SEQ`, one JSON object per line (NDJSON); blank lines are keep-alives.
 */
export type RunEvent =
  | { readonly seq: number; readonly type: 'start'; readonly message: AssistantMessage }
  | { readonly seq: number; readonly type: 'delta'; readonly channel: 'text' | 'reasoning'; readonly text: string }
  | {
      readonly seq: number
      readonly type: 'end'
      readonly outcome: ReplyOutcome
      readonly failure: ModelFailure | null
      readonly usage: Usage | null
      /** Left out: it was not requested. */
      readonly exact?: ExactOfReply
      /** As in the message. */
      readonly thoughtMs?: readonly number[]
      /** As in the message. */
      readonly pace?: ReplyPace
      /** As in the message. */
      readonly sent?: NonNullable<AssistantMessage['sent']>
      /** Never stored, added for readers: the chat's list entry at that time. Left out: unknown. */
      readonly summary?: ConversationSummary
    }

/**
 * A reply's place in the queue before its first token: from 1; 0 while unknown, null when its turn has come. Not part
 * of the log, and sent only on request (`&places=1`): an older reader takes a line without a number for a cut.
 */
export interface QueuedLine {
  readonly type: 'queued'
  readonly place: number | null
  /**
   * The model's server has sent something, though no text yet. It is a field here, because older pages ignore a field
   * and reconnect at an unknown line.
   */
  readonly isAlive?: true
}

/** Applies one event; the caller must drop events that were applied already (seq <= after). */
export function foldRunEvent(message: AssistantMessage, event: RunEvent): AssistantMessage {
  switch (event.type) {
    case 'start':
      return event.message
    case 'delta':
      return event.channel === 'text'
        ? { ...message, text: message.text + event.text }
        : { ...message, reasoning: message.reasoning + event.text }
    case 'end':
      return {
        ...message,
        outcome: event.outcome,
        failure: event.failure,
        usage: event.usage,
        ...(event.exact && { exact: event.exact }),
        ...(event.thoughtMs && { thoughtMs: event.thoughtMs }),
        ...(event.pace && { pace: event.pace }),
        ...(event.sent && { sent: event.sent }),
      }
  }
}
