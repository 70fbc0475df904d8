/**
 * Cuts a text into small pieces of uneven length, so that markers, tags and escapes are split at every possible place
 * over time. The same text always gives the same pieces; surrogate pairs stay whole, since no tokenizer splits them.
 */
export function cutIntoChunks(text: string): readonly string[] {
  const chunks: string[] = []
  let state = (text.length * 2_654_435_761) >>> 0
  let start = 0
  while (start < text.length) {
    state = (state * 1_664_525 + 1_013_904_223) >>> 0
    let end = Math.min(text.length, start + 1 + ((state >>> 16) % maxLength))
    const last = text.charCodeAt(end - 1)
    if (end < text.length && last >= 0xd800 && last <= 0xdbff) end += 1
    chunks.push(text.slice(start, end))
    start = end
  }
  return chunks
}

const maxLength = 13
