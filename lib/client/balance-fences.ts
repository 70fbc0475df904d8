/** A code fence that is open: what closes it, and the line that opens it again. */
export interface OpenFence {
  readonly marker: string
  readonly opener: string
}

const fenceLine = /^[ \t]*(`{3,}|~{3,})(.*)$/

/**
 * One stretch of a reply's text, so that it reads by itself. Cards cut a reply into stretches, and a cut may go through a
 * code block: it is closed before the card and opened again after it, and what is left of a block that held nothing but
 * the call goes away. `startsLine`: the stretch begins at the start of a line.
 */
export function balanceFences(
  text: string,
  startsLine: boolean,
  open: OpenFence | null,
): { readonly text: string; readonly open: OpenFence | null } {
  const out: string[] = []
  /** Where the open block begins in `out`, whether anything stands in it, and whether a card cut its beginning off. */
  let block = open ? { fence: open, at: 0, filled: false, cut: true } : null
  if (open) out.push(open.opener)
  for (const [index, line] of text.split('\n').entries()) {
    const found = index > 0 || startsLine ? fenceLine.exec(line) : null
    const marker = found?.[1] ?? ''
    const rest = found?.[2] ?? ''
    if (block) {
      const closes = marker.startsWith(block.fence.marker) && rest.trim() === ''
      if (!closes) {
        // The rest of the line on which the call stood is no content of its own, nor is a fence around the call alone.
        if (line.trim() !== '' && !found) block.filled = true
        if (block.filled || !block.cut) out.push(line)
        continue
      }
      if (block.cut && !block.filled) out.length = block.at
      else out.push(line)
      block = null
    } else {
      if (found && !(marker.startsWith('`') && rest.includes('`'))) {
        block = { fence: { marker, opener: line }, at: out.length, filled: false, cut: false }
      }
      out.push(line)
    }
  }
  if (!block) return { text: out.join('\n'), open: null }
  if (block.filled) out.push(block.fence.marker)
  else out.length = block.at
  return { text: out.join('\n'), open: block.fence }
}
