'use client'

import { useEffect, useState, useSyncExternalStore } from 'react'
import { toolServers } from '@/lib/client/wiring/tools/tool-servers.browser'
import { useConversation } from '@/components/context/chat-context'
import type { KnownServer } from '@/lib/client/mcp/offered-tools'

/** The server of a tool of this chat; null if this page does not know it. */
export function useServerOfTool(name: string): KnownServer | null {
  const { servers } = useToolServers()
  const id = useConversation((view) => view.tools.find((tool) => tool.name === name)?.remote?.server)
  return servers?.find(({ server }) => server.id === id) ?? null
}

export const wantsSignIn = (known: KnownServer | null): known is KnownServer =>
  known?.server.isOn === true && known.status.phase === 'failed' && known.status.failure.kind === 'sign-in'

const none: readonly KnownServer[] = []
const onServer = () => null
const subscribe = (listener: () => void) => toolServers.subscribe(listener)
const getState = () => toolServers.getState()

/** The user's tool servers; null until loaded. Servers that are on are checked when shown. */
export function useToolServers(): { readonly servers: readonly KnownServer[] | null; readonly problem: string | null } {
  const servers = useSyncExternalStore(subscribe, getState, onServer)
  const [problem, setProblem] = useState<string | null>(null)
  useEffect(() => {
    let wanted = true
    void toolServers.load().then((answer) => {
      if (!answer.ok) return wanted ? setProblem(answer.error.message) : undefined
      for (const { server, status } of answer.value) {
        if (server.isOn && status.phase === 'unchecked') void toolServers.check(server.id)
      }
      return undefined
    })
    return () => {
      wanted = false
    }
  }, [])
  return { servers: servers ?? (problem === null ? null : none), problem }
}
