import { resolveCallObject } from '../arguments/call-object'
import type { Dialect, Part } from '../dialect'
import { readJson } from '../json-repair/read-json'
import { isLineStart, runEnd } from '../scan/fences'
import * as Char from '../text/char'

/*
 * Command R without its tokens:
 *   Action: ```json
 *   [{"tool_name": "read_file", "parameters": {"path": "/a"}}]
 *   ```
 * Known tools only: `directly-answer` in such a list is no call.
 */

const WORD = 'Action:'

export const cohereDialect: Dialect = {
  id: 'cohere',
  triggers: '',
  starts: [WORD.toLowerCase()],
  lineTriggers: 'A',
  fences: [],
  read(source, start, context) {
    if (!source.has(start, WORD) || !isLineStart(source, start)) return null
    const fence = source.skipSpace(start + WORD.length)
    const language = source.at(fence) === Char.BACKTICK ? runEnd(source, fence) : fence
    if (language - fence < 3) return null
    const list = source.skipSpace(source.has(language, 'json') ? language + 4 : language)
    if (source.at(list) !== Char.OPEN_BRACKET) return null
    const reading = readJson(source, list, { guess: false, shape: context.tools.callShape })
    const close = source.skipSpace(reading.end)
    if (reading.failure || reading.node?.kind !== 'array' || source.at(close) !== Char.BACKTICK) return null
    const end = runEnd(source, close)
    if (end - close < language - fence) return null
    const parts: Part[] = []
    const { items } = reading.node
    for (const [i, item] of items.entries()) {
      const codes = new Set(reading.repairs.map((repair) => repair.code))
      const resolved = item.kind === 'object' ? resolveCallObject(item, context.tools, codes, false) : null
      if (!resolved?.ok || resolved.call.problem?.code === 'unknown-tool') return null
      const from = parts.at(-1)?.end ?? start
      parts.push({ kind: 'call', start: from, end: i === items.length - 1 ? end : item.end, call: resolved.call })
    }
    return parts.length > 0 ? { kind: 'parts', end, parts } : null
  },
}
