import { useEffect, useRef, useState } from 'react'
import { loadPart } from '@/lib/i18n/load-part'
import { sayKept } from '@/lib/i18n/kept-words'
import type { TrialRequest } from '@/lib/conversation/trial'

export interface SummaryWriting {
  readonly isWriting: boolean
  /** A sentence: why nothing came of it, or that it ended early. */
  readonly problem: { readonly kind: 'failed' | 'cut'; readonly why: string } | null
  /** Tells the text as it grows. */
  readonly write: (request: TrialRequest, onText: (text: string) => void) => void
  readonly stop: () => void
}

/** One reply of a model that is kept nowhere: under the limits of replies, asked for by a click, stopped by another. */
export function useSummary(): SummaryWriting {
  const [isWriting, setWriting] = useState(false)
  const [problem, setProblem] = useState<SummaryWriting['problem']>(null)
  const abort = useRef<AbortController | null>(null)
  useEffect(() => () => abort.current?.abort(), [])

  async function ask(request: TrialRequest, onText: (text: string) => void, signal: AbortSignal): Promise<void> {
    const { summaryModel } = await loadPart(() => import('@/lib/wiring/summary.browser'))
    let text = ''
    for await (const line of summaryModel.ask(request, signal)) {
      if (line.type === 'text') onText((text += line.text))
      if (line.type !== 'end' || signal.aborted) continue
      if (line.outcome === 'failed' || text.trim() === '') {
        setProblem({ kind: 'failed', why: line.failure ? sayKept(line.failure) : '' })
      } else if (line.outcome !== 'finished') setProblem({ kind: 'cut', why: '' })
    }
  }

  return {
    isWriting,
    problem,
    stop: () => abort.current?.abort(),
    write(request, onText) {
      abort.current?.abort()
      const mine = new AbortController()
      abort.current = mine
      setProblem(null)
      setWriting(true)
      ask(request, onText, mine.signal)
        .catch((error: unknown) => {
          if (!mine.signal.aborted) setProblem({ kind: 'failed', why: error instanceof Error ? error.message : '' })
        })
        .finally(() => {
          if (abort.current === mine) setWriting(false)
        })
    },
  }
}
