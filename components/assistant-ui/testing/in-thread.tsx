import type { ReactNode } from 'react'
import type { Message } from '@/lib/shared/conversation/conversation'
import { MessageScope, AssistantThread } from '../message-scope'

/** Renders a component inside the page's thread and, if `row` is given, inside that message. */
export function InThread({
  row,
  path,
  children,
}: {
  readonly row?: Message
  readonly path?: readonly Message[]
  readonly children: ReactNode
}) {
  return (
    <AssistantThread>
      {row ? (
        <MessageScope message={row} index={path?.indexOf(row) ?? 0} isLast={path === undefined || path.at(-1) === row}>
          {children}
        </MessageScope>
      ) : (
        children
      )}
    </AssistantThread>
  )
}
