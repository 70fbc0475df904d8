import type { ReactNode } from 'react'
import { PageCommands } from '@/components/commands/page-commands'

/** Whoever reads what was shared may have no chats here. */
export default function Layout({ children }: { children: ReactNode }) {
  return (
    <>
      {children}
      <PageCommands chats={false} />
    </>
  )
}
