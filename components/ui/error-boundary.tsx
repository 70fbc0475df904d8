'use client'

import { Component, type ReactNode } from 'react'

export interface ErrorBoundaryProps {
  readonly children: ReactNode
  /** What stands in place of the part; `again` draws the part anew. */
  readonly instead: (error: unknown, again: () => void) => ReactNode
  /** Another value draws the part anew by itself: what it shows has changed. */
  readonly resetKey?: unknown
}

interface State {
  readonly failed: { readonly error: unknown } | null
  readonly resetKey: unknown
}

/** A part that fails takes only its own place. */
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
