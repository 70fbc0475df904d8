'use client'

import type { ReactNode } from 'react'
import { ErrorBoundary } from './page-failed'
import { PartFailure, type PartFailureView } from './part-failure'

/** `what`: the start of a sentence about it: "This message". */
type Missing =
  | { readonly look: 'silent'; readonly what?: string }
  | { readonly look?: Exclude<PartFailureView, 'silent'>; readonly what: string }

export type GuardedProps = Missing & {
  /** Its plain text, which can be rendered without the part. */
  readonly plain?: ReactNode
  /** A new value renders it again, because its content has changed. */
  readonly resetKey?: unknown
  readonly children: ReactNode
}

/** A part whose own error affects only its place, where its text is shown. */
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
