'use client'

import { useMemo, useState } from 'react'
import { lazyPart } from '@/components/ui/page/lazy-part'
import { PlainText } from '@/components/ui/text/plain-text'
import { createBlockReader, hasReferences, splitBlocks } from './blocks'

const MarkdownBlocks = lazyPart(() => import('./markdown-blocks'), {
  look: 'silent',
  loading: (props) => <PlainText text={[...props.finished, ...props.open].join('').trim()} />,
  plain: (props) => <PlainText text={[...props.finished, ...props.open].join('').trim()} />,
})

/** Loads the Markdown parser before the first reply. */
export const preloadMarkdown = (): void => void MarkdownBlocks.preload()

export interface MarkdownProps {
  readonly text: string
  /** The text still grows: finished blocks stay, only the last one is parsed again. */
  readonly streaming: boolean
}

/** A model's Markdown. The parser is a separate chunk; until it is loaded, the text is shown as written. */
export function Markdown({ text, streaming }: MarkdownProps) {
  const [reader] = useState(createBlockReader)
  const blocks = useMemo(() => {
    if (streaming) return { ...reader.read(text), whole: null }
    return { finished: splitBlocks(text), open: [], whole: hasReferences(text) ? text : null }
  }, [reader, text, streaming])
  if (text.trim() === '') return null
  return (
    <div className="prose [.prose+&]:mt-4 [.stack+&]:mt-4">
      <MarkdownBlocks {...blocks} />
    </div>
  )
}
