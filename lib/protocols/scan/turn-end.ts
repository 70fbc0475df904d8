import * as Char from '../text/source'
import { type Source, isLetter } from '../text/source'

/*
 * The end of the model's own turn: its end-of-turn token, a token that opens someone else's turn, or a line that speaks
 * as the user. Nothing after it is a request.
 */

const END_TOKENS = [
  '<|im_end|>',
  '<|endoftext|>',
  '<|end_of_text|>',
  '<|eot_id|>',
  '<|eom_id|>',
  '<|eot|>',
  '<|eom|>',
  '<|EOT|>',
  '<|end_of_turn|>',
  '<end_of_turn>',
  '<turn|>',
  '<eos>',
  '<|eos|>',
  '<seed:eos>',
  '<|return|>',
  '<|call|>',
  '<|END_OF_TURN_TOKEN|>',
  '<｜end▁of▁sentence｜>',
  '<|role_end|>',
  '<|user|>',
  '<|User|>',
  '<｜User｜>',
  '<|USER_TOKEN|>',
  '<|observation|>',
  '<|im_user|>',
  '[INST]',
  '[/INST]',
  '[e~[',
] as const

/** Tokens that a role follows, and the model's own role. */
const ROLE_TOKENS: readonly (readonly [token: string, own: string])[] = [
  ['<|im_start|>', 'assistant'],
  ['<|start_header_id|>', 'assistant'],
  ['<|header_start|>', 'assistant'],
  ['<|start_of_role|>', 'assistant'],
  ['<|start|>', 'assistant'],
  ['<start_of_turn>', 'model'],
  ['<|turn>', 'model'],
  [']~b]', 'ai'],
]
const HARMONY_END = '<|end|>'
/** Llama 2 and Mistral end a turn with it; HTML ends struck-out text with it. */
const STRUCK = '</s>'
/** The second characters of the tokens: only text that has one is compared with the list. */
const SECOND = new Set([
  ...[...END_TOKENS, STRUCK, HARMONY_END].map((token) => token.slice(0, 2)),
  ...ROLE_TOKENS.map(([token]) => token.slice(0, 2)),
])

const MAX_TOKEN = 32

/** Characters at which a token may begin. */
export const TURN_TRIGGERS = '<[]'

/**
 * The end of a token at `i` that ends the model's own turn; null if it is only mentioned. Mentions are between words or
 * in quotes; a token that a model really prints is attached to its text, or ends or begins a line.
 */
export function readTurnEnd(source: Source, i: number, lineStart: boolean): number | null {
  const end = tokenEnd(source, i)
  if (end === null) return null
  const before = source.text.charCodeAt(i - 1)
  if (i > 0 && `"'“‘(（「『\``.includes(String.fromCharCode(before))) return null
  const after = source.skipBlanks(end)
  const next = source.at(after)
  const endsLine =
    next < 0 || next === Char.LINE_FEED || next === Char.CARRIAGE_RETURN || '<{[`'.includes(String.fromCharCode(next))
  const glued = i > 0 && before !== Char.SPACE && before !== Char.TAB
  return endsLine || glued || (lineStart && after === end) ? end : null
}

/** Whether a call that ends at `end` included the end-of-turn token after it. */
export function endsTurn(source: Source, end: number): boolean {
  const open = source.text.lastIndexOf('<', end - 1)
  return (
    open >= 0 &&
    end - open <= MAX_TOKEN &&
    source.text.slice(open, end) !== '<|call|>' &&
    tokenEnd(source, open) === end
  )
}

/** The end of a token at `i` that ends the model's turn or opens someone else's. */
export function tokenEnd(source: Source, i: number): number | null {
  const unit = source.at(i)
  if (!SECOND.has(String.fromCharCode(unit, source.at(i + 1)))) return null
  if (source.has(i, STRUCK)) return endsStruckText(source, i) ? null : i + STRUCK.length
  const plain = END_TOKENS.find((token) => source.has(i, token))
  if (plain !== undefined) return i + plain.length
  if (source.has(i, HARMONY_END)) {
    // In Harmony it ends a message, and another message of the model follows.
    const next = source.skipSpace(i + HARMONY_END.length)
    return source.has(next, '<|start|>assistant') || source.has(next, '<|channel|>') ? null : i + HARMONY_END.length
  }
  const role = ROLE_TOKENS.find(([token]) => source.has(i, token))
  if (!role) return null
  const from = source.skipBlanks(i + role[0].length)
  let end = from
  while (isNameLetter(source.at(end)) && end - from < 32) end++
  const word = source.text.slice(from, end).toLowerCase()
  return word === '' || word === role[1] || word === 'assistant' ? null : end
}

/** Whether `<s>` precedes it on its line. */
function endsStruckText(source: Source, i: number): boolean {
  const before = source.text.slice(Math.max(0, i - LOOK_BACK), i)
  return STRUCK_OPENER.test(before)
}

const STRUCK_OPENER = /<s(?:\s[^>\n]*)?>[^\n]*$/i

