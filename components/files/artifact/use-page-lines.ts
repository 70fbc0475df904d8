import { useState } from 'react'
import { artifactSentence } from '@/lib/words/artifacts'
import type { PageLine, PageSays } from '@/lib/workspace/page/page-says'

const maxLines = 200

interface Printed {
  readonly lines: readonly PageLine[]
  /** How many are not kept. */
  readonly earlier: number
}

const nothing: Printed = { lines: [], earlier: 0 }

/** What a page printed so far: its last lines. */
export function usePageLines() {
  const [printed, setPrinted] = useState<Printed>(nothing)
  return {
    ...printed,
    hear(says: PageSays) {
      if (says.kind !== 'line' && says.kind !== 'refused') return
      const line: PageLine =
        says.kind === 'line'
          ? { level: says.level, text: says.text, place: says.place }
          : { level: 'warn', text: artifactSentence('artifact.console.refused', { address: says.address }), place: '' }
      setPrinted(({ lines, earlier }) => {
        const all = [...lines, line]
        const left = Math.max(0, all.length - maxLines)
        return { lines: all.slice(left), earlier: earlier + left }
      })
    },
    clear: () => setPrinted(nothing),
  }
}
