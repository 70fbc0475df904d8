'use client'

import { Component, type ReactNode } from 'react'
import { t } from '@/lib/i18n/t'
import { PartFailure, type PartFailureView } from './part-failure'

export interface ErrorBoundaryProps {
  readonly children: ReactNode
  /** Shown in place of the part; `again` renders the part again. */
  readonly instead: (error: unknown, again: () => void) => ReactNode
  /** A new value renders the part again, because its content has changed. */
  readonly resetKey?: unknown
}

interface State {
  readonly failed: { readonly error: unknown } | null
  readonly resetKey: unknown
}

/** Confines a failing part to its own place. */
export class ErrorBoundary extends Component<ErrorBoundaryProps, State> {
  override state: State = { failed: null, resetKey: this.props.resetKey }

  static getDerivedStateFromError(error: unknown): Partial<State> {
    return { failed: { error } }
  }

  static getDerivedStateFromProps(props: ErrorBoundaryProps, state: State): Partial<State> | null {
    return Object.is(props.resetKey, state.resetKey) ? null : { failed: null, resetKey: props.resetKey }
  }

  private readonly again = () => this.setState({ failed: null })

  override render(): ReactNode {
    const { failed } = this.state
    return failed ? this.props.instead(failed.error, this.again) : this.props.children
  }
}

/*
 * The look of our own errors. It is in every page's first load and must not depend on other code, so its few styles are
 * here instead of in a recipe.
 */

const buttonLook = 'h-control rounded-md border border-line-strong bg-raised px-3 font-medium hover:bg-hover'

/** A page that broke. Messages are stored on the server, so a reload loses nothing. */
export function PageFailed({ onAgain }: { onAgain: () => void }) {
  return (
    <main
      className="mx-auto flex min-h-dvh w-full max-w-[calc(var(--container-column)+3rem)] flex-col justify-center px-6 pb-12 narrow:justify-end narrow:px-3.5"
      role="alert"
    >
      <h1 className="text-xl font-strong tracking-tight">{t('ui.page-failed')}</h1>
      <p className="mt-2 max-w-[38rem] text-lg text-pretty text-muted">{t('ui.page-kept')}</p>
      <p className="mt-5 flex flex-wrap gap-2">
        <button type="button" className={buttonLook} onClick={onAgain}>
          {t('ui.again')}
        </button>
        <button type="button" className={buttonLook} onClick={() => window.location.reload()}>
          {t('ui.reload')}
        </button>
      </p>
    </main>
  )
}

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
