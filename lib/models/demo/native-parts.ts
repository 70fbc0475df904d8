/** A piece of a scripted reply: words, or a call that goes out in the provider's own form. */
export type NativePart =
  | { readonly kind: 'text'; readonly text: string }
  | {
      readonly kind: 'call'
      readonly name: string
      /** The arguments as JSON text; cut off when the call is not complete. */
      readonly input: string
      readonly complete: boolean
    }

/** As the strategy Native writes calls for the script: a head line, the arguments, a mark that ends them. */
const mark = '\u001e'
const frame = new RegExp(`${mark}tool_call (\\{[^\\n]*\\})\\n([^${mark}]*)(${mark}\\n|$)`, 'g')

/** Takes the calls out of a scripted text. */
export function nativeParts(text: string): readonly NativePart[] {
  const parts: NativePart[] = []
  let at = 0
  const words = (end: number) => {
    if (end > at) parts.push({ kind: 'text', text: text.slice(at, end) })
  }
  for (const found of text.matchAll(frame)) {
    const [whole, head = '{}', input = '', end = ''] = found
    words(found.index)
    const { name = '' } = JSON.parse(head) as { readonly name?: string }
    parts.push({ kind: 'call', name, input, complete: end !== '' })
    at = found.index + whole.length
  }
  words(text.length)
  return parts
}
