'use client'

import { AuiConfig, AuiProvider, type AssistantClient } from '@assistant-ui/react'
import { Derived } from '@assistant-ui/store'
import type { ReactNode } from 'react'
import { RowMessage, type Row } from './row-client'
import { useThreadClient } from './thread-door'

interface RowScopeProps {
  readonly row: Row
  readonly children: ReactNode
}

/** Gives one row assistant-ui's `message` scope, and as `composer` the one that edits it, once the thread is here. */
export function RowScope(props: RowScopeProps) {
  const aui = useThreadClient()
  return aui && <Scope aui={aui} {...props} />
}

function Scope({ aui, row, children }: RowScopeProps & { readonly aui: AssistantClient }) {
  const config = AuiConfig({
    message: RowMessage(row),
    composer: Derived({ source: 'message', query: {}, get: (client) => client.message.composer() }),
  })
  return (
    <AuiProvider extends={aui} config={config}>
      {children}
    </AuiProvider>
  )
}
