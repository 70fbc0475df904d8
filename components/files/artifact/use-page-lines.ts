import { asForeign, labelOf } from '@/lib/base/foreign-text/foreign'
import { useState } from 'react'
import { t } from '@/lib/i18n/t'
import { pageLimits } from '@/lib/workspace/page/page-files'
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
      const line = lineOf(says)
      if (line === null) return
      setPrinted(({ lines, earlier }) => {
        const all = [...lines, line]
        const left = Math.max(0, all.length - maxLines)
        return { lines: all.slice(left), earlier: earlier + left }
      })
    },
    clear: () => setPrinted(nothing),
  }
}

/** What is printed of it, by the page or about it; null: nothing. */
function lineOf(says: PageSays): PageLine | null {
  const warn = (text: string): PageLine => ({ level: 'warn', text: labelOf(text), place: '' })
  if (says.kind === 'line') return { level: says.level, text: says.text, place: says.place }
  if (says.kind === 'refused') return warn(t('artifact.console.refused', { address: asForeign(says.address) }))
  if (says.kind !== 'file' || says.what === 'used') return null
  const { path } = says
  const { files, bytes } = pageLimits
  return warn(
    says.what === 'left'
      ? t('artifact.console.left', { path: asForeign(path), files, bytes })
      : t(`artifact.console.${says.what}`, { path: asForeign(path) }),
  )
}
