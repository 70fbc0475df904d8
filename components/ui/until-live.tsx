'use client'

import { useSyncExternalStore, type ReactNode } from 'react'
import { lazyPart } from './lazy-part'

const Tooltips = lazyPart(() => import('./tooltips'), { what: 'What is said of things', look: 'silent' })

const never = () => () => {}

/**
 * Turns every control off until the page listens to it: what is typed or pressed in the moment between the server's HTML
 * and the first script would be lost, or sent by the browser as a form of its own.
 */
export function UntilLive({ children }: { children: ReactNode }) {
  const live = useSyncExternalStore(
    never,
    () => true,
    () => false,
  )
  return (
    <fieldset role="none" className="contents" disabled={!live}>
      {children}
      {live ? <Tooltips /> : null}
    </fieldset>
  )
}
