'use client'

import { memo } from 'react'
import { MarkdownBlock } from './mdast-blocks'

interface Props {
  readonly finished: readonly string[]
  readonly open: readonly string[]
}

/** Blocks keep their index as key: a block that finishes keeps its elements. */
export default function MarkdownBlocks({ finished, open }: Props) {
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
  return blocks.map((block, index) => <MarkdownBlock key={index} text={block} open={false} />)
})
