'use client'

import { useSyncExternalStore, useEffect, useState, type ReactNode } from 'react'
import { lazyPart } from './lazy-part'
import { useLanguage } from './use-language'

const never = () => () => {}

/** False while the server draws, and while the browser takes over what it drew: both have to draw the same. */
export const useIsLive = (): boolean =>
  useSyncExternalStore(
    never,
    () => true,
    () => false,
  )

const Tooltips = lazyPart(() => import('../popups/tooltips'), { look: 'silent' })

/**
 * Turns every control off until the page listens to it: what is typed or pressed in the moment between the server's HTML
 * and the first script would be lost, or sent by the browser as a form of its own.
 */
export function UntilLive({ children }: { children: ReactNode }) {
  const live = useIsLive()
  useLanguage()
  const pointed = useFirstPointing()
  return (
    <fieldset role="none" className="contents" disabled={!live}>
      {children}
      {pointed ? <Tooltips /> : null}
    </fieldset>
  )
}

/** Whether anything was pointed at yet, by the pointer or by Tab: until then nothing has to be said of it. */
function useFirstPointing(): boolean {
  const [pointed, setPointed] = useState(false)
  useEffect(() => {
    if (pointed) return
    const onPointing = (event: PointerEvent | KeyboardEvent) => {
      if ('key' in event ? event.key === 'Tab' : event.pointerType === 'mouse') setPointed(true)
    }
    document.addEventListener('pointerover', onPointing)
    document.addEventListener('keydown', onPointing)
    return () => {
      document.removeEventListener('pointerover', onPointing)
      document.removeEventListener('keydown', onPointing)
    }
  }, [pointed])
  return pointed
}
