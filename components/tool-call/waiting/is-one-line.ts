import { holdsMarks } from '@/lib/shared/calls/foreign-marks'
import { isReadByGuess } from '@/lib/shared/calls/read-by-guess'
import { REPEATS_WARN } from '@/lib/shared/calls/chain-limits'
import { uncheckedWords } from '@/lib/protocols/arguments/unchecked-words'
import type { CallScope } from '../scope/call-scope'

/**
 * A call whose sentence says all there is to it: its tool is harmless and changes nothing by its own declaration, there is
 * nothing to look at before it runs, and nothing about the call is to be said besides.
 */
export function isOneLine({ tool, summary, entry, panel }: CallScope): boolean {
  if (!tool || !summary || panel !== null || entry.state.status !== 'awaiting_approval') return false
  const { permission, capabilities } = tool
  if (permission !== 'public' || capabilities.files === 'write' || capabilities.network !== 'off') return false
  if (summary.body.kind !== 'none' || (summary.dependsOn?.length ?? 0) > 0) return false
  const { call, changed, changeLost, lifted, overLimit, problem, repeats } = entry
  const isPlain = call.repairs.length === 0 && call.coercions.length === 0 && !isReadByGuess(call) && !holdsMarks(call)
  return (
    isPlain &&
    uncheckedWords(call.arguments, tool.parameters).length === 0 &&
    overLimit === null &&
    !changed &&
    changeLost !== true &&
    !lifted &&
    problem === null &&
    repeats < REPEATS_WARN
  )
}
