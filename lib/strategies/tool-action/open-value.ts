import { readMark } from '../scan/reasoning'
import { Source } from '../text/source'

/** Elements end with a tag of their own: what stands behind the last one is open. */
export const openValue = (text: string): number => Math.max(text.lastIndexOf('/>'), lastOtherCloser(text), 0)

/** The last closing tag that does not close reasoning. */
function lastOtherCloser(text: string): number {
  for (let at = text.length; at > 0;) {
    at = text.lastIndexOf('</', at - 1)
    if (at < 0 || !readMark(new Source(text.slice(at, at + 80), true), 0, true)) return at
  }
  return -1
}
