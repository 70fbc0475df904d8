import type { ReactNode } from 'react'
import { ChatApp } from '@/components/chat/chat-app'
import { UntilLive } from '@/components/ui/until-live'

/** The chat itself: it reads the address, so both pages below it are empty. */
export default function ChatLayout({ children }: { children: ReactNode }) {
  return (
    <>
      <UntilLive>
        <ChatApp />
      </UntilLive>
      {children}
    </>
  )
}
