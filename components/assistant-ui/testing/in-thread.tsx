import { useState, type ReactNode } from 'react'
import type { Message } from '@/lib/shared/conversation/conversation'
import { createResultsPort, type ResultsPort } from '@/lib/client/api/results-port'
import { MessageScope } from '../message-scope'
import { createThreadRuntimeRef, ThreadRuntimeRefProvider } from '../thread-runtime-ref'
import ThreadHost from '../thread-host'

export const noResults = createResultsPort(() => Promise.reject(new Error('no results are posted here')))

/** What a component of the chat stands in: the page's thread, here from the first, and where `row` is given that message of it. */
export function InThread({
  results = noResults,
  row,
  path,
  children,
}: {
  readonly results?: ResultsPort
  readonly row?: Message
  readonly path?: readonly Message[]
  readonly children: ReactNode
}) {
  const [door] = useState(createThreadRuntimeRef)
  return (
    <ThreadRuntimeRefProvider value={door}>
      <ThreadHost results={results} door={door} />
      {row ? (
        <MessageScope message={row} index={path?.indexOf(row) ?? 0} isLast={path === undefined || path.at(-1) === row}>
          {children}
        </MessageScope>
      ) : (
        children
      )}
    </ThreadRuntimeRefProvider>
  )
}
