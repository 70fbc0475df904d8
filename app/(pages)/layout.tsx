import type { ReactNode } from 'react'
import { PageCommands } from '@/components/commands/page-commands'

/** These pages send visitors without chats away. */
export default function Layout({ children }: { children: ReactNode }) {
  return (
    <>
      {children}
      <PageCommands chats />
    </>
  )
}
