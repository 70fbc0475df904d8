import type { CallRecord } from '@/lib/conversation/conversation'

/** What the model gets of a row. */
export function sentOf({ outcome, gated, release }: CallRecord): unknown {
  if (!gated) return outcome?.result
  switch (release?.kind) {
    case 'sent':
      return outcome?.result
    case 'changed':
      return release.result
    case 'withheld':
    case undefined:
      return undefined
  }
}
