'use client'

import { monotonicClock, msSince, wallClock } from '@/lib/base/clocks'
import { useEffect, useState } from 'react'
import { formatElapsed } from '@/lib/base/text/format-duration'

/** The time since `startedAt` (epoch ms), in steps of a tenth of a second. */
export function Elapsed({ startedAt }: { startedAt: number }) {
  const [passedMs, setPassedMs] = useState(() => msSince(startedAt, wallClock()))
  useEffect(() => {
    const before = msSince(startedAt, wallClock())
    const from = monotonicClock()
    const timer = setInterval(() => setPassedMs(before + monotonicClock() - from), 100)
    return () => clearInterval(timer)
  }, [startedAt])
  return <span>{formatElapsed(passedMs)}</span>
}
