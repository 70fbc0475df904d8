import { ARGUMENT_KEYS } from './arguments/tool-index'
import { factsOf } from './registry'
import type { BrokenReason, CallSegment, RepairCode } from './types/segment'
import type { MissingMarkup } from './types/strategy-facts'
import { toolContextBuilder } from './tool-context-builder'
import type { CallToWrite, StrategyId, ToolSpec } from './types/tool-context-def'

/*
 * Proposes a repair for a call that can't be read, for the user to check. It only adds markup around the existing text:
 * the end of a block, closing tags, closing brackets. It never closes a string, completes a word or a number, or writes
 * a value:
 *
 *   {"name":"read_file","arguments":{"path":"/a"      → + }}</tool_code>    a guess: more arguments may have been meant
 *   {"name":"read_file","arguments":{"path":"/a"}     → + }</tool_code>
 *   {"name":"read_file","arguments":{"path":"/a       → nothing: the string was cut off
 */

export interface RepairProposal {
  /** The call that would run; it fits its tool. */
  readonly call: CallToWrite
  /** The broken text with the markup added. */
  readonly text: string
  /** The markup that was added before and after, e.g. `}</tool_code>`. */
  readonly added: readonly string[]
  /** The arguments were still open: the model may have intended to write more. */
  readonly mayGoOn: boolean
}

interface Candidate {
  readonly before: string
  readonly after: string
  readonly mayGoOn: boolean
}

/** Reasons that added markup alone can repair. */
const MENDABLE: ReadonlySet<BrokenReason> = new Set(['truncated', 'missing-end', 'bad-json'])

/** Repairs that guess where something ends, or leave something out, rule out a proposal. */
const GUESSES: ReadonlySet<RepairCode> = new Set([
  'bare-quote',
  'missing-bracket',
  'missing-closer',
  'wrong-closer',
  'extra-bracket',
  'missing-comma',
  'missing-colon',
  'missing-quote',
  'noise',
  'ellipsis',
  'raw-value',
  'raw-newline',
  'unquoted-key',
])

/**
 * The one certain way to make a broken call runnable by adding missing markup, read back by the strategy itself:
 * exactly one live call of an offered tool, without a problem. Null if there is none, and always null if a value was
 * cut off. `raw` is the text of the broken segment.
 */
export function proposeRepair(
  raw: string,
  reason: BrokenReason,
  strategy: StrategyId,
  tools: readonly ToolSpec[],
): RepairProposal | null {
  if (!MENDABLE.has(reason) || raw.length > MAX_CHARACTERS) return null
  const candidates = (factsOf(strategy)?.missingMarkup ?? []).flatMap((missing) => endingsOf(raw, missing))
  for (const { before, after, mayGoOn } of candidates) {
    const text = `${before}${raw}${after}`
    const call = onlyCall(strategy, text, tools)
    if (!call) continue
    const added = [before, after].map((part) => part.trim()).filter((part) => part !== '')
    return { call: { name: call.name, arguments: call.arguments }, text, added, mayGoOn }
  }
  return null
}

/** The card shows the proposal at once; longer texts would delay it. */
const MAX_CHARACTERS = 2_000_000

