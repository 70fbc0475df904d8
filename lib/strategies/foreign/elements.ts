import type { Source } from '../scan/source'

/** The text between `from` and the next `closer`, at most one newline at each end dropped; null when it does not come. */
export function textUntil(
  source: Source,
  from: number,
  closer: string,
): { readonly text: string; readonly end: number } | null {
  const at = source.find(closer, from)
  if (at < 0) return null
  const text = source.text
    .slice(from, at)
    .replace(/^\r?\n/, '')
    .replace(/\r?\n$/, '')
  return { text, end: at + closer.length }
}

/** The value of an attribute in the text of an opening tag. */
export function attributeOf(attributes: string, name: string): string | null {
  const found = new RegExp(`\\b${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)'|([^\\s"'>/]+))`, 'i').exec(attributes)
  return found ? (found[1] ?? found[2] ?? found[3] ?? '') : null
}
