'use client'

import { useState } from 'react'
import { Button } from '@/components/ui/button'
import { Icon } from '@/components/ui/icon'
import { TextButton } from '@/components/ui/text-button'
import type { BrokenSegment } from '@/lib/strategies/segment'
import { toolRegistry } from '@/lib/tools/registry'
import { Meta } from './call-meta'
import { BrokenText, placeOf } from './broken-text'
import { Sentence } from './sentence'
import { brokenWords, toolIcon } from './tool-words'

export interface BrokenCardProps {
  readonly broken: BrokenSegment
  readonly raw: string
  readonly strategy: string
  /** Null when the model can't be asked from here (the reply is not the last one, or not finished). */
  readonly onAsk: ((message: string) => void) | null
}

/** A call that can't be read: what is wrong and where, the text itself, and the ways on. */
export function BrokenCard({ broken, raw, strategy, onAsk }: BrokenCardProps) {
  const [left, setLeft] = useState(false)
  const [told, setTold] = useState(false)
  const { name } = broken
  const place = placeOf(raw, (broken.at ?? broken.end) - broken.start)
  return (
    <div className="card" role="group" aria-label="Broken tool call" data-call-card="broken" tabIndex={0}>
      <div className="card-head">
        <Icon name={name === undefined ? 'quote' : toolIcon(name, toolRegistry.get(name))} />
        <span className="tool cut">{name ?? 'a call'}</span>
        <span className="status bad">
          <Icon name="cut" />
          <b>can’t be read</b>
        </span>
      </div>
      <Sentence parts={[brokenWords[broken.reason]]} />
      <Meta>
        <span>
          line {place.line}, column {place.column}
        </span>
        <span>via {strategy}</span>
      </Meta>
      <BrokenText raw={raw} place={place} />
      {told ? <p className="card-say told">{broken.message}</p> : null}
      <div className="card-foot">
        {onAsk && !left ? (
          <>
            <Button className="act" onClick={() => onAsk(broken.message)}>
              Ask the model to fix it
            </Button>
            <Button look="quiet" className="act" onClick={() => setLeft(true)}>
              Leave it
            </Button>
          </>
        ) : null}
        <TextButton className="end" aria-expanded={told} onClick={() => setTold(!told)}>
          what the model {onAsk ? 'will be' : 'would be'} told
        </TextButton>
      </div>
    </div>
  )
}
