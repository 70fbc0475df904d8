'use client'

import { useEffect, useState } from 'react'
import { onFirstInteraction } from '@/components/context/first-interaction'
import { lazyPart } from '@/components/ui/page/lazy-part'

const UndoBar = lazyPart(() => import('./undo-bar'), { look: 'silent' })

/** Comes with the first sign of someone: after a reload too it knows what was deleted a moment ago. */
export function UndoHost() {
  const [isHere, setHere] = useState(false)
  useEffect(() => onFirstInteraction(() => setHere(true)), [])
  return isHere ? <UndoBar /> : null
}
