'use client'

import { useEffect, useState } from 'react'
import { Button } from '@/components/ui/button'

const SAID_FOR_MS = 1_600

/** The reading as `npm run -s protocol -- parse` prints it. */
export function CopyJson({ text, disabled }: { text: () => string; disabled: boolean }) {
  const [said, setSaid] = useState<string | null>(null)
  useEffect(() => {
    if (said === null) return
    const timer = setTimeout(() => setSaid(null), SAID_FOR_MS)
    return () => clearTimeout(timer)
  }, [said])
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text())
      setSaid('Copied')
    } catch {
      setSaid('Not allowed')
    }
  }
  return (
    <Button look="quiet" disabled={disabled} onClick={() => void copy()}>
      {said ?? 'Copy as JSON'}
    </Button>
  )
}
