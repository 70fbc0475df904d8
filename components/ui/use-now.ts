'use client'

import { useEffect, useState } from 'react'

/** The time, epoch milliseconds, once a minute: for ages in words. */
export function useNow(): number {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 60_000)
    return () => clearInterval(timer)
  }, [])
  return now
}
