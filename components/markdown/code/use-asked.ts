'use client'

import { useState } from 'react'

export interface AskedOfCode {
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
