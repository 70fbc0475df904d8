import type { JsonObject } from '@/lib/base/json'
import type { ReadCall } from './dialect'
import type { WrittenNumbers } from '../json-repair/node'
import type { CallProblem, Coercion, RepairCode } from '../types/segment'
import { coerceArguments } from './coerce'
import type { ToolIndex } from './tool-index'

export interface RawCall {
  readonly ownId: string | null
  readonly name: string
  readonly arguments: JsonObject
  readonly repairs: Iterable<RepairCode>
  readonly coercions?: readonly Coercion[]
  /** The digits of its numbers as they were written. */
  readonly written?: WrittenNumbers
  /** Names may also be a tool's `vcpCommand`. */
  readonly commands?: boolean
}

/** Matches the tool, fits the arguments to its schema, and says why the call can't run if it can't. */
export function finishCall(raw: RawCall, tools: ToolIndex): ReadCall {
  const repairs = new Set(raw.repairs)
  const coercions = [...(raw.coercions ?? [])]
  const match = tools.match(raw.name, { commands: raw.commands ?? false })
  if (!match) {
    const problem: CallProblem = { code: 'unknown-tool', nearest: tools.nearest(raw.name) }
    return { ownId: raw.ownId, name: raw.name, arguments: raw.arguments, repairs: [...repairs], coercions, problem }
  }
  if (match.normalised) repairs.add('name-normalised')
  const fitted = coerceArguments(raw.arguments, match.spec.parameters, raw.written)
  coercions.push(...fitted.coercions)
  const problem: CallProblem | null = match.spec.disabled
    ? { code: 'disabled-tool' }
    : fitted.issues.length > 0
      ? { code: 'invalid-arguments', issues: fitted.issues }
      : null
  return {
    ownId: raw.ownId,
    name: match.spec.name,
    arguments: fitted.value,
    repairs: [...repairs],
    coercions,
    problem,
  }
}
