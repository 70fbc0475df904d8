import type { FenceOpener } from './fences'
import type { MarkupRegion } from './markup-regions'
import type { ReasoningRegion } from './reasoning'
import type { Source } from './source'
import { readTag } from './tags'

/** A stretch of the reply in which calls are quotations (or, in a carrier fence, the other way round). */
export type Region =
  | ReasoningRegion
  | MarkupRegion
  | { readonly kind: 'frame'; readonly closes: (source: Source, i: number) => number | null }
  | { readonly kind: 'fence'; readonly fence: FenceOpener; afterCall: boolean }

/** Characters at which a frame or a comment may end, beside those at which anything may begin. */
export const FRAME_TRIGGERS = 'V-'

const VCP_FRAME = '[[VCP调用结果'
const VCP_FRAME_END = 'VCP调用结果结束]]'
/** Ids and names of any length, in character references, stand in the opener of a frame. No look goes past the next `<`. */
const MAX_FRAME_OPENER = 100_000
const RESULT_TAGS = ['tool_result', 'tool_response', 'tool_action_result', 'function_results', 'tool_output'] as const

/** The opener of a result frame at `i` (the first of its line): echoed or invented, never a call. */
export function readFrameOpener(
  source: Source,
  i: number,
  afterCall: boolean,
): { readonly region: Region; readonly end: number } | null {
  if (source.at(i) === 0x5b && source.has(i, VCP_FRAME)) {
    const closes = (inner: Source, at: number) => (inner.has(at, VCP_FRAME_END) ? at + VCP_FRAME_END.length : null)
    return { region: { kind: 'frame', closes }, end: i + VCP_FRAME.length }
  }
  if (source.at(i) !== 0x3c) return null
  for (const name of RESULT_TAGS) {
    const tag = readTag(source, i, name, false, MAX_FRAME_OPENER)
    // A bare mention at the start of a line is no frame, unless a call stands before it.
    if (!tag || (!afterCall && !/=/.test(tag.attributes))) continue
    return {
      region: { kind: 'frame', closes: (inner, at) => readTag(inner, at, name, true)?.end ?? null },
      end: tag.end,
    }
  }
  return null
}

const ANSWER = new RegExp(
  `^[ \\t]{0,8}(?:observation[ \\t]{0,8}[:：]|\\[\\[VCP调用结果|<(?:${RESULT_TAGS.join('|')})\\b)` +
    `|^\\{\\s{0,8}"(?:action"\\s{0,8}:\\s{0,8}"tool_result|tool_call_result)"` +
    '|\\n[ \\t\\r]{0,8}\\n(?:Human|User)[:：]|<\\|(?:im_start|im_end|eot_id|endoftext)\\|>',
  'im',
)

/** Whether a result, or another one's turn, begins in a text that was taken for the rest of a broken call. */
export const holdsAnswer = (text: string): boolean => ANSWER.test(text)
