'use client'

import { useEffect, useState, type RefObject } from 'react'

/** Whether an element is in or near the viewport; true if that can't be determined. */
export function useInView(element: RefObject<Element | null>): boolean {
  const [inView, setInView] = useState(typeof IntersectionObserver === 'undefined')
  useEffect(() => {
    const target = element.current
    if (!target || typeof IntersectionObserver === 'undefined') return
    const observer = new IntersectionObserver(
      (entries) => {
        const last = entries.at(-1)
        if (last) setInView(last.isIntersecting)
      },
      { rootMargin: '300px' },
    )
    observer.observe(target)
    return () => observer.disconnect()
  }, [element])
  return inView
}
