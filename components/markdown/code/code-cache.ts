'use client'

import { createContext, type ReactNode } from 'react'

export interface CodeCacheProps {
  /** A path that its author gave it, or one like `code.py`. */
  readonly name: string
  readonly text: string
  /** It was saved, or nobody wants to any more. */
  readonly onClose: () => void
}

/** What asks where to put a block of code, and puts it there; null where there is no place for one. */
export const CodeCache = createContext<((props: CodeCacheProps) => ReactNode) | null>(null)

export interface CodeToRun {
  /** As in `CodeCacheProps`. */
  readonly name: string
  readonly text: string
}

/** What runs a page that stands in a block of code, in its sealed frame; null where there is no place for one. */
export const RunCode = createContext<((code: CodeToRun) => void) | null>(null)
