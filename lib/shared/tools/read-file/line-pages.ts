import { makeModelMessage, type ModelMessage } from '@/lib/i18n/t'
import { err, ok, type Result } from '@/lib/base/result'
import { jsonLength, maxCharacters } from '@/lib/shared/documents/document-text'

/**
 * A page stays below the executor's limit, so that reading continues line by line and nothing is cut from the middle.
 */
const maxLines = 2_000

export type LinePage =
  | { readonly content: string }
  | {
      readonly content: string
      readonly firstLine: number
      readonly lastLine: number
      readonly totalLines: number
      readonly note: string
    }

/** As many characters of a line as fit a page in JSON; never half of a surrogate pair. */
function headOf(line: string): string {
  const encoded = jsonLength(line)
  if (encoded <= maxCharacters) return line
  let head = line.slice(0, maxCharacters)
  // JSON writes some characters in two or six: shorten in proportion until it fits.
  while (jsonLength(head) > maxCharacters)
    head = head.slice(0, Math.floor((head.length * maxCharacters) / jsonLength(head)))
  return head.replace(/[\ud800-\udbff]$/, '')
}

/**
 * Returns lines `offset … offset + limit - 1` of a text, counted from 1, the first of them from character `column` on.
 * A text that fits is returned alone; a part includes its position and how to read on. Line breaks are kept as they
 * are. A line that exceeds a page is returned in parts: the note then names the column to continue from.
 */
export function pageOfLines(
  text: string,
  offset: number,
  limit: number | null,
  column = 1,
): Result<LinePage, ModelMessage> {
  const lines = text.match(/[^\n]*\n|[^\n]+$/g) ?? []
  const total = lines.length
  if (offset > Math.max(total, 1)) {
    return err(makeModelMessage('told.no-line', { total, line: offset }))
  }
  const first = lines[offset - 1] ?? ''
  if (column > Math.max(first.length, 1)) {
    return err(makeModelMessage('told.no-column', { line: offset, length: first.length, column }))
  }
  // A column in the middle of a surrogate pair means the pair.
  const start = column - 1 - (/^[\udc00-\udfff]/.test(first.slice(column - 1)) && column > 1 ? 1 : 0)
  const rest = first.slice(start)
  const head = headOf(rest)
  if (head.length < rest.length) {
    const end = start + head.length
    const note =
      `Line ${offset} is very long: these are its characters ${start + 1} to ${end} of ${first.length}. ` +
      `Read on with offset ${offset} and column ${end + 1}.`
    return ok({ content: head, firstLine: offset, lastLine: offset, totalLines: total, note })
  }

  const wanted = Math.min(limit ?? maxLines, maxLines)
  let last = Math.min(offset, total)
  let content = rest
  let length = jsonLength(rest)
  while (last < total && last - offset + 1 < wanted) {
    const line = lines[last] ?? ''
    length += jsonLength(line)
    if (length > maxCharacters) break
    content += line
    last++
  }
  if (offset === 1 && start === 0 && last >= total) return ok({ content })
  const from = start > 0 ? ` (line ${offset} from character ${start + 1})` : ''
  const more = last < total ? ` Read on with offset ${last + 1}.` : ' That is the end.'
  const note = `Lines ${offset} to ${last} of ${total}${from}.${more}`
  return ok({ content, firstLine: offset, lastLine: last, totalLines: total, note })
}
