'use client'

import type { RefObject } from 'react'
import { useCallActions } from '@/components/chat/chat-context'
import { Button } from '@/components/ui/button'
import type { CallSummary, ToolDefinition } from '@/lib/tools/tool'
import type { CallCardProps } from './call-card'
import { Meta } from './call-meta'
import { RunningBody } from './running-body'
import { DeniedBody, FailedBody, OutcomeTabs, SkippedBody, UnsettledBody } from './settled-body'
import { problemWords, unfinishedWords } from './tool-words'
import { UnrunnableBody } from './unrunnable-body'
import { WaitingBody } from './waiting-body'

export interface CallBodyProps extends CallCardProps {
  readonly card: RefObject<HTMLElement | null>
  readonly tool: ToolDefinition | undefined
  readonly summary: CallSummary | null
  readonly reasonOpen: boolean
  readonly onReason: (open: boolean) => void
  readonly onRun: () => void
  readonly onDeny: (reason: string) => void
}

/** What stands below the head, by state. */
export function CallBody(props: CallBodyProps) {
  const { messageId, entry, summary, tool, strategy, raw } = props
  const { slot, call, state, live, problem } = entry
  const actions = useCallActions()
  const tell = () => actions.tellModel(messageId, slot)
  const parts = { call, summary }
  switch (state.status) {
    case 'awaiting_approval':
      return <WaitingBody {...props} call={call} problem={problem} />
    case 'queued':
      return (
        <>
          <Meta>
            <span>It runs when the calls before it are through.</span>
          </Meta>
          <div className="card-foot flat">
            <Button className="act" onClick={() => actions.stop(messageId, slot)}>
              Don’t run
            </Button>
          </div>
        </>
      )
    case 'executing':
      return (
        <RunningBody
          {...parts}
          tool={tool}
          live={live}
          here={state.here}
          timeoutMs={props.timeoutMs}
          onStop={() => actions.stop(messageId, slot)}
        />
      )
    case 'completed':
    case 'awaiting_result_approval':
    case 'result_rejected':
      return (
        <>
          <OutcomeTabs {...parts} outcome={state.outcome} />
          <Trouble problem={problem} onRetry={tell} />
        </>
      )
    case 'error':
      return (
        <>
          <FailedBody {...parts} outcome={state.outcome} posted={state.posted} />
          <Trouble problem={problem} onRetry={tell} />
        </>
      )
    case 'execution_rejected':
      return <DeniedBody {...parts} reason={state.reason} posted={state.posted} />
    case 'skipped':
      return <SkippedBody {...parts} />
    case 'cancelled':
    case 'interrupted':
      return (
        <UnsettledBody
          {...parts}
          kind={state.status}
          settled={state.settled}
          posted={state.posted}
          touchesFiles={tool?.capabilities.files === 'write'}
          outcome={state.status === 'cancelled' ? state.outcome : null}
          onRunAgain={() => actions.runAgain(messageId, slot)}
          onTell={tell}
        />
      )
    case 'not_found':
    case 'not_runnable':
      return (
        <UnrunnableBody
          sentence={call.problem ? problemWords(call, call.problem).sentence : ['It can’t run.']}
          strategy={strategy}
          raw={raw}
          told={
            state.posted
              ? 'The model was told, and can try again.'
              : props.canTell
                ? 'The model has not been told yet.'
                : 'The model is told together with the other results.'
          }
          onTell={!state.posted && props.canTell ? tell : null}
        />
      )
    case 'pending':
    case 'not_offered':
      return (
        <UnrunnableBody
          sentence={[state.status === 'pending' ? 'The reply is still being written.' : unfinishedWords[state.outcome]]}
          strategy={strategy}
          raw={raw}
          told=""
          onTell={null}
        />
      )
  }
}

/** An outcome that the server does not have yet. */
function Trouble({ problem, onRetry }: { problem: string | null; onRetry: () => void }) {
  if (!problem) return null
  return (
    <div className="card-foot trouble-foot">
      <p className="trouble" role="alert">
        {problem}
      </p>
      <Button className="act end" onClick={onRetry}>
        Try again
      </Button>
    </div>
  )
}
