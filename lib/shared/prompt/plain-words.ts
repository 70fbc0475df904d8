import type { BrokenReason, CallSegment } from '@/lib/protocols/types/segment'
import { strategyModules } from '@/lib/protocols/registry'
import { literalPattern } from '@/lib/base/text/characters'
import type { ResultFrame } from '@/lib/protocols/types/strategy-facts'
import type { StrategyId } from '@/lib/protocols/types/tool-context-def'

/** The text that replaces an invalid call in a prompt: no parser takes it for a call. */
export const callWords = (name: string | undefined, rest: string): string => `(${subject(name)} stood here${rest}.)`

export const placementTexts: Record<Exclude<CallSegment['standing'], 'live'>, string> = {
  quoted: ' as an example',
  foreign: ' in a form that is not used in this chat; it did not run',
}

export const brokenCallPhrases: Record<BrokenReason, string> = {
  truncated: '; it was cut off and could not be read',
  'missing-end': '; its end was missing, so it could not be read',
  'missing-name': '; it named no tool, so it could not be read',
  'bad-json': '; its JSON could not be read',
  'bad-arguments': '; its arguments could not be read',
  placeholder: '; it held placeholders in place of values',
  'too-deep': '; it was nested too deeply to be read',
  'not-a-literal': '; an argument of it was not a literal',
}

/** Names come from the model: anything but a plain identifier stays out of the prompt. */
const subject = (name: string | undefined): string =>
  name !== undefined && isPlainName(name) ? `a call to ${name}` : 'a call to a tool'

export const isPlainName = (name: string): boolean => /^[\w.-]{1,64}$/.test(name)

/**
 * Disables all delimiters of strategies in a text; those of `keep` stay. For prose that a model wrote under another
 * strategy: it may name a tag, but must not show the model a second protocol.
 */
export function defuse(text: string, keep: StrategyId | null): string {
  let words = text
  for (const { id, marks } of strategyModules) {
    if (id === keep) continue
    for (const [pattern, replacement] of marks.inProse) words = words.replace(pattern, replacement)
  }
  return words
}

/** A result that a model invents after its own calls: everything from the first such line on is no result. */
const inventedResult = new RegExp(
  `^[ \\t]*(?:${['Observation:', '<tool_response\\b', ...strategyModules.map(({ resultFrame }) => openerOf(resultFrame))].join('|')})`,
  'im',
)

function openerOf(frame: ResultFrame): string {
  switch (frame.kind) {
    case 'element':
      return `<${frame.name}\\b`
    case 'object':
      return `(?:\`\`\`\\w*\\s*)?\\{\\s*"${frame.key}"${frame.value === undefined ? '' : `\\s*:\\s*"${frame.value}"`}`
    case 'block':
      return frame.loosely?.source ?? literalPattern(frame.open)
  }
}

/** Removes an invented result, and the text based on it, from the prose that follows a call. */
export function cutInventedResult(text: string): string {
  const found = inventedResult.exec(text)
  if (found === null) return text
  // A code block that opens in the removed part and closes after it must still open.
  const fences = text.slice(found.index).match(fenceLine) ?? []
  const opener = fences.length % 2 === 1 ? `\n\n${fences.at(-1) ?? ''}\n` : ''
  return `${text.slice(0, found.index)}(Words that looked like a tool's result stood here; no tool had run.)${opener}`
}

const fenceLine = /^[ \t]*(?:```|~~~).*$/gm

/** Prose in which nothing opens a code block, a quotation or reasoning, so that the following text is independent. */
export const unfence = (text: string): string => text.replace(/^[ \t]*(?:`{2,}|~{3,}|>).*$/gm, '').replaceAll('<', '‹')
