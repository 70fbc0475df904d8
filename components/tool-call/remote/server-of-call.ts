'use client'

import { useConversation } from '@/components/context/chat-context'
import { useToolServers } from '@/components/servers/use-tool-servers'
import type { KnownServer } from '@/lib/client/mcp/offered-tools'

/** The server of a tool of this chat; null if this page does not know it. */
export function useServerOfTool(name: string): KnownServer | null {
  const { servers } = useToolServers()
  const id = useConversation((view) => view.tools.find((tool) => tool.name === name)?.remote?.server)
  return servers?.find(({ server }) => server.id === id) ?? null
}

export const wantsSignIn = (known: KnownServer | null): known is KnownServer =>
  known?.server.isOn === true && known.status.phase === 'failed' && known.status.failure.kind === 'sign-in'
