import type { RepairCode } from '../types/segment'
import { FIELD_MARKS } from '../text/characters'
import { textNode } from './node'
import type { JsonNode } from './node'

const STRICT_NUMBER = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/
const GLUED = /^(?:(?:null|true|false|None|True|False)-?){1,8}(?:\d[\d.]*)?$/
const MARKED = new RegExp(`[${FIELD_MARKS}]|^/?(?:null|true|false|[-+.\\d]+)/$|^/(?:null|true|false)$`)
const LOOSE_NUMBER = /^[+-]?(\d[\d_]*(\.\d*)?|\.\d+)([eE][+-]?\d+)?$/
/** What is plainly one value though it begins with a digit: a date, a date with its time, a UUID. */
const DATE = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)?)?$/
const UUID = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i
const LITERALS: Readonly<Record<string, boolean | null>> = { true: true, false: false, null: null }
const PYTHON: Readonly<Record<string, boolean | null>> = {
  True: true,
  False: false,
  None: null,
  TRUE: true,
  FALSE: false,
  NULL: null,
  undefined: null,
}

/** What an unquoted word stands for; null when it is no value. */
export function classifyWord(
  word: string,
  start: number,
  end: number,
): { node: JsonNode; repair: RepairCode | null } | null {
  const literal = (value: boolean | null, repair: RepairCode | null) => ({
    node: { kind: 'literal', start, end, value, closed: true } as const,
    repair,
  })
  const number = (raw: string, repair: RepairCode | null) => {
    const value = Number(raw)
    if (!Number.isFinite(value)) return literal(null, 'non-finite-number')
    return { node: { kind: 'number', start, end, raw, written: word, value, closed: true } as const, repair }
  }
  if (Object.hasOwn(LITERALS, word)) return literal(LITERALS[word] ?? null, null)
  if (STRICT_NUMBER.test(word)) return number(word, null)
  if (Object.hasOwn(PYTHON, word)) return literal(PYTHON[word] ?? null, 'python-literal')
  if (/^[+-]?(NaN|Infinity|nan|inf)$/.test(word)) return literal(null, 'non-finite-number')
  if (LOOSE_NUMBER.test(word)) return number(word.replaceAll('_', '').replace(/^\+/, ''), 'raw-value')
  // Two values whose comma is lost are no word.
  if (GLUED.test(word)) return null
  // A sign of markup in the place of a bracket: `true/`, `始`.
  if (MARKED.test(word)) return null
  // A path or a plain word without its quotes; dots alone are something that was left out.
  if (
    (/^[\p{L}_/.~$][\p{L}\p{N}_/.$-]*$/u.test(word) && /[\p{L}\p{N}]/u.test(word)) ||
    DATE.test(word) ||
    UUID.test(word)
  )
    return { node: textNode(word, start, end), repair: 'raw-value' }
  if (word === '...' || word === '…') return { node: textNode(word, start, end), repair: 'ellipsis' }
  return null
}
