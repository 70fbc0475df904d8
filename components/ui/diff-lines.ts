import type { DiffLine } from '@/components/ui/diff-view'
import { loadPart } from '@/lib/i18n/load-part'

const CONTEXT_LINES = 2
/** Beyond this much work a diff says less than the new text does. */
const TIMEOUT_MS = 300

/**
 * The change from one text to another as lines with what surrounds them; `all` shows every unchanged line. Null when
 * the texts are too different to be compared in a moment. Loads the comparison on first need.
 */
export async function diffLines(before: string, after: string, all: boolean): Promise<readonly DiffLine[] | null> {
  const { structuredPatch } = await loadPart(() => import('diff'))
  const patch = structuredPatch('', '', before, after, '', '', {
    context: all ? Number.MAX_SAFE_INTEGER : CONTEXT_LINES,
    timeout: TIMEOUT_MS,
  })
  if (!patch) return null
  const lines: DiffLine[] = []
  let shownOld = 0
  const gap = (count: number) => {
    if (count > 0) lines.push({ kind: 'gap', count })
  }
  for (const hunk of patch.hunks) {
    // An empty side starts at 0; line numbers are from 1.
    let oldLine = Math.max(1, hunk.oldStart)
    let newLine = Math.max(1, hunk.newStart)
    gap(oldLine - 1 - shownOld)
    for (const line of hunk.lines) {
      const text = line.slice(1)
      if (line.startsWith('\\')) continue
      if (line.startsWith('-')) lines.push({ kind: 'del', number: oldLine++, text })
      else if (line.startsWith('+')) lines.push({ kind: 'add', number: newLine++, text })
      else {
        lines.push({ kind: 'same', number: newLine++, text })
        oldLine += 1
      }
    }
    shownOld = oldLine - 1
  }
  const total = before === '' ? 0 : before.replace(/\n$/, '').split('\n').length
  gap(total - shownOld)
  return lines
}
