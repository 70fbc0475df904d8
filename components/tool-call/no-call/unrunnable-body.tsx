'use client'

import { SaidText } from '@/components/ui/foreign-text'
import { useState, type ReactNode } from 'react'
import { Button } from '@/components/ui/button'
import { CopyButton } from '@/components/ui/copy-button'
import { CodeBlock } from '@/components/ui/code-block'
import { TextButton } from '@/components/ui/text-button'
import type { SentencePart } from '@/lib/tools/tool'
import { Meta } from '../card/call-meta'
import { Sentence } from '../sentence'

export interface UnrunnableBodyProps {
  readonly sentence: readonly SentencePart[]
  readonly strategy: string
  readonly raw: string
  /** What the model knows of it. */
  readonly told: string
  /** Offered when nothing else of the reply is open. */
  readonly onTell: (() => void) | null
  /** Offered where a person can mend the call. */
  readonly onEdit: (() => void) | null
  /** A no, for a call that can't run as it stands. */
  readonly onDeny: (() => void) | null
  readonly onReason: () => void
  /** Why the last click could not be carried out. */
  readonly problem: string | null
  /** What the user did to the call so far. */
  readonly before: ReactNode
}

/** A call that no click can run: why, and what happens next. */
export function UnrunnableBody(props: UnrunnableBodyProps) {
  const { sentence, strategy, raw, told, onTell, onEdit, onDeny, problem, before } = props
  const hasFoot = onTell !== null || onEdit !== null || onDeny !== null
  const [showRaw, setShowRaw] = useState(false)
  const more = (
    <>
      <TextButton aria-pressed={showRaw} onClick={() => setShowRaw(!showRaw)}>
        raw
      </TextButton>
      <CopyButton text={() => raw} />
    </>
  )
  return (
    <>
      <Sentence parts={sentence} />
      {before}
      <Meta>
        {told === '' ? null : (
          <span>
            <SaidText text={told} />
          </span>
        )}
        {hasFoot ? <span className="end">via {strategy}</span> : <span className="end row">{more}</span>}
      </Meta>
      {showRaw ? (
        <div className="card-body">
          <CodeBlock label="As the model wrote it" text={raw} />
        </div>
      ) : null}
      {problem ? (
        <p className="card-say trouble" role="alert">
          <SaidText text={problem} />
        </p>
      ) : null}
      {hasFoot ? (
        <div className="card-foot">
          {onEdit ? (
            <Button className="act" aria-keyshortcuts="E" onClick={onEdit}>
              Edit
            </Button>
          ) : null}
          {onDeny ? (
            <>
              <Button className="act" aria-keyshortcuts="Meta+Backspace Control+Backspace" onClick={onDeny}>
                Deny
              </Button>
              <TextButton className="with-reason" aria-keyshortcuts="R" onClick={props.onReason}>
                deny with a reason
              </TextButton>
            </>
          ) : null}
          {onTell ? (
            <Button className="act" onClick={onTell}>
              Tell the model
            </Button>
          ) : null}
          <span className="row end">{more}</span>
        </div>
      ) : showRaw ? null : (
        <div className="card-pad" />
      )}
    </>
  )
}
