'use client'

import type { ReactNode } from 'react'
import { ErrorBoundary } from './page-failed'
import { PartFailure, type PartFailureView } from './part-failure'

/** `what`: how a sentence about it begins: “This message”. */
type Missing =
  | { readonly look: 'silent'; readonly what?: string }
  | { readonly look?: Exclude<PartFailureView, 'silent'>; readonly what: string }

export type GuardedProps = Missing & {
  /** What of it needs no drawing of its own: its text. */
  readonly plain?: ReactNode
  /** Another value draws it again: what it shows has changed. */
  readonly resetKey?: unknown
  readonly children: ReactNode
}

/** A part whose own mistake takes no more than its place, and leaves its words. */
export function Guarded({ what = '', look = 'line', plain, resetKey, children }: GuardedProps) {
  const instead = (error: unknown, again: () => void) => (
    <>
      {plain}
      <PartFailure what={what} error={error} onAgain={again} look={look} />
    </>
  )
  return (
    <ErrorBoundary instead={instead} resetKey={resetKey}>
      {children}
    </ErrorBoundary>
  )
}