const isNameLetter = (unit: number): boolean => isLetter(unit) || unit === Char.UNDERSCORE || unit === Char.DOT

const INVENTED = /[#*]{0,4}[ \t]{0,2}(?:observation|观察(?:结果)?)[*]{0,2}[ \t]{0,8}[:：]/iy

/**
 * The end of `Observation:` at `i`, the first of a line, also as a heading or in bold: an invented answer of a tool.
 */
export const readInvented = (source: Source, i: number): number | null =>
  '#*oO观'.includes(String.fromCharCode(source.at(i))) ? lengthAt(i, source.match(INVENTED, i, 40)) : null

/** Tokens at the end of a text that end a turn and mean nothing to users. */
const TRAILING = [...END_TOKENS.filter((token) => !/user|observation|INST|e~/i.test(token)), STRUCK, HARMONY_END]
/**
 * The beginning of a Harmony message to the user, at the start of a line; or a whole code block, which is kept
 * unchanged.
 */
const FINAL_MARK =
  /^[ \t]{0,8}(`{3,}|~{3,})[^\n]*\n[^]*?(?:^[ \t]{0,8}\1|(?![^]))|(?<=^[ \t]{0,8})(?:<\|end\|>)?(?:<\|start\|>assistant)?<\|channel\|>(?:final|commentary)(?: ?<\|constrain\|>\w{1,20})?<\|message\|>/gm

/**
 * Prose as users read it: without the tokens that end it (`isLast`: nothing of the reply comes after it), and without
 * the marks of Harmony's messages at the beginning of a line. Code blocks are kept unchanged.
 */
export function withoutTokens(text: string, isLast: boolean): string {
  if (!text.includes('<') && !text.includes('[')) return text
  const words = text.includes('<|channel|>')
    ? text.replace(FINAL_MARK, (found, fence: string | undefined) => (fence === undefined ? '' : found))
    : text
  return isLast ? withoutTrailing(words) : words
}

function withoutTrailing(text: string): string {
  let words = text
  for (;;) {
    const trimmed = words.trimEnd()
    const token = TRAILING.find((one) => trimmed.endsWith(one))
    if (token === undefined) return words === text ? text : trimmed
    const rest = trimmed.slice(0, -token.length)
    if (token === STRUCK && STRUCK_OPENER.test(rest.slice(-LOOK_BACK))) return words === text ? text : trimmed
    words = rest
  }
}

const lengthAt = (i: number, found: RegExpExecArray | null): number | null => found && i + found[0].length

const SPEAKER = /[#*]{0,4}[ \t]{0,2}(Human|HUMAN|User|USER|用户)[*]{0,2}[ \t]?[:：][*]{0,2}/y
/** A line of a list of fields; a line that contains a call is not one. */
const OTHER_FIELD =
  /[*#-]{0,4}[ \t]{0,2}(?!Assistant|AI\b|Model|Bot|Human|User|System|Tool|助手|模型|用户|系统|工具)[\p{L}][\p{L}\p{N}_ ]{0,24}[:：][*]{0,2}(?:[ \t]|(?<=：))[^\n<{[`「]{1,200}(?:\n|$)/iuy
const FIELD_ABOVE =
  /^[-*#|>]{0,4} ?[*]{0,2}(?!Assistant|AI\b|Model|Bot|Answer|Final|Result|Output|Response|Note|助手|模型|回答|答案|结果)[\p{L}\p{N}_][\p{L}\p{N}_ ]{0,24}[:：][*]{0,2}(?:\s|(?<=：))/iu
const MAX_LINE = 2000
/** No decision looks back further than this, the size of the window of a streamed text. */
const LOOK_BACK = 120

/**
 * The end of `User:` or `Human:` at `i`, the first of a line, if it speaks as the user after an answer. In a list of
 * fields (`Host: x`, `User: bob`) it is data.
 */
export function readSpeaker(source: Source, i: number): number | null {
  if (!'HU*#用'.includes(String.fromCharCode(source.at(i)))) return null
  const found = source.match(SPEAKER, i, 24)
  const name = found?.[1]
  if (!found || name === undefined) return null
  const end = i + found[0].length
  const from = Math.max(0, i - LOOK_BACK)
  const lines = source.text.slice(from, i).trimEnd().split('\n')
  const above = lines.at(-1)?.trim() ?? ''
  if (above === '') return source.base + from > 0 || name.toLowerCase() === 'human' ? end : null
  // Text that ends in a colon announces what follows as its own.
  if (/[:：,;]$/.test(above)) return null
  const blankLine = /\n[ \t\r]*\n[ \t]*$/.test(source.text.slice(from, i))
  const wholeLine = lines.length > 1 || source.base + from === 0
  if (!blankLine && wholeLine && FIELD_ABOVE.test(above)) return null
  const lineEnd = source.text.indexOf('\n', end)
  if (lineEnd < 0) source.starved = true
  if (lineEnd < 0 || lineEnd - end > MAX_LINE) return end
  return source.match(OTHER_FIELD, source.skipBlanks(lineEnd + 1), 240) ? null : end
}
