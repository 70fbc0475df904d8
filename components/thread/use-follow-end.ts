'use client'

import { useCallback, useLayoutEffect, useRef, useState } from 'react'
import { followView, type ViewFollower } from './follow-view'

export interface FollowEnd {
  /** The reader scrolled away: offer the way back. */
  readonly away: boolean
  readonly toEnd: () => void
}

/** `followView` for as long as both elements are in the page; another `content` (another chat) starts at its end. */
export function useFollowEnd(view: HTMLElement | null, content: HTMLElement | null): FollowEnd {
  const follower = useRef<ViewFollower>(null)
  const [away, setAway] = useState(false)
  useLayoutEffect(() => {
    if (!view || !content) return
    const mine = followView(view, content, setAway)
    follower.current = mine
    return () => {
      mine.dispose()
      setAway(false)
    }
  }, [view, content])
  const toEnd = useCallback(() => follower.current?.toEnd(), [])
  return { away, toEnd }
}
