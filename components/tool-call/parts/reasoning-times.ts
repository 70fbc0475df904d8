import type { AssistantMessage } from '@/lib/shared/conversation/conversation'
import type { MessagePart } from '@/lib/client/state/message-parts'

export interface TimedReasoning {
  readonly parts: readonly MessagePart[]
  /** Of what came apart from the text; null: nobody knows. */
  readonly apartMs: number | null
}

/** Puts the stored times to the thoughts that are shown. Where there are more or fewer of them than times, none is told. */
export function timedReasoning(
  { reasoning, thoughtMs = [] }: Pick<AssistantMessage, 'reasoning' | 'thoughtMs'>,
  parts: readonly MessagePart[],
): TimedReasoning {
  const apart = reasoning.trim() === '' ? 0 : 1
  const inText = parts.filter(({ kind }) => kind === 'reasoning').length
  if (thoughtMs.length === 0 || thoughtMs.length !== apart + inText) return { parts, apartMs: null }
  const times = thoughtMs.values()
  const apartMs = apart === 1 ? (times.next().value ?? null) : null
  const next = () => times.next().value
  return {
    apartMs,
    parts: parts.map((part) => {
      const ms = part.kind === 'reasoning' ? next() : undefined
      return part.kind === 'reasoning' && ms !== undefined ? { ...part, ms } : part
    }),
  }
}
