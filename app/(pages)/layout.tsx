import type { ReactNode } from 'react'
import { PageCommands } from '@/components/commands/page-commands'

/** These pages redirect visitors without chats. */
export default function Layout({ children }: { children: ReactNode }) {
  return (
    <>
      {children}
      <PageCommands chats />
    </>
  )
}
