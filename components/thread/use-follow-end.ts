'use client'

import { useLayoutEffect, type RefObject } from 'react'
import { followView, type ViewFollower } from './follow-view'

/** Following as what scrolls knows it: the thread brings it along. */
export interface FollowEnd {
  /** Null: nothing is followed any more. */
  readonly onFollow: (follower: ViewFollower | null) => void
  /** The reader scrolled away, or is back: offer the way back, or no more. */
  readonly onAway: (away: boolean) => void
}

/** `followView` for as long as `content` is in the page; another one (another chat) starts at its end. */
export function useFollowEnd(
  view: HTMLElement,
  content: RefObject<HTMLElement | null>,
  { onFollow, onAway }: FollowEnd,
): void {
  useLayoutEffect(() => {
    if (!content.current) return
    const mine = followView(view, content.current, onAway)
    onFollow(mine)
    return () => {
      mine.dispose()
      onFollow(null)
      onAway(false)
    }
  }, [view, content, onFollow, onAway])
}
