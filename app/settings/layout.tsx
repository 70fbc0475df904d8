import type { ReactNode } from 'react'
import { PageCommands } from '@/components/commands/page-commands'

/** Whoever sees the page has chats: it sends others away. */
export default function Layout({ children }: { children: ReactNode }) {
  return (
    <>
      {children}
      <PageCommands chats />
    </>
  )
}
