import { err, ok, type Result } from '@/lib/base/result'

/** A page stays below the executor's cap, so that reading goes on line by line and nothing is cut from the middle. */
const maxLines = 2_000
const maxCharacters = 48_000

/** Characters of a text in JSON: quotes, backslashes and control characters take more than one. */
const jsonLength = (text: string) => JSON.stringify(text).length - 2

export type Page =
  | { readonly content: string }
  | {
      readonly content: string
      readonly firstLine: number
      readonly lastLine: number
      readonly totalLines: number
      readonly note: string
    }

/**
 * Lines `offset … offset + limit - 1` of a text, counted from 1. A text that fits whole comes back alone; a part says
 * where it stands and how to read on. Line breaks are kept as they are.
 */
export function pageOfLines(text: string, offset: number, limit: number | null): Result<Page, string> {
  const lines = text.match(/[^\n]*\n|[^\n]+$/g) ?? []
  const total = lines.length
  if (offset > Math.max(total, 1)) {
    return err(`The file has ${total} ${total === 1 ? 'line' : 'lines'}; there is no line ${offset}.`)
  }
  const wanted = Math.min(limit ?? maxLines, maxLines)
  let last = offset - 1
  let content = ''
  let length = 0
  while (last < total && last - offset + 1 < wanted) {
    const line = lines[last] ?? ''
    length += jsonLength(line)
    if (content !== '' && length > maxCharacters) break
    content += line
    last++
  }
  const whole = content.length
  const encoded = jsonLength(content)
  if (encoded > maxCharacters) {
    content = content.slice(0, Math.floor((whole * maxCharacters) / encoded)).replace(/[\ud800-\udbff]$/, '')
    const note = `Line ${last} is very long: ${content.length} of its ${whole} characters are shown.`
    const more = last < total ? ` Read on with offset ${last + 1}.` : ''
    return ok({ content, firstLine: offset, lastLine: last, totalLines: total, note: note + more })
  }
  if (offset === 1 && last >= total) return ok({ content })
  const more = last < total ? ` Read on with offset ${last + 1}.` : ' That is the end.'
  const note = `Lines ${offset} to ${last} of ${total}.${more}`
  return ok({ content, firstLine: offset, lastLine: last, totalLines: total, note })
}
