import type { Dialect, Outcome, ReadContext } from '../arguments/dialect'
import * as Char from '../text/char'
import { isWordPart } from '../text/characters'
import type { Source } from '../text/source'
import { readParts } from './non-literal'
import { known, callsOrBroken, readCalls, readStatement } from './python-call'
import type { PythonCall } from './python-syntax'
import { tokenEnd } from '../scan/turn-end'

/*
 * A whole reply that is nothing but Python calls of known tools:
 *   read_file(path="/a")        read_file(path="/a");
 *   print(read_file(path="/a"))
 * bare, or in the one code block that is the whole reply, where it may also be a list: [read_file(path="/a")].
 * Beside any other words it is code that somebody may want to read.
 */
export const pythonReplyDialect: Dialect = {
  id: 'python',
  triggers: '',
  lineTriggers: 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_[',
  onlyAtBeginning: true,
  fences: ['', 'python', 'py', 'python3', 'tool_code'],
  read(source, start, context) {
    if (!context.opensReply || context.quoted) return null
    if (source.at(start) !== Char.OPEN_BRACKET) return readBare(source, start, context)
    // Without a fence such a list is a call wherever it stands.
    const calls = context.carrier ? readCalls(source, start + 1, ']') : null
    const last = calls?.at(-1)
    if (!calls || !last || !known(calls, context)) return null
    const close = source.skipSpace(last.end)
    const end = (source.at(close) === Char.COMMA ? source.skipSpace(close + 1) : close) + 1
    return endsReply(source, end, context) ? callsOrBroken(source, calls, start, end, context) : null
  },
}

function readBare(source: Source, start: number, context: ReadContext): Outcome | null {
  const calls: PythonCall[] = []
  let end = start
  for (let i = start; isWordPart(source.at(i));) {
    const call = readStatement(source, i)
    if (!call || !known([call], context)) break
    calls.push(call)
    source.certain = { start, name: calls[0]?.name ?? null }
    end = separatorEnd(source, call.end)
    i = source.skipSpace(end)
  }
  if (calls.length > 0 && endsReply(source, end, context)) return callsOrBroken(source, calls, start, end, context)
  source.certain = null
  const parts = readParts(source, start, start, context, (i) => endsReply(source, i, context))
  const last = parts?.at(-1)
  if (!parts || !last) return null
  return { kind: 'parts', end: last.end, parts }
}

/** After the comma or semicolon behind a call. */
function separatorEnd(source: Source, i: number): number {
  const at = source.skipBlanks(i)
  return source.at(at) === Char.COMMA || source.at(at) === Char.SEMICOLON ? at + 1 : i
}

/** Whether nothing of the reply comes after `i`: white space, end-of-turn tokens and the closing line of its only code block aside. */
function endsReply(source: Source, i: number, context: ReadContext): boolean {
  let at = source.skipSpace(i)
  if (context.carrier && context.isFenceEnd(at)) {
    const lineEnd = source.find('\n', at)
    at = lineEnd < 0 ? source.text.length : source.skipSpace(lineEnd)
  }
  for (;;) {
    if (source.at(at) < 0) return true
    const token = tokenEnd(source, at)
    if (token === null) return false
    at = source.skipSpace(token)
  }
}
