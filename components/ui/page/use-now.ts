'use client'

import { wallClock } from '@/lib/base/clocks'
import { useEffect, useState } from 'react'

/** The time, epoch milliseconds, updated once a minute; for relative times. */
export function useNow(): number {
  const [now, setNow] = useState(wallClock)
  useEffect(() => {
    const timer = setInterval(() => setNow(wallClock()), 60_000)
    return () => clearInterval(timer)
  }, [])
  return now
}
