import { type Dialect, type Outcome, type Part, type ReadContext, finishCall } from '../arguments/dialect'
import * as Char from '../text/source'
import { type Source, isWordPart } from '../text/source'
import { readCall, readNonLiterals, type PythonCall, readParts } from './python-syntax'
import { tokenEnd } from '../scan/turn-end'

/*
 * Calls written as Python, with keyword arguments that are literals:
 *   gemma-python  print(default_api.read_file(path="/a"))   in a ```tool_code fence, a habit of Gemini and Gemma
 *   pythonic      [read_file(path="/a"), get_time()]        Llama 3.2 and 4
 *                 <function_calls>read_file(path="/a")</function_calls>   OLMo 3, one call per line
 *   lfm           <|tool_call_start|>[read_file(path="/a")]<|tool_call_end|>   LFM2
 *
 * Without tokens of their own, only calls of known tools count; the rest is code. `pythonReplyDialect` reads a whole
 * reply of such calls.
 */

/** The longest name of a variable that the result is assigned to. */
const MAX_VARIABLE = 40
const PRINT = 'print('

/** The calls from `start` up to `closer`, separated by commas or line ends. */
export function readCalls(source: Source, start: number, closer: string): readonly PythonCall[] | null {
  const calls: PythonCall[] = []
  let i = source.skipSpace(start)
  while (!source.has(i, closer)) {
    const call = readCall(source, i)
    if (!call) return null
    calls.push(call)
    i = source.skipSpace(call.end)
    if (source.at(i) === Char.COMMA || source.at(i) === Char.SEMICOLON) i = source.skipSpace(i + 1)
  }
  return calls.length > 0 ? calls : null
}

/** One part per call; the markup around them belongs to the first and the last. */
export function callsOrBroken(
  source: Source,
  calls: readonly PythonCall[],
  start: number,
  end: number,
  context: ReadContext,
): Outcome {
  source.certain = { start, name: calls[0]?.name ?? null }
  const parts = calls.map((call, i): Part => ({
    kind: 'call',
    start: i === 0 ? start : (calls[i - 1]?.end ?? start),
    end: i === calls.length - 1 ? end : call.end,
    call: finishCall({ ownId: null, name: call.name, arguments: call.args, repairs: [] }, context.tools),
  }))
  return { kind: 'parts', end, parts }
}

export const known = (calls: readonly PythonCall[], context: ReadContext): boolean =>
  calls.every(({ name }) => context.tools.match(name) !== null)

export const gemmaPythonDialect: Dialect = {
  id: 'gemma-python',
  triggers: '',
  lineTriggers: 'abcdefghijklmnopqrstuvwxyz',
  onlyAtBeginning: true,
  fences: ['tool_code'],
  read(source, start, context) {
    if (!context.carrier) return null
    const calls: PythonCall[] = []
    for (let i = start; ; i = source.skipSpace(calls.at(-1)?.end ?? i)) {
      const call = readStatement(source, i)
      if (!call || !known([call], context)) break
      calls.push(call)
    }
    const last = calls.at(-1)
    return last ? callsOrBroken(source, calls, start, last.end, context) : null
  },
}

/** Reads `print(f(…))`, `result = f(…)` or `f(…)` alone: the call and its range. */
export function readStatement(source: Source, start: number): PythonCall | null {
  if (!isWordPart(source.at(start))) return null
  // No pattern with lookahead: it would delay the first words of every reply.
  let end = start
  while (isWordPart(source.at(end)) && end - start < MAX_VARIABLE) end++
  const sign = source.skipBlanks(end)
  const from = source.at(sign) === Char.EQUALS ? source.skipBlanks(sign + 1) : start
  const print = source.has(from, PRINT)
  const call = readCall(source, print ? from + PRINT.length : from)
  if (!call || !print) return call
  return source.at(call.end) === Char.CLOSE_PAREN ? { ...call, end: call.end + 1 } : null
}

const LFM = '<|tool_call_start|>'
const LFM_END = '<|tool_call_end|>'
const OLMO = '<function_calls>'
const OLMO_END = '</function_calls>'

/** A list of calls of known tools; also inside LFM2's and OLMo's own markup. */
export const pythonicDialect: Dialect = {
  id: 'pythonic',
  triggers: '[<',
  starts: ['[', OLMO],
  fences: ['tool_code'],
  read(source, start, context) {
    const list = source.at(start) === Char.OPEN_BRACKET
    if (!list && !source.has(start, OLMO)) return null
    const calls = list ? readCalls(source, start + 1, ']') : readCalls(source, start + OLMO.length, OLMO_END)
    const last = calls?.at(-1)
    if (!calls || !last) return list ? readNonLiterals(source, start, context) : null
    if (!known(calls, context)) return null
    const close = source.skipSpace(last.end)
    const at =
      source.at(close) === Char.COMMA || source.at(close) === Char.SEMICOLON ? source.skipSpace(close + 1) : close
    return callsOrBroken(source, calls, start, at + (list ? 1 : OLMO_END.length), context)
  },
}

export const lfmDialect: Dialect = {
  id: 'lfm',
  triggers: '<',
  starts: [LFM],
  fences: [],
  read(source, start, context) {
    if (!source.has(start, LFM)) return null
    const open = source.skipSpace(start + LFM.length)
    // Lists of JSON objects after this token are read by the dialects with JSON after a marker.
    if (source.at(open) !== Char.OPEN_BRACKET) return null
    const calls = readCalls(source, open + 1, ']')
    const last = calls?.at(-1)
    if (!calls || !last) return null
    const close = source.skipSpace(last.end)
    const bracket = source.at(close) === Char.CLOSE_BRACKET ? close : source.skipSpace(close + 1)
    const closer = source.skipSpace(bracket + 1)
    if (!source.has(closer, LFM_END)) return null
    return callsOrBroken(source, calls, start, closer + LFM_END.length, context)
  },
}

/*
 * A whole reply that is nothing but Python calls of known tools:
 *
 *   read_file(path="/a")        read_file(path="/a");
 *   print(read_file(path="/a"))
 *
 * bare, or in the one code block that is the whole reply, where it may also be a list: [read_file(path="/a")].
 * Beside any other text it is code that someone may want to read.
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
    // Without a fence, such a list is a call anywhere.
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

/** The offset after the comma or semicolon that follows a call. */
function separatorEnd(source: Source, i: number): number {
  const at = source.skipBlanks(i)
  return source.at(at) === Char.COMMA || source.at(at) === Char.SEMICOLON ? at + 1 : i
}

/**
 * Whether nothing of the reply comes after `i`, except white space, end-of-turn tokens and the closing line of its only
 * code block.
 */
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
