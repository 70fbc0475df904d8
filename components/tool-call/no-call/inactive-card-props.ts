import type { QuotePlace } from '@/lib/client/message-parts'
import type { CallSegment } from '@/lib/strategies/segment'

export interface InactiveCallCardProps {
  readonly call: CallSegment
  readonly strategy: string
  /** That wrote the reply. */
  readonly model: string
  readonly raw: string
  readonly place: QuotePlace
  /** Makes a call of it, which then waits for the user. Null: not from here (the reply is not the last one). */
  readonly onLift: (() => Promise<string | null>) | null
}
