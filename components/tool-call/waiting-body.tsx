'use client'

import { useMemo, useState, type RefObject } from 'react'
import { Button } from '@/components/ui/button'
import { CodeBlock } from '@/components/ui/code-block'
import { CopyButton } from '@/components/ui/copy-button'
import { Kbd } from '@/components/ui/kbd'
import { TextButton } from '@/components/ui/text-button'
import type { CallSegment } from '@/lib/strategies/segment'
import type { CallSummary, ToolDefinition } from '@/lib/tools/tool'
import { CallEvidence, evidenceText } from './call-evidence'
import { CallMeta } from './call-meta'
import { ReasonField } from './reason-field'
import { Sentence } from './sentence'
import { useCurrentFile } from './use-current-file'

export interface WaitingBodyProps {
  readonly conversationId: string
  readonly card: RefObject<HTMLElement | null>
  readonly call: CallSegment
  readonly tool: ToolDefinition | undefined
  /** As far as the arguments alone say. */
  readonly summary: CallSummary | null
  readonly strategy: string
  readonly raw: string
  /** A sentence when the last click could not be carried out. */
  readonly problem: string | null
  /** The one filled button on screen, with its key hints. */
  readonly current: boolean
  readonly reasonOpen: boolean
  readonly onRun: () => void
  readonly onDeny: (reason: string) => void
  readonly onReason: (open: boolean) => void
}

export function WaitingBody(props: WaitingBodyProps) {
  const { call, tool, raw, current, card } = props
  const [showRaw, setShowRaw] = useState(false)
  const path = props.summary?.body.kind === 'diff' ? props.summary.body.path : null
  const file = useCurrentFile(props.conversationId, path, card)
  const summary = useMemo(() => {
    if (!tool || file === undefined) return props.summary
    const seen = tool.summarize(call.arguments, file && { text: file.text ?? '', size: file.size })
    // Without the text of the file there is nothing to compare with; its size still says that it is replaced.
    return seen.body.kind === 'diff' && file?.text === null ? { ...seen, body: { ...seen.body, before: null } } : seen
  }, [tool, call, file, props.summary])
  return (
    <>
      <Sentence parts={summary?.sentence ?? [`Run `, { code: call.name }]} />
      <CallMeta call={call} tool={tool} strategy={props.strategy} />
      {props.problem ? (
        <p className="card-say trouble" role="alert">
          {props.problem}
        </p>
      ) : null}
      {showRaw ? (
        <div className="card-body">
          <CodeBlock label="As the model wrote it" text={raw} />
        </div>
      ) : (
        <CallEvidence summary={summary} args={call.arguments} />
      )}
      {props.reasonOpen ? (
        <ReasonField onDeny={props.onDeny} onCancel={() => props.onReason(false)} />
      ) : (
        <div className="card-foot">
          <Button
            look={current ? 'go' : 'go-next'}
            wide
            className="act"
            aria-keyshortcuts="Meta+Enter Control+Enter"
            onClick={props.onRun}
          >
            Run {current ? <Kbd keys="mod+enter" /> : null}
          </Button>
          <Button
            wide
            className="act"
            aria-keyshortcuts="Meta+Backspace Control+Backspace"
            onClick={() => props.onDeny('')}
          >
            Deny {current ? <Kbd keys="mod+backspace" /> : null}
          </Button>
          <TextButton className="with-reason" aria-keyshortcuts="R" onClick={() => props.onReason(true)}>
            deny with a reason
          </TextButton>
          <span className="row end">
            <TextButton aria-pressed={showRaw} onClick={() => setShowRaw(!showRaw)}>
              raw
            </TextButton>
            <CopyButton text={() => (showRaw ? raw : evidenceText(summary, call.arguments))} />
          </span>
        </div>
      )}
    </>
  )
}
