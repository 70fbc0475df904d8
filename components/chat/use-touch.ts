'use client'

import { useEffect, useEffectEvent } from 'react'
import { loadPart } from '@/lib/i18n/load-part'
import { onFirstInteraction } from '@/components/context/first-interaction'
import type { Panels } from './on-touch'

/** Loads touch support on a touch screen. */
export function useTouch(panels: Panels): void {
  const openList = useEffectEvent(panels.openList)
  const toggleWorkspace = useEffectEvent(panels.toggleWorkspace)
  const isWorkspaceOpen = useEffectEvent(panels.isWorkspaceOpen)
  useEffect(() => {
    if (!window.matchMedia('(pointer: coarse)').matches) return
    let end = () => {}
    let wanted = true
    const leave = onFirstInteraction(() => {
      loadPart(() => import('./on-touch')).then(
        ({ onTouch }) => {
          if (wanted) end = onTouch({ openList, toggleWorkspace, isWorkspaceOpen })
          return undefined
        },
        // Buttons do everything that swipes do.
        () => undefined,
      )
    })
    return () => {
      wanted = false
      leave()
      end()
    }
  }, [])
}
