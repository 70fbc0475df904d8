'use client'

import { SaidText } from '@/components/ui/foreign-text'
import { useState } from 'react'
import { Button } from '@/components/ui/button'
import { ConsoleLines } from '@/components/ui/console-lines'
import { CopyButton } from '@/components/ui/copy-button'
import { TextButton } from '@/components/ui/text-button'
import { formatDuration } from '@/lib/base/format-duration'
import { waitsFor } from '@/lib/sandbox/waits-for'
import { CallEvidence, evidenceText } from '../evidence/call-evidence'
import { Meta } from '../card/call-meta'
import { useCall } from '../card/call-scope'
import { unfinishedToldWords } from '../settled/told-words'

const SHOWN_LINES = 8

/** It runs, in this tab or in another one. */
export function RunningBody({ here }: { here: boolean }) {
  const { entry, tool, summary, timeoutMs, decide } = useCall()
  const { call, live } = entry
  const told = unfinishedToldWords(entry)
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
          <Button className="act" onClick={decide.stop}>
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