function onlyCall(strategy: StrategyId, text: string, tools: readonly ToolSpec[]): CallSegment | null {
  const { segments } = toolContextBuilder.parseResponse(strategy, text, tools)
  const calls = segments.filter((segment) => segment.kind === 'call' || segment.kind === 'broken')
  const [call] = calls
  if (calls.length !== 1 || call?.kind !== 'call' || call.standing !== 'live' || call.problem !== null) return null
  if (call.repairs.some((repair) => GUESSES.has(repair))) return null
  // Text outside the call would be something that the model did not intend to write.
  const rest = segments.filter((segment) => segment.kind === 'text' || segment.kind === 'reasoning')
  return rest.every(({ start, end }) => /^[\s`a-z]*$/i.test(text.slice(start, end))) ? call : null
}

function endingsOf(raw: string, missing: MissingMarkup): readonly Candidate[] {
  switch (missing.kind) {
    case 'json':
      return jsonEndings(raw, missing.closer, ['', ...missing.openers])
    case 'tags':
      return tagEndings(raw, missing.chains)
    case 'block':
      return blockEndings(raw, missing.start, missing.end)
  }
}

/** Closing brackets for a JSON body, then `closer`. Null if the text stops inside a string, a word or a number. */
function jsonEndings(raw: string, closer: string, openers: readonly string[]): readonly Candidate[] {
  return openers.flatMap((opener): readonly Candidate[] => {
    const { body, rest } = splitCutCloser(raw, closer)
    const open = openBrackets(`${opener}${body}`)
    if (!open) return []
    const fence = opener.startsWith('```') ? '\n```' : ''
    return [
      {
        before: opener,
        after: `${rest === null ? open.closers : ''}${rest ?? closer}${fence}`,
        mayGoOn: rest === null && open.inArguments,
      },
    ].filter(() => rest === null || open.closers === '')
  })
}

/** `…}</tool_c` → the body, and the missing part of the closer; `rest` is null if no part of the closer was written. */
function splitCutCloser(raw: string, closer: string): { readonly body: string; readonly rest: string | null } {
  for (let length = closer.length - 1; length >= 2; length--)
    if (raw.endsWith(closer.slice(0, length))) return { body: raw.slice(0, -length), rest: closer.slice(length) }
  return { body: raw, rest: null }
}

interface Open {
  readonly closers: string
  /** The arguments have not ended yet. */
  readonly inArguments: boolean
}

/** The brackets that are open at the end of a JSON text; null if it does not stop right after a whole value. */
function openBrackets(text: string): Open | null {
  const stack: { readonly closer: string; readonly key: string }[] = []
  const start = text.search(/[{[]/)
  if (start < 0) return null
  let lastString = ''
  let key = ''
  let argumentsEnded = false
  /** The last token that is not white space: a value, or something that a value must follow. */
  let last: 'value' | 'word' | 'other' = 'other'
  for (let i = start; i < text.length; i++) {
    const char = text.charAt(i)
    if (char === '"') {
      const end = stringEnd(text, i)
      if (end < 0) return null
      // A key without its value is not a value.
      lastString = text.slice(i + 1, end)
      last = 'value'
      i = end
    } else if (char === '{' || char === '[') {
      stack.push({ closer: char === '{' ? '}' : ']', key })
      key = ''
      last = 'other'
    } else if (char === '}' || char === ']') {
      const closed = stack.pop()
      if (closed?.closer !== char) return null
      if (ARGUMENT_KEYS.includes(closed.key)) argumentsEnded = true
      last = 'value'
    } else if (char === ':') {
      key = lastString
      last = 'other'
    } else if (char === ',') {
      key = ''
      last = 'other'
    } else if (/\s/.test(char)) {
      // A number or a word may continue, but not after white space.
      if (last === 'word') last = 'value'
    } else last = 'word'
  }
  if (last !== 'value' || !endsWithValue(text)) return null
  const closers = stack
    .toReversed()
    .map((one) => one.closer)
    .join('')
  return { closers, inArguments: !argumentsEnded }
}

/** Whether a string at the very end of an object is a value: only after a colon. */
function endsWithValue(text: string): boolean {
  const trimmed = text.trimEnd()
  return !/[{,]\s*"(?:[^"\\]|\\.)*"$/.test(trimmed.slice(-2000)) || insideList(trimmed)
}

/** Whether the innermost open bracket at the end of the text is a list. */
function insideList(text: string): boolean {
  const stack: string[] = []
  for (let i = 0; i < text.length; i++) {
    const char = text.charAt(i)
    if (char === '"') i = stringEnd(text, i)
    else if (char === '{' || char === '[') stack.push(char)
    else if (char === '}' || char === ']') stack.pop()
    if (i < 0) return false
  }
  return stack.at(-1) === '['
}

function stringEnd(text: string, quote: number): number {
  for (let i = quote + 1; i < text.length; i++) {
    const char = text.charAt(i)
    if (char === '\\') i++
    else if (char === '"') return i
  }
  return -1
}

/** Closing tags of containers, after a whole element. A tag that was begun is completed. */
function tagEndings(raw: string, chains: readonly (readonly string[])[]): readonly Candidate[] {
  return chains.flatMap((chain): readonly Candidate[] => {
    const [first = ''] = chain
    const { rest } = splitCutCloser(raw, first)
    if (rest !== null) return [{ before: '', after: [rest, ...chain.slice(1)].join(''), mayGoOn: false }]
    if (!raw.trimEnd().endsWith('>')) return []
    return [{ before: '', after: chain.join(''), mayGoOn: true }]
  })
}

/** The marker that ends a block, and the one that starts it if its fields have none. */
function blockEndings(raw: string, start: string, end: string): readonly Candidate[] {
  const { rest } = splitCutCloser(raw, end)
  const ended = rest === null && raw.trimEnd().endsWith(end)
  const after = ended ? '' : (rest ?? `\n${end}`)
  const mayGoOn = rest === null && !ended
  return [
    { before: '', after, mayGoOn },
    { before: `${start}\n`, after, mayGoOn },
  ]
}
