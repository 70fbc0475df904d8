'use client'

import { useState, type ReactNode } from 'react'
import { Button } from '@/components/ui/button'
import { CopyButton } from '@/components/ui/copy-button'
import { CodeBlock } from '@/components/ui/code-block'
import { TextButton } from '@/components/ui/text-button'
import type { SentencePart } from '@/lib/tools/tool'
import { Meta } from './call-meta'
import { Sentence } from './sentence'

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
  /** What the user did to the call so far. */
  readonly before: ReactNode
}

/** A call that no click can run: why, and what happens next. */
export function UnrunnableBody({ sentence, strategy, raw, told, onTell, onEdit, before }: UnrunnableBodyProps) {
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
        {told === '' ? null : <span>{told}</span>}
        {onTell || onEdit ? <span className="end">via {strategy}</span> : <span className="end row">{more}</span>}
      </Meta>
      {showRaw ? (
        <div className="card-body">
          <CodeBlock label="As the model wrote it" text={raw} />
        </div>
      ) : null}
      {onTell || onEdit ? (
        <div className="card-foot">
          {onEdit ? (
            <Button className="act" aria-keyshortcuts="E" onClick={onEdit}>
              Edit
            </Button>
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
