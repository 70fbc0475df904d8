import type { JsonValue } from '@/lib/base/json'
import { finishCall } from '../arguments/finish-call'
import type { Dialect } from '../dialect'
import { isUnsafeKey, nodeValue } from '../json-repair/node'
import { readJson } from '../json-repair/read-json'
import type { Source } from '../scan/source'

const HEAD =
  /(?:tool_code\s*=\s*)?(print\()?(?:default_api\.)?(?!(?:print|default_api|tool_code)\b)([A-Za-z_]\w{0,63})\(/y
const KEY = /([A-Za-z_]\w{0,63})\s*=(?!=)\s*/y

/**
 * A Python call of a known tool in a ```tool_code fence, a habit of Gemini and Gemma:
 * `print(default_api.read_file(path="/a"))`. Keyword arguments with literal values only.
 */
export const gemmaPythonDialect: Dialect = {
  id: 'gemma-python',
  triggers: '',
  lineTriggers: 'abcdefghijklmnopqrstuvwxyz',
  fences: ['tool_code'],
  read(source, start, context) {
    if (!context.carrier) return null
    const head = source.match(HEAD, start, 160)
    const match = head?.[2] === undefined ? null : context.tools.match(head[2])
    if (!head || !match) return null
    source.certain = { start, name: match.spec.name }
    const args = Object.create(null) as Record<string, JsonValue>
    const close = readKeywords(source, start + head[0].length, args)
    if (close === null) return null
    let end = close
    if (head[1] !== undefined) {
      if (source.at(end) !== 0x29) return null
      end++
    }
    const call = finishCall({ ownId: null, name: match.spec.name, arguments: args, repairs: [] }, context.tools)
    return { kind: 'parts', end, parts: [{ kind: 'call', start, end, call }] }
  },
}

/** `key=value, …)`: the end after the bracket. */
function readKeywords(source: Source, from: number, args: Record<string, JsonValue>): number | null {
  let i = source.skipSpace(from)
  while (source.at(i) !== 0x29) {
    const key = source.match(KEY, i, 80)
    if (!key?.[1]) return null
    const reading = readJson(source, i + key[0].length, { guess: false, isStop: (at) => source.at(at) === 0x29 })
    if (reading.failure || !reading.node) return null
    if (!isUnsafeKey(key[1])) args[key[1]] = nodeValue(reading.node)
    i = source.skipSpace(reading.end)
    if (source.at(i) === 0x2c) i = source.skipSpace(i + 1)
    else if (source.at(i) !== 0x29) return null
  }
  return i + 1
}
