'use client'

import { SaidText } from '@/components/ui/foreign-text'
import { useState } from 'react'
import { Button } from '@/components/ui/button'
import { ConsoleLines } from '@/components/ui/console-lines'
import { CopyButton } from '@/components/ui/copy-button'
import { TextButton } from '@/components/ui/text-button'
import { formatDuration } from '@/lib/base/format-duration'
import type { LiveCall } from '@/lib/client/state'
import { waitsFor } from '@/lib/sandbox/waits-for'
import type { CallSegment } from '@/lib/strategies/segment'
import type { CallSummary, ToolDefinition } from '@/lib/tools/tool'
import { CallEvidence, evidenceText } from '../evidence/call-evidence'
import { Meta } from '../card/call-meta'

const SHOWN_LINES = 8

export interface RunningBodyProps {
  readonly call: CallSegment
  readonly tool: ToolDefinition | undefined
  readonly summary: CallSummary | null
  readonly live: LiveCall | undefined
  readonly here: boolean
  readonly timeoutMs: number
  /** The user wrote on: what the model was told of it; null while nobody did. */
  readonly told: string | null
  readonly onStop: () => void
}

export function RunningBody({ call, tool, summary, live, here, timeoutMs, told, onStop }: RunningBodyProps) {
  const [showCall, setShowCall] = useState(false)
  const waiting = waitsFor(live?.events ?? [])
  const lines = (live?.events ?? []).flatMap((event) => (event.type === 'console' ? [event] : []))
  return (
    <>
      <Meta>
        <span>{here ? 'in your browser' : 'in another tab of your browser'}</span>
        {tool ? <span>network: {tool.capabilities.network}</span> : null}
        <span>stops by itself after {formatDuration(timeoutMs).replace('.0 s', ' s')}</span>
      </Meta>
      {told === null ? null : (
        <Meta>
          <span>
            <SaidText text={told} />
          </span>
        </Meta>
      )}
      {waiting === '' ? null : (
        <p className="card-body muted" role="status">
          {waiting} …
        </p>
      )}
      {lines.length > 0 ? (
        <div className="card-body">
          <ConsoleLines lines={lines} last={SHOWN_LINES} />
        </div>
      ) : null}
      {showCall ? <CallEvidence summary={summary} args={call.arguments} /> : null}
      <div className="card-foot">
        {here ? (
          <Button className="act" onClick={onStop}>
            Stop
          </Button>
        ) : null}
        <span className="row end">
          <TextButton aria-pressed={showCall} onClick={() => setShowCall(!showCall)}>
            {summary?.body.kind === 'code' ? 'code' : 'call'}
          </TextButton>
          <CopyButton text={() => evidenceText(summary, call.arguments)} />
        </span>
      </div>
    </>
  )
}
