import type { AssistantMessage, Message } from '@/lib/shared/conversation/conversation'
import type { TokenPrice } from '@/lib/shared/models/model'

/** Less than this says nothing of how fast a model writes. */
const LEAST_MS = 200
const LEAST_TOKENS = 5

/** Tokens a second from the first word on, by the provider's own count; null: nobody knows, or it was too short to say. */
export function perSecond({ pace, usage }: Pick<AssistantMessage, 'pace' | 'usage'>): number | null {
  const written = usage?.outputTokens ?? 0
  const ms = pace ? pace.ms - pace.firstMs : 0
  if (ms < LEAST_MS || written < LEAST_TOKENS) return null
  const speed = (written * 1000) / ms
  return speed < 10 ? Math.round(speed * 10) / 10 : Math.round(speed)
}

/** What replies cost together, in the currency of the price; null: one of them did not say what it took. */
export function costOf(replies: readonly Message[], { perMillionIn, perMillionOut }: TokenPrice): number | null {
  let sum = 0
  for (const reply of replies) {
    if (reply.role !== 'assistant' || reply.outcome === null) continue
    const { inputTokens, outputTokens } = reply.usage ?? {}
    if (typeof inputTokens !== 'number' || typeof outputTokens !== 'number') return null
    sum += (inputTokens * perMillionIn + outputTokens * perMillionOut) / 1_000_000
  }
  return sum
}
