import type { Region } from './regions'
import type { Source } from './source'
import { readTag } from './tags'

/*
 * HTML in which nothing is a request: <!-- … -->, <pre> … </pre>, <code> … </code>. A word in prose opens nothing: the
 * closer must come, for an inline <code> before the paragraph ends. A comment or <pre> that begins a line and is never
 * closed reaches to the end, as a code fence does.
 */

const COMMENT = '<!--'
const ELEMENTS = ['pre', 'code'] as const

/** The opener of such a stretch at `i`. */
export function readMarkupOpener(
  source: Source,
  i: number,
  lineStart: boolean,
): { readonly region: Region; readonly end: number } | null {
  const letter = source.at(i + 1)
  if (letter === 0x21) {
    if (!source.has(i, COMMENT)) return null
    const end = i + COMMENT.length
    if (!lineStart && source.find('-->', end) < 0) return null
    return { region: frame((inner, at) => (inner.has(at, '-->') ? at + 3 : null)), end }
  }
  for (const name of ELEMENTS) {
    const tag = readTag(source, i, name, false)
    if (!tag) continue
    const open = lineStart && name === 'pre'
    if (!open && !closes(source, tag.end, name, lineStart)) return null
    return { region: frame((inner, at) => readTag(inner, at, name, true)?.end ?? null), end: tag.end }
  }
  return null
}

const frame = (closer: Extract<Region, { kind: 'frame' }>['closes']): Region => ({ kind: 'frame', closes: closer })

/** Whether the closer of this very element comes, others of its name inside being whole. */
function closes(source: Source, from: number, name: string, lineStart: boolean): boolean {
  const inParagraph = name === 'code' && !lineStart
  let depth = 0
  for (let i = from; ; i++) {
    const unit = source.at(i)
    if (unit < 0) return false
    if (unit === 0x0a && inParagraph && source.at(source.skipBlanks(i + 1)) === 0x0a) return false
    if (unit !== 0x3c) continue
    if (readTag(source, i, name, true) && depth-- === 0) return true
    if (readTag(source, i, name, false)) depth++
  }
}
