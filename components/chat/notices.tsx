'use client'

import { SaidText } from '@/components/ui/foreign-text'
import { Suspense, lazy, useSyncExternalStore } from 'react'
import { Button } from '@/components/ui/button'
import { Icon } from '@/components/ui/icon'
import { IconButton } from '@/components/ui/icon-button'
import { isSecurePage } from '@/lib/wiring/browser'
import { useChat, useChatActions } from './chat-context'

const BranchNotice = lazy(() => import('@/components/files/branch-notice'))

/** What stands between the thread and the composer: the network, and what the last request complained about. */
export function Notices() {
  const online = useChat((state) => state.online)
  const reconnecting = useChat((state) => state.view.run?.connection === 'reconnecting')
  const begun = useChat((state) => state.view.tree.size > 0)
  const settingsProblem = useChat((state) => state.view.conversation?.settingsProblem ?? null)
  return (
    <>
      <InsecureNotice />
      {settingsProblem ? (
        <p className="note-line">
          <Icon name="warn" />
          {settingsProblem}
        </p>
      ) : null}
      {!online || reconnecting ? (
        <p className="note-line" role="status">
          <Icon name="cut" />
          {reconnecting
            ? 'The connection broke. The reply goes on at the server; this page joins it again by itself.'
            : 'You are offline, or the server is. What you type is kept; this page tries again by itself.'}
        </p>
      ) : null}
      {begun ? (
        <Suspense>
          <BranchNotice />
        </Suspense>
      ) : null}
      <ProblemNotice />
    </>
  )
}

function ProblemNotice() {
  const problem = useChat((state) => state.view.problem)
  const shown = useChat((state) => state.view.phase === 'ready' || state.view.phase === 'new')
  const actions = useChatActions()
  if (!problem || !shown) return null
  return (
    <div className="notice bad problem" role="alert">
      <Icon name="warn" />
      <p>
        <SaidText text={problem.message} />
      </p>
      {problem.canRetry ? <Button onClick={actions.retry}>Retry</Button> : null}
      <IconButton icon="cross" label="Dismiss" onClick={actions.dismissProblem} />
    </div>
  )
}

const never = () => () => {}

function InsecureNotice() {
  const secure = useSyncExternalStore(never, isSecurePage, () => true)
  if (secure) return null
  return (
    <div className="notice warn problem" role="alert">
      <Icon name="warn" />
      <p>
        Nod needs HTTPS or localhost: over plain http this browser has no locks and no sealed frames, so calls can be
        read but not run. Open this page by its https address, or on the machine itself as localhost.
      </p>
    </div>
  )
}
