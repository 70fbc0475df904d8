'use client'

import { useState } from 'react'
import { CodeBlock } from '@/components/ui/code-block'
import { CopyButton } from '@/components/ui/copy-button'
import { Icon } from '@/components/ui/icon'
import { TextButton } from '@/components/ui/text-button'
import type { CallSegment } from '@/lib/strategies/segment'
import type { QuotePlace } from './message-parts'
import { greyWords } from './tool-words'

export interface GreyCardProps {
  readonly call: CallSegment
  readonly strategy: string
  readonly raw: string
  readonly place: QuotePlace
}

/** Something that looks like a call and is none here: an example, or another format. It can't run. */
export function GreyCard({ call, strategy, raw, place }: GreyCardProps) {
  const [showRaw, setShowRaw] = useState(false)
  return (
    <div className="card grey" role="group" aria-label={`Tool call: ${call.name}`}>
      <div className="card-head">
        <Icon name="quote" />
        <span className="tool">{call.name}</span>
        <span className="what cut">{greyWords(call, strategy, place)}</span>
        <span className="end" />
        <TextButton aria-expanded={showRaw} onClick={() => setShowRaw(!showRaw)}>
          raw
        </TextButton>
        <CopyButton text={() => raw} />
      </div>
      {showRaw ? (
        <div className="card-body flush">
          <CodeBlock label="As the model wrote it" text={raw} />
        </div>
      ) : null}
    </div>
  )
}
