'use client'

import { useSyncExternalStore } from 'react'

const never = () => () => {}

/** False while the server draws, and while the browser takes over what it drew: both have to draw the same. */
export const useIsLive = (): boolean =>
  useSyncExternalStore(
    never,
    () => true,
    () => false,
  )
