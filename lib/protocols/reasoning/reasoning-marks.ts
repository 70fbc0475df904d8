import { endTokenOf, readMark, readReasoningOpener } from '../scan/reasoning'
import { Source } from '../text/source'

/** The marks around a range of reasoning as written; null if there are none. */
export interface ReasoningMarks {
  /** `<think>` without its attributes, `[THINK]`, `<|channel|>analysis`. */
  readonly open: string | null
  readonly close: string | null
  /** The text between the marks. */
  readonly inner: string
}

const MAX_MARK = 200

/** Extracts the marks from a reasoning segment, in any form that models write. */
export function reasoningMarksOf(raw: string): ReasoningMarks {
  const text = raw.trim()
  const opener = readReasoningOpener(new Source(text.slice(0, MAX_MARK), true), 0)
  const from = opener?.end ?? 0
  const close = closerAtEnd(text, from)
  const open = opener ? text.slice(0, from).replace(/^<\s*([^\s<>]+)[^<>]*>$/, '<$1>') : null
  const inner = text.slice(from, text.length - (close?.length ?? 0))
  return { open, close, inner: inner.replace(/^<\|message\|>/, '').replace(/<\|end\|>\s*$/, '') }
}

/** Whether a piece of reasoning ends with its closer: the text after it is no longer reasoning. */
export const endsReasoning = (raw: string): boolean => closerAtEnd(raw.trimEnd(), 0) !== null

function closerAtEnd(text: string, from: number): string | null {
  const token = endTokenOf(text)
  if (token !== null) return token
  for (let at = text.length - 1; at >= Math.max(from, text.length - MAX_MARK); at--) {
    if (!'<[◁'.includes(text.charAt(at))) continue
    const closer = readMark(new Source(text.slice(at), true), 0, true)
    return closer && at + closer.end === text.length ? text.slice(at) : null
  }
  return null
}

export { withoutTokens } from '../scan/turn-end'
