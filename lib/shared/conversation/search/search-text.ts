import type { JsonValue } from '@/lib/base/json'
import type { Message, ToolResult } from '../conversation'

/** Of one message; what stands behind is not found. */
const MOST_CHARS = 100_000

/**
 * What a person may look for in a message: their words, the names of their files, what tools gave, and the reply as the model
 * wrote it, so that code and paths in its calls are found too. Not what it thought.
 */
export function searchTextOf(message: Message): string {
  if (message.role === 'assistant') return message.text.slice(0, MOST_CHARS)
  const parts: string[] = []
  let left = MOST_CHARS
  const add = (text: string): boolean => {
    if (text !== '') parts.push(text.slice(0, left))
    left -= text.length + 1
    return left > 0
  }
  if (!add(message.text)) return parts.join('\n')
  for (const { path } of message.attachments ?? []) if (!add(path)) return parts.join('\n')
  for (const { name, result, note } of [...message.results, ...(message.late ?? [])] satisfies ToolResult[]) {
    if (!add(name) || !add(note ?? '')) break
    if (!linesOf(result).every(add)) break
  }
  return parts.join('\n')
}

/** The scalars of a value with what they are called: `path: a.txt`. */
function linesOf(value: JsonValue): readonly string[] {
  const lines: string[] = []
  const waiting: { readonly name: string; readonly value: JsonValue }[] = [{ name: '', value }]
  let chars = 0
  for (let one = waiting.pop(); one && chars < MOST_CHARS; one = waiting.pop()) {
    const { name, value: at } = one
    if (typeof at !== 'object' || at === null) {
      const said = at === null ? '' : String(at)
      const line = name === '' ? said : `${name}: ${said}`
      chars += line.length
      lines.push(line)
    } else if (Array.isArray(at)) {
      for (const item of at.toReversed()) waiting.push({ name: '', value: item })
    } else {
      for (const [key, item] of Object.entries(at).toReversed()) waiting.push({ name: key, value: item })
    }
  }
  return lines
}
