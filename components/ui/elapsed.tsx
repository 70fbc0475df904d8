'use client'

import { useEffect, useState } from 'react'
import { formatElapsed } from '@/lib/base/format-duration'

/** The time since `startedAt` (epoch ms), in steps of a tenth of a second. */
export function Elapsed({ startedAt }: { startedAt: number }) {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 100)
    return () => clearInterval(timer)
  }, [])
  return <span>{formatElapsed(now - startedAt)}</span>
}
