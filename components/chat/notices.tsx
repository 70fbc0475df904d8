'use client'

import { useAui } from '@assistant-ui/react'
import { SaidText } from '@/components/ui/foreign-text'
import { useContext, useState, useSyncExternalStore } from 'react'
import { Button } from '@/components/ui/button'
import { Icon } from '@/components/ui/icon'
import { IconButton } from '@/components/ui/icon-button'
import { PageIsOld } from '@/components/ui/part-failure'
import { hasReply } from '@/lib/conversation/message-tree'
import { isSecurePage } from '@/lib/wiring/browser'
import { useChat, useChatActions, useConversation } from '@/components/context/chat-context'
import { BranchNotice } from './load-thread'
import { note, notice } from '@/components/ui/recipes/note'

/** What stands between the thread and the composer: the network, and what the last request complained about. */
export function Notices() {
  const online = useChat((state) => state.online)
  const reconnecting = useConversation((view) => view.run?.connection === 'reconnecting')
  const begun = useConversation((view) => hasReply(view.tree))
  const cutOff = !online || reconnecting
  const settingsProblem = useConversation((view) => view.conversation?.settingsProblem ?? null)
  return (
    <>
      <InsecureNotice />
      <UpdatedNotice />
      {settingsProblem ? (
        <p className={note({}, 'pb-2')}>
          <Icon name="warn" />
          {settingsProblem}
        </p>
      ) : null}
      {cutOff ? (
        <p className={note({}, 'pb-2')} role="status">
          <Icon name="cut" />
          {reconnecting
            ? 'The connection broke. The reply goes on at the server; this page joins it again by itself.'
            : 'You are offline, or the server is. What you type is kept; this page tries again by itself.'}
        </p>
      ) : null}
      {begun ? <BranchNotice /> : null}
      <ProblemNotice cutOff={cutOff} />
    </>
  )
}

/** What can be tried again waits until trying makes sense: until then one banner says what there is to say. */
function ProblemNotice({ cutOff }: { cutOff: boolean }) {
  const problem = useConversation((view) => view.problem)
  const shown = useConversation((view) => view.phase === 'ready' || view.phase === 'new')
  const end = useConversation((view) => view.path.at(-1)?.id ?? null)
  const { dismissProblem } = useChatActions()
  const aui = useAui()
  if (!problem || !shown || (cutOff && problem.canRetry)) return null
  return (
    <div className={banner({ tone: 'bad' })} role="alert">
      <Icon name="warn" />
      <p className="flex-1 text-pretty">
        <SaidText text={problem.message} />
      </p>
      {problem.canRetry ? <Button onClick={() => aui.thread.startRun({ parentId: end })}>Retry</Button> : null}
      <IconButton icon="cross" label="Dismiss" onClick={dismissProblem} />
    </div>
  )
}

/** The server is another version than this page. Nobody is made to reload: what runs or is being edited would end. */
function UpdatedNotice() {
  const isOld = useContext(PageIsOld)
  const running = useConversation((view) =>
    [...view.live.values()].some(({ outcome, problem }) => !outcome && !problem),
  )
  const [dismissed, setDismissed] = useState(false)
  if (!isOld || dismissed) return null
  return (
    <div className={banner()} role="status">
      <Icon name="again" />
      <p className="flex-1 text-pretty">
        Nod was updated, reload when it suits you. Messages, waiting calls and what you typed in the field below are
        kept
        {running ? '; the call that runs in this page would be stopped.' : '.'}
      </p>
      <Button onClick={() => window.location.reload()}>Reload</Button>
      <IconButton icon="cross" label="Dismiss" onClick={() => setDismissed(true)} />
    </div>
  )
}

const banner = (look: { tone?: 'bad' | 'warn' } = {}) => notice({ ...look, size: 'banner' }, 'mb-2')

const never = () => () => {}

function InsecureNotice() {
  const secure = useSyncExternalStore(never, isSecurePage, () => true)
  if (secure) return null
  return (
    <div className={banner({ tone: 'warn' })} role="alert">
      <Icon name="warn" />
      <p className="flex-1 text-pretty">
        Nod needs HTTPS or localhost: over plain http this browser has no locks and no sealed frames, so calls can be
        read but not run. Open this page by its https address, or on the machine itself as localhost.
      </p>
    </div>
  )
}
