'use client'

import { SaidText } from '@/components/ui/foreign-text'
import { Button } from '@/components/ui/button'
import { useChatActions, useConversation } from '@/components/context/chat-context'
import { emptyState, emptyTitle, row } from '@/components/ui/recipes/surface'

/** A conversation that does not exist, or not for this visitor: the server tells no difference. */
export function MissingView() {
  const { newChat } = useChatActions()
  const problem = useConversation((view) => view.problem)
  return (
    <div className={emptyState()}>
      <h2 className={emptyTitle()}>There is no such chat</h2>
      {problem ? (
        <p role="alert">
          <SaidText text={problem.message} />
        </p>
      ) : null}
      <p>It may have been deleted, or it belongs to another browser: chats are kept for the browser that made them.</p>
      <div className={row({}, 'mt-5')}>
        <Button onClick={newChat}>Start a new one</Button>
      </div>
    </div>
  )
}

export function FailedView() {
  const problem = useConversation((view) => view.problem)
  const id = useConversation((view) => view.id)
  const { open } = useChatActions()
  return (
    <div className={emptyState()} role="alert">
      <h2 className={emptyTitle()}>This chat could not be loaded</h2>
      <p>{problem?.message ?? 'The server did not answer.'} Nothing is lost: it is kept on the server.</p>
      <div className={row({}, 'mt-5')}>
        <Button onClick={() => open(id)}>Try again</Button>
      </div>
    </div>
  )
}
