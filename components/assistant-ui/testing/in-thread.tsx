import type { ReactNode } from 'react'
import type { Message } from '@/lib/conversation/conversation'
import { createResultsPort, type ResultsPort } from '@/lib/client/results-port'
import { AssistantUiView } from '../assistant-ui-view'
import { MessageScope } from '../message-scope'

const none = createResultsPort(() => Promise.reject(new Error('no results are posted here')))

/** What a component of the chat stands in: the page's thread, and where `row` is given that message of it. */
export function InThread({
  results = none,
  row,
  path,
  children,
}: {
  readonly results?: ResultsPort
  readonly row?: Message
  readonly path?: readonly Message[]
  readonly children: ReactNode
}) {
  return (
    <AssistantUiView results={results}>
      {row ? (
        <MessageScope message={row} index={path?.indexOf(row) ?? 0} isLast={path === undefined || path.at(-1) === row}>
          {children}
        </MessageScope>
      ) : (
        children
      )}
    </AssistantUiView>
  )
}
