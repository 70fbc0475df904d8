'use client'

import { createContext, type ReactNode, useState } from 'react'

export interface CodeCacheProps {
  /** A path that its author gave it, or one like `code.py`. */
  readonly name: string
  readonly text: string
  /** It was saved, or no one wants to any longer. */
  readonly onClose: () => void
}

/** What asks where to put a block of code, and puts it there; null where there is no place for one. */
export const CodeCache = createContext<((props: CodeCacheProps) => ReactNode) | null>(null)

export interface CodeToRun {
  /** As in `CodeCacheProps`. */
  readonly name: string
  readonly text: string
}

/** What runs a page that is in a block of code, in its sealed frame; null where there is no place for one. */
export const RunCode = createContext<((code: CodeToRun) => void) | null>(null)

interface AskedOfCode {
  /** How often more of it was asked for. */
  readonly times: number
  readonly wraps: boolean
}

const nothing: AskedOfCode = { times: 0, wraps: false }

/** What was asked of a block of code, by its first lines: it stays so when its reply ends, or scrolls out and in. */
const known = new Map<string, AskedOfCode>()

export function useAsked(firstLines: string): readonly [AskedOfCode, (change: Partial<AskedOfCode>) => void] {
  const [, drawAgain] = useState<AskedOfCode>(nothing)
  const now = known.get(firstLines) ?? nothing
  const ask = (change: Partial<AskedOfCode>) => {
    const next = { ...now, ...change }
    known.set(firstLines, next)
    drawAgain(next)
  }
  return [now, ask]
}
