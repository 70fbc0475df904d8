'use client'

import { createContext, type ReactNode, useState } from 'react'

export interface CodeCacheProps {
  /** A path given by its author, or a name like `code.py`. */
  readonly name: string
  readonly text: string
  /** Called when it was saved or cancelled. */
  readonly onClose: () => void
}

/** The component that asks where to save a code block, and saves it; null where that is not possible. */
export const CodeCache = createContext<((props: CodeCacheProps) => ReactNode) | null>(null)

export interface CodeToRun {
  /** See `CodeCacheProps`. */
  readonly name: string
  readonly text: string
}

/** Runs a page from a code block in its sealed frame; null where that is not possible. */
export const RunCode = createContext<((code: CodeToRun) => void) | null>(null)

interface AskedOfCode {
  /** How many times more was requested. */
  readonly times: number
  readonly wraps: boolean
}

const nothing: AskedOfCode = { times: 0, wraps: false }

/**
 * How much of each code block is shown, keyed by its first lines. Kept when its reply ends or is scrolled out of view.
 */
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
