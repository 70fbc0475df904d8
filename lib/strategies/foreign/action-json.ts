import type { JsonValue } from '@/lib/base/json'
import { isJsonObject } from '@/lib/base/json'
import type { Dialect, Outcome, ReadContext } from '../dialect'
import { nodeValue } from '../json-repair/node'
import { readJson } from '../json-repair/read-json'
import { isLineStart, runEnd } from '../scan/fences'
import * as Char from '../text/char'
import type { Source } from '../text/source'
import { onlyParameter } from './only-parameter'
import { ACTION_LABEL, reactDialect } from './action-input'
import { wholeCall } from './whole-call'

/**
 * LangChain's structured chat, `from` behind the label:
 *   Action:
 *   ```json
 *   {"action": "read_file", "action_input": {"path": "/a"}}
 *   ```
 * Known tools only. An input that is no object is the value of the only parameter.
 */
export const actionJsonDialect: Dialect = {
  ...reactDialect,
  readBy: 'JSON_Action',
  read(source, start, context) {
    const label = isLineStart(source, start) ? source.match(ACTION_LABEL, start, 40) : null
    return label ? readActionJson(source, start, start + label[0].length, context) : null
  },
}

function readActionJson(source: Source, start: number, from: number, context: ReadContext): Outcome | null {
  const fence = source.skipSpace(from)
  const open = source.at(fence) === Char.BACKTICK ? runEnd(source, fence) : fence
  if (open - fence < 3) return null
  const language = source.match(/[ \t]{0,4}(?:jsonc?|json5)?[ \t]{0,4}\r?\n/iy, open, 20)
  const object = language ? source.skipSpace(open + language[0].length) : fence
  if (source.at(object) !== Char.OPEN_BRACE) return null
  const reading = readJson(source, object, { guess: false, shape: null })
  const close = source.skipSpace(reading.end)
  if (reading.failure || reading.node?.kind !== 'object' || source.at(close) !== Char.BACKTICK) return null
  const end = runEnd(source, close)
  const value = nodeValue(reading.node)
  if (end - close < open - fence || !isJsonObject(value)) return null
  const { action, action_input: input = {}, ...others } = value
  const tool = typeof action === 'string' ? context.tools.match(action) : null
  if (tool === null || typeof action !== 'string' || Object.keys(others).length > 0) return null
  const args = isJsonObject(input) ? input : lifted(onlyParameter(tool.spec.parameters), input)
  if (args === null) return null
  const repairs = [
    ...reading.repairs.map(({ code }) => code),
    ...(isJsonObject(input) ? [] : ['flattened-arguments' as const]),
  ]
  return wholeCall(source, start, end, { name: action, arguments: args, repairs }, context)
}

const lifted = (key: string | null, value: JsonValue) => (key === null || value === null ? null : { [key]: value })
