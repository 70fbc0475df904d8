import type { Part } from '../arguments/dialect'
import { withRepair } from './json-tail'

/** A call of a foreign dialect that is whole and can't be used. */
export const isRefused = (part: Part): boolean => part.kind === 'broken' && part.breakage.reason === 'not-a-literal'

/** Says of a call that comment lines belong to it. */
export function noteComment(parts: Part[], i: number): void {
  const part = parts[i]
  if (part?.kind === 'call') parts[i] = { ...part, call: withRepair(part.call, 'comment') }
}
