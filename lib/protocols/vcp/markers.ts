import * as Char from '../text/source'
import { type Source, isWordPart } from '../text/source'
import type { StrategyFacts } from '../types/strategy-facts'

export interface Marker {
  readonly kind: 'start' | 'end' | 'escape-start' | 'escape-end'
  readonly end: number
  /** Not written with exactly three angle brackets and in upper case. */
  readonly variant: boolean
}

export const START = '<<<[TOOL_REQUEST]>>>'
export const END = '<<<[END_TOOL_REQUEST]>>>'
/** Encloses all results of a turn. */
export const RESULTS_START = '[[VCP调用结果'
export const RESULTS_END = 'VCP调用结果结束]]'
export const LABELS = { name: '工具名称', status: '执行状态', result: '返回内容' } as const
export const DEFINITION_START = '<<<[TOOL_DEFINITION]>>>'
export const DEFINITION_END = '<<<[END_TOOL_DEFINITION]>>>'

const MARKER = /(<{2,4})\[(END_)?TOOL_REQUEST(_ESCAPE|_EXP)?\](>{2,4})/iy

/** The block marker at `i`: `<<<[TOOL_REQUEST]>>>`, its end, or one of the pair that represents a literal one. */
export function readMarker(source: Source, i: number): Marker | null {
  if (source.at(i) !== Char.LESS || source.at(i + 1) !== Char.LESS) return null
  let bracket = i + 2
  while (source.at(bracket) === Char.LESS && bracket - i < 4) bracket++
  if (source.at(bracket) !== Char.OPEN_BRACKET) return null
  if (!source.has(bracket + 1, 'tool_request', true) && !source.has(bracket + 1, 'end_tool_request', true)) return null
  const found = source.match(MARKER, i, 40)
  if (!found) return null
  const variant = found[1] !== '<<<' || found[4] !== '>>>' || found[0] !== found[0].toUpperCase()
  const escape = found[3] === undefined ? '' : 'escape-'
  return { kind: `${escape}${found[2] === undefined ? 'start' : 'end'}`, end: i + found[0].length, variant }
}

export interface FieldOpener {
  readonly key: string
  /** Where the value begins. */
  readonly value: number
  /** The closer of the value. */
  readonly closer: string
  /** An ESCAPE or exp field: only its own closer ends it. */
  readonly escaped: boolean
  readonly fullWidth: boolean
  readonly quotedKey: boolean
}

const MAX_KEY = 64
const OPENERS: readonly (readonly [string, string])[] = [
  ['「始」', '「末」'],
  ['「始ESCAPE」', '「末ESCAPE」'],
  ['「始exp」', '「末exp」'],
  ['「始EXP」', '「末EXP」'],
  ['「始escape」', '「末escape」'],
]

/** A character of a key: a letter of any script, a digit, `_`, `-`, `.`; no full-width digits. */
export const isKeyUnit = (unit: number): boolean =>
  isWordPart(unit) && unit !== Char.DOLLAR && !(unit >= 0xff10 && unit <= 0xff20)

/** `key:「始」` at `i`, with blanks around the colon, a full-width colon or a quoted key. */
export function readFieldOpener(source: Source, i: number): FieldOpener | null {
  const quote = source.at(i)
  const quoted = quote === Char.QUOTE || quote === Char.APOSTROPHE || quote === Char.BACKTICK
  const from = quoted ? i + 1 : i
  let end = from
  while (isKeyUnit(source.at(end)) && end - from < MAX_KEY) end++
  if (end === from) return null
  let at = end
  if (quoted) {
    if (source.at(at) !== quote) return null
    at++
  }
  at = source.skipBlanks(at)
  const colon = source.at(at)
  if (colon !== Char.COLON && colon !== Char.FULL_WIDTH_COLON) return null
  at = source.skipBlanks(at + 1)
  if (source.at(at) !== Char.LEFT_CORNER) return null
  for (const [open, closer] of OPENERS)
    if (source.has(at, open))
      return {
        key: source.text.slice(from, end),
        value: at + open.length,
        closer,
        escaped: open !== '「始」',
        fullWidth: colon === Char.FULL_WIDTH_COLON,
        quotedKey: quoted,
      }
  return null
}

export const facts: StrategyFacts = {
  signature: START,
  offeredToolPattern: /^<<<\[TOOL_DEFINITION\]>>>\ntool_name:「始」(\w+)「末」/gm,
  inShort: { call: 'fields between markers', goodFor: 'long texts without escaping' },
  form: {
    reads: {
      en: ['fields between ', { code: START }, ' and ', { code: END }],
      'zh-CN': [' ', { code: START }, ' 与 ', { code: END }, ' 之间的字段'],
    },
    begins: START,
  },
  marks: {
    inResults: [/<(?=<)/, /[「」『』]/, /\[(?=\[VCP)/, /V(?=CP(?:调用|ToolCall))/],
    inProse: [
      [/<{2,4}\s*\[\s*(\/?(?:END_)?TOOL_(?:REQUEST|DEFINITION))/gi, '[$1'],
      [/「(始|末)/g, '«$1'],
      [/\[\[\s*VCP/gi, '[VCP'],
    ],
  },
  resultFrame: { kind: 'block', open: RESULTS_START, close: RESULTS_END, loosely: /\[\[\s*VCP/, labels: LABELS },
  opensText: /([\w-]{1,64})\s{0,4}[:：]\s{0,4}「始/,
  lookalikes: [{ kind: 'bracketed', words: 'TOOL_REQUEST', end: 'END_TOOL_REQUEST', opens: /^<{2,4}\[/, value: '始' }],
  missingMarkup: [{ kind: 'block', start: START, end: END }],
  examples: {
    damaged: `<<[tool_request]>>
Tool_Name：「始」read_file「末」，
path：「始」/notes/a.md「末」，
limit：「始」20「末」
<<[end_tool_request]>>`,
    tour: null,
  },
}
