import type { ReactNode } from 'react'
import { row } from '@/components/ui/recipes/surface'

export interface FileBarProps {
  /** What is known of what is seen: "600 × 900 pixels". */
  readonly facts: ReactNode
  readonly children?: ReactNode
}

/** The line over a picture, a table or bytes: what it is, and how to look at it. */
export const FileBar = ({ facts, children }: FileBarProps) => (
  <div className={row({}, 'min-h-10 flex-none justify-between border-b border-line px-3 py-1')}>
    <span className="text-sm text-muted tabular-nums">{facts}</span>
    {children}
  </div>
)
