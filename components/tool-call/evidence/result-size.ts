import type { CallOutcome } from '@/lib/shared/conversation/conversation'

/** Bytes of the result as it is stored. */
export const resultBytes = ({ result }: Pick<CallOutcome, 'result'>): number => {
  const text = typeof result === 'string' ? result : JSON.stringify(result)
  return new TextEncoder().encode(text).byteLength
}
