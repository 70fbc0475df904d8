'use client'

import { AuiConfig, AuiProvider, useAui } from '@assistant-ui/react'
import { Derived } from '@assistant-ui/store'
import type { ReactNode } from 'react'
import { RowMessage, type Row } from './row-client'

/** Gives one row assistant-ui's `message` scope, and as `composer` the one that edits it. */
export function RowScope({ row, children }: { row: Row; children: ReactNode }) {
  const aui = useAui()
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
