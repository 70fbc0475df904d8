'use client'

import { memo, useState } from 'react'
import { TextButton } from '@/components/ui/text-button'
import { useLanguage } from '@/components/ui/use-language'
import { readingSentence } from '@/lib/words/reading'
import { MarkdownBlock, MarkdownTree } from './mdast-blocks'
import { useTree } from './use-tree'

/** Blocks that are drawn at once; a page answers while it does. */
const step = 400

interface Props {
  readonly finished: readonly string[]
  readonly open: readonly string[]
  /** The text as one, where its blocks name each other; until it is read they stand alone. */
  readonly whole: string | null
}

/** Blocks keep their index as key: a block that finishes keeps its elements. */
export default function MarkdownBlocks({ finished, open, whole }: Props) {
  const { root } = useTree(whole)
  if (root) return <MarkdownTree root={root} open={false} />
  return (
    <>
      <Finished blocks={finished} />
      {open.map((block, index) => (
        <MarkdownBlock key={finished.length + index} text={block} open={index === open.length - 1} />
      ))}
    </>
  )
}

const Finished = memo(function Finished({ blocks }: { blocks: readonly string[] }) {
  useLanguage()
  const [limit, setLimit] = useState(step)
  const hidden = blocks.length - limit
  return (
    <>
      {blocks.slice(0, limit).map((block, index) => (
        <MarkdownBlock key={index} text={block} open={false} />
      ))}
      {hidden > 0 ? (
        <p>
          <TextButton onClick={() => setLimit(limit + step)}>
            {readingSentence('reading.more-paragraphs', { more: Math.min(step, hidden), total: hidden })}
          </TextButton>
        </p>
      ) : null}
    </>
  )
})
