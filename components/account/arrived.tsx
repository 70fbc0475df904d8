'use client'

import { useEffect } from 'react'
import { useLanguage } from '@/components/ui/use-language'
import { withBase } from '@/lib/base/base-path'
import { accountSentence as say } from '@/lib/words/account-page'
import { goIn } from './go-in'

/** Back from the provider: what was written here goes along, and the page that was wanted comes. */
export function ArrivedHere({ who, next }: { who: string; next: string }) {
  useLanguage()
  useEffect(() => void goIn(who, next), [who, next])
  return (
    <main className="grid min-h-dvh place-items-center p-4">
      <p>
        {say('account.arrived')} <a href={withBase(next)}>{say('account.go-on')}</a>
      </p>
    </main>
  )
}
