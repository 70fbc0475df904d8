export interface SoleFence {
  readonly lang: string | null
  readonly meta: string | null
  readonly value: string
}

const opening = /^(`{3,}|~{3,})[ \t]*([^\s`]*)[ \t]*([^\n`]*)\n/

/**
 * A text that is one block of code and nothing else, finished or not; null for any other. Code is most of what is long in
 * a reply, and read this way it costs one look at each line.
 */
export function soleFence(text: string): SoleFence | null {
  const match = opening.exec(text)
  if (!match || text.includes('\r')) return null
  const [whole, marks = '', lang = '', meta = ''] = match
  // Escapes and entities in it are for the reader.
  if (/[\\&]/.test(lang + meta)) return null
  const lines = text.slice(whole.length).split('\n')
  const end = lines.findIndex((line) => closes(line, marks))
  if (end >= 0 && lines.slice(end + 1).some((line) => line.trim() !== '')) return null
  const code = end >= 0 ? lines.slice(0, end) : lines
  if (end < 0 && code.at(-1) === '') code.pop()
  return { lang: lang || null, meta: meta.trim() || null, value: code.join('\n') }
}

function closes(line: string, marks: string): boolean {
  const text = line.replace(/^ {0,3}/, '').trimEnd()
  return text.length >= marks.length && text.replaceAll(marks.charAt(0), '') === ''
}
