import type { ParsedReply } from './segment'

/** A reading as it is printed and copied: every segment with its raw text. */
export function replyAsJson(text: string, { type, segments }: ParsedReply) {
  return {
    type,
    segments: segments.map(({ kind, start, end, ...rest }) => ({
      kind,
      start,
      end,
      text: text.slice(start, end),
      ...rest,
    })),
  }
}
