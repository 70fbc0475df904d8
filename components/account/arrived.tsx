'use client'

import { useEffect } from 'react'
import { withBase } from '@/lib/base/base-path'
import { goIn } from './go-in'

/** Back from the provider: what was written here goes along, and the page that was wanted comes. */
export function ArrivedHere({ who, next }: { who: string; next: string }) {
  useEffect(() => goIn(who, next), [who, next])
  return (
    <main className="grid min-h-dvh place-items-center p-4">
      <p>
        You are signed in. <a href={withBase(next)}>Go on</a>
      </p>
    </main>
  )
}
