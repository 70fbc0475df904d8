import type { JsonObject, JsonValue } from '@/lib/base/json'
import { finishCall } from '../arguments/finish-call'
import type { Outcome, ReadContext } from '../arguments/dialect'
import { isUnsafeKey } from '../json-repair/node'
import type { RepairCode } from '../types/segment'
import type { Source } from '../text/source'

export type Arguments = Record<string, JsonValue>

export const noArguments = (): Arguments => Object.create(null) as Arguments

export function putArgument(args: Arguments, key: string, value: JsonValue): void {
  if (!isUnsafeKey(key)) args[key] = value
}

/** One whole call of a foreign dialect, in `[start, end)`. */
export function completeCall(
  source: Source,
  start: number,
  end: number,
  raw: { readonly name: string; readonly arguments: JsonObject; readonly repairs?: readonly RepairCode[] },
  context: ReadContext,
  foreignAs?: string,
): Outcome {
  source.certain = { start, name: raw.name }
  const call = finishCall({ ownId: null, repairs: [], ...raw }, context.tools)
  return {
    kind: 'parts',
    end,
    parts: [{ kind: 'call', start, end, call, ...(foreignAs === undefined ? {} : { foreignAs }) }],
  }
}
