import type { ReactNode } from 'react'
import { PageCommands } from '@/components/commands/page-commands'

/** Readers of a share link, and pages without the server, have no chats to search. */
export default function Layout({ children }: { children: ReactNode }) {
  return (
    <>
      {children}
      <PageCommands chats={false} />
    </>
  )
}
