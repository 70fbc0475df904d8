import type { BrokenReason, CallSegment } from '@/lib/strategies/segment'
import { FRAME_MARK } from '@/lib/strategies/native/frame'
import type { StrategyId } from '@/lib/strategies/tool-context-def'

/** What stands in a prompt in place of a call that is not one: words that no reader takes for a call. */
export const callWords = (name: string | undefined, rest: string): string => `(${subject(name)} stood here${rest}.)`

export const standingWords: Record<Exclude<CallSegment['standing'], 'live'>, string> = {
  quoted: ' as an example',
  foreign: ' in a form that is not used in this chat; it did not run',
}

export const brokenWords: Record<BrokenReason, string> = {
  truncated: '; it was cut off and could not be read',
  'missing-end': '; its end was missing, so it could not be read',
  'missing-name': '; it named no tool, so it could not be read',
  'bad-json': '; its JSON could not be read',
  'bad-arguments': '; its arguments could not be read',
  placeholder: '; it held placeholders in place of values',
  'too-deep': '; it was nested too deeply to be read',
}

/** Names come from the model: anything but a plain identifier stays out of the prompt. */
const subject = (name: string | undefined): string =>
  name !== undefined && isPlainName(name) ? `a call to ${name}` : 'a call to a tool'

export const isPlainName = (name: string): boolean => /^[\w.-]{1,64}$/.test(name)

/** What opens a call or a result frame in each strategy, and how it reads once it is only words. */
const delimiters: Record<StrategyId, readonly (readonly [RegExp, string])[]> = {
  JSON_Strict: [
    [/tool_call(s|_result)?(?=\\*["'“”‘’]?\s*[:：])/gi, 'tool-call$1'],
    [/function_call(?=\\*["'“”‘’]?\s*[:：])/gi, 'function-call'],
  ],
  XML_Tag: [[/<(\s*(?:\/\s*)?tool_(?:code|result))/gi, '‹$1']],
  VCP: [
    [/<{2,4}\s*\[\s*(\/?(?:END_)?TOOL_(?:REQUEST|DEFINITION))/gi, '[$1'],
    [/「(始|末)/g, '«$1'],
    [/\[\[\s*VCP/gi, '[VCP'],
  ],
  Tool_Action: [[/<(\s*(?:\/\s*)?tool_action)/gi, '‹$1']],
  JSON_Action: [[/(\baction\\*["'“”‘’]?\s*[:：]\s*\\*["'“”‘’]?tool)_/gi, '$1-']],
  Native: [[new RegExp(FRAME_MARK, 'g'), '\u241e']],
}

const strategyIds = Object.keys(delimiters) as readonly StrategyId[]

/**
 * A text in which no delimiter of a strategy works any more; those of `keep` stay. For prose that a model wrote under
 * another strategy: it may name a tag, and must not show the model a second protocol.
 */
export function defuse(text: string, keep: StrategyId | null): string {
  let words = text
  for (const id of strategyIds) {
    if (id === keep) continue
    for (const [pattern, replacement] of delimiters[id]) words = words.replace(pattern, replacement)
  }
  return words
}

/** What a model invents after its own calls: everything from the first such line on is no result. */
const inventedResult =
  /^[ \t]*(?:Observation:|<tool_response\b|<tool_(?:action_)?result\b|(?:```\w*\s*)?\{\s*"(?:tool_(?:call_)?result"|action"\s*:\s*"tool_result")|\[\[\s*VCP)/im

/** Cuts an invented result out of the prose that follows a call, and what the model made of it. */
export function cutInventedResult(text: string): string {
  const found = inventedResult.exec(text)
  if (found === null) return text
  // A code block that opens in what is cut and closes behind it must still open.
  const fences = text.slice(found.index).match(fenceLine) ?? []
  const opener = fences.length % 2 === 1 ? `\n\n${fences.at(-1) ?? ''}\n` : ''
  return `${text.slice(0, found.index)}(Words that looked like a tool's result stood here; no tool had run.)${opener}`
}

const fenceLine = /^[ \t]*(?:```|~~~).*$/gm

/** Prose in which nothing opens a code block, a quotation or reasoning: whatever follows stands for itself. */
export const unfence = (text: string): string => text.replace(/^[ \t]*(?:`{2,}|~{3,}|>).*$/gm, '').replaceAll('<', '‹')
