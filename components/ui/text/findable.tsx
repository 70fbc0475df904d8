'use client'

import { useLayoutEffect, useRef, type ReactNode } from 'react'

interface FindableProps {
  readonly open: boolean
  /** The browser's own search met a word inside. */
  readonly onFound: () => void
  readonly children: ReactNode
}

/** What is folded away stays within reach of the browser's search, which opens it (`hidden="until-found"`). */
export function Findable({ open, onFound, children }: FindableProps) {
  const box = useRef<HTMLDivElement>(null)

  // Set by hand: React knows `hidden` as a flag only.
  useLayoutEffect(() => {
    if (open) box.current?.removeAttribute('hidden')
    else box.current?.setAttribute('hidden', 'until-found')
  }, [open])

  useLayoutEffect(() => {
    const element = box.current
    element?.addEventListener('beforematch', onFound)
    return () => element?.removeEventListener('beforematch', onFound)
  }, [onFound])

  return <div ref={box}>{children}</div>
}
