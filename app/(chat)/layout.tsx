import { redirect } from 'next/navigation'
import type { ReactNode } from 'react'
import { ChatApp } from '@/components/chat/chat-app'
import { UntilLive } from '@/components/ui/page/lazy-part'
import { entryOf } from '@/lib/server/wiring/requests/page-identity.server'

/** The chat itself: it reads the address, so both pages below it are empty. */
export default async function ChatLayout({ children }: { children: ReactNode }) {
  const entry = await entryOf()
  if (entry !== null) redirect(entry)
  return (
    <>
      <UntilLive>
        <ChatApp />
      </UntilLive>
      {children}
    </>
  )
}
