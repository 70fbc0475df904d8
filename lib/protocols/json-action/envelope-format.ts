import type { CallToWrite } from '../types/tool-context-def'
import { writeJson } from '../arguments/write-json'
import { CALL, TEXT } from './action'

const isWords = (part: string | CallToWrite): part is string => typeof part === 'string'

/** Words and calls in their order, as a reply that is nothing but JSON has them: no fence. */
export function formatEnvelopeReply(parts: readonly (string | CallToWrite)[]): string {
  const items = parts.map((part) =>
    isWords(part)
      ? writeJson({ action: TEXT, text: part })
      : writeJson({ action: CALL, name: part.name, arguments: part.arguments }),
  )
  return items.length === 1 ? items.join('') : `[${items.join(',\n')}]`
}
