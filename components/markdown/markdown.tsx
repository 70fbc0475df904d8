'use client'

import { SaidText } from '@/components/ui/foreign-text'
import { Suspense, lazy, useMemo, useState } from 'react'
import { createBlockReader, hasReferences, splitBlocks } from './blocks'

const MarkdownBlocks = lazy(() => import('./markdown-blocks'))

export interface MarkdownProps {
  readonly text: string
  /** The text still grows: finished blocks stay as they are, only the last one is read again. */
  readonly streaming: boolean
}

/** Markdown of a model. The reader is a chunk of its own; until it is here the text shows as written. */
export function Markdown({ text, streaming }: MarkdownProps) {
  const [reader] = useState(createBlockReader)
  const blocks = useMemo(() => {
    if (!streaming && hasReferences(text)) return { finished: [text], open: [] }
    return streaming ? reader.read(text) : { finished: splitBlocks(text), open: [] }
  }, [reader, text, streaming])
  if (text.trim() === '') return null
  return (
    <div className="prose">
      <Suspense
        fallback={
          <p className="plain-text">
            <SaidText text={text.trim()} />
          </p>
        }
      >
        <MarkdownBlocks finished={blocks.finished} open={blocks.open} />
      </Suspense>
    </div>
  )
}
