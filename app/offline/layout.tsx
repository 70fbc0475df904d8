import type { ReactNode } from 'react'
import { PageCommands } from '@/components/commands/page-commands'

/** Away from the server there are no chats to look through. */
export default function Layout({ children }: { children: ReactNode }) {
  return (
    <>
      {children}
      <PageCommands chats={false} />
    </>
  )
}
