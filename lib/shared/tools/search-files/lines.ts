export const searchedLines = (text: string): readonly string[] => text.split(/\r?\n/)

/** What of a line is shown: the match with about as much before it as behind. Never half of a surrogate pair. */
export function excerpt(line: string, at: number, length: number): string {
  if (line.length <= length) return line
  const start = Math.max(0, Math.min(at - Math.floor(length / 3), line.length - length))
  const part = line.slice(start, start + length).replace(/^[\udc00-\udfff]|[\ud800-\udbff]$/g, '')
  return `${start > 0 ? '…' : ''}${part}${start + length < line.length ? '…' : ''}`
}
