'use client'

import { useEffect, useState } from 'react'
import { Button } from '@/components/ui/button'
import { t } from '@/lib/i18n/t'

const SAID_FOR_MS = 1_600

/** The reading as `npm run -s protocol -- parse` prints it. */
export function CopyJson({ text, disabled }: { text: () => string; disabled: boolean }) {
  const [said, setSaid] = useState<'inspector.copied' | 'inspector.not-copied' | null>(null)
  useEffect(() => {
    if (said === null) return
    const timer = setTimeout(() => setSaid(null), SAID_FOR_MS)
    return () => clearTimeout(timer)
  }, [said])
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text())
      setSaid('inspector.copied')
    } catch {
      setSaid('inspector.not-copied')
    }
  }
  return (
    <Button look="quiet" disabled={disabled} onClick={() => void copy()}>
      {t(said ?? 'inspector.copy')}
    </Button>
  )
}
