'use client'

import { useEffect, useState } from 'react'

/**
 * Which tab is shown, as the address says by `#<prefix><id>`, so that it can be linked to, and a reload finds it again. What is chosen
 * is written there without a step in the history.
 */
export function useAddressTab<T extends string>(ids: readonly [T, ...T[]], prefix: string) {
  const [tab, setTab] = useState<T>(ids[0])
  useEffect(() => {
    const look = () => {
      const asked = ids.find((id) => window.location.hash === `#${prefix}${id}`)
      if (asked) setTab(asked)
    }
    look()
    window.addEventListener('hashchange', look)
    return () => window.removeEventListener('hashchange', look)
  }, [ids, prefix])
  const choose = (wanted: string) => {
    const id = ids.find((one) => one === wanted)
    if (!id) return
    setTab(id)
    putFragment(`#${prefix}${id}`)
  }
  return { tab, choose }
}

/** What the router keeps beside the address stays. */
export function putFragment(fragment: string): void {
  const { pathname, search } = window.location
  window.history.replaceState(window.history.state, '', `${pathname}${search}${fragment}`)
}
