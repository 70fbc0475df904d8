import type { ReadContext } from '../dialect'
import { tokenEnd } from '../scan/turn-end'
import type { Source } from '../text/source'

/** Whether nothing of the reply comes after `i`: white space, end-of-turn tokens and the closing line of its only code block aside. */
export function endsReply(source: Source, i: number, context: ReadContext): boolean {
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
