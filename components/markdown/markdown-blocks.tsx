'use client'

import { useEffect, useMemo, useState } from 'react'
import { TextButton } from '@/components/ui/controls/button'
import { useLanguage } from '@/components/ui/page/use-language'
import { t } from '@/lib/i18n/t'
import { MarkdownBlock, NotesBelow, useNamed } from './mdast-blocks'
import { useTree } from './reader'
import type { MarkdownRoot } from './read-markdown'

/** Blocks that are rendered at once; the page stays responsive. */
const step = 400

/**
 * Characters that are slow to render: invisible ones have an element each; emoji and letters with combining marks are
 * shaped one by one.
 */
const costly = /[\p{Cf}\p{Cn}\p{Co}\p{Cs}\p{M}\p{Extended_Pictographic}\u{1f1e6}-\u{1f1ff}]/gu
/** The most of them per frame, but at least one block; 10,000 take about 100 ms. */
const costlyAFrame = 3_000

/** How many blocks may be rendered: all ordinary ones at once, slow ones a few more in each frame. */
function useBlocksInTime(blocks: readonly string[]): number {
  const [frames, setFrames] = useState(1)
  const costs = useMemo(() => blocks.map((block) => block.match(costly)?.length ?? 0), [blocks])
  let room = frames * costlyAFrame
  let count = 0
  for (const cost of costs) {
    if (room <= 0) break
    room -= cost
    count += 1
  }
  const isWaiting = count < blocks.length
  useEffect(() => {
    if (!isWaiting) return
    const frame = requestAnimationFrame(() => setFrames(frames + 1))
    return () => cancelAnimationFrame(frame)
  }, [isWaiting, frames])
  return count
}

interface Props {
  readonly finished: readonly string[]
  readonly open: readonly string[]
  /**
   * The whole text, if its blocks refer to each other (all are finished then). Until it is parsed, each block is parsed
   * alone.
   */
  readonly whole: string | null
}

/**
 * Blocks use their index as key in one list, so a block keeps its elements when it is finished and when the whole text
 * is parsed. Scroll position, open sections and focus are in these elements.
 */
export default function MarkdownBlocks({ finished, open, whole }: Props) {
  useLanguage()
  const { root } = useTree(whole)
  const named = useNamed(root)
  const parts = useMemo(
    () => root && slicesOf(root, finished).map((slice) => ({ root: slice, named })),
    [root, finished, named],
  )
  const [limit, setLimit] = useState(step)
  // A parsed tree is never larger than what a page renders at once.
  const hidden = parts ? 0 : finished.length - limit
  const inTime = useBlocksInTime(finished)
  const drawn = useMemo(
    () =>
      finished
        .slice(0, parts ? inTime : Math.min(limit, inTime))
        .map((block, index) => <MarkdownBlock key={index} text={block} open={false} part={parts?.[index]} />),
    [finished, limit, parts, inTime],
  )
  const more =
    hidden > 0 ? (
      <p key="more">
        <TextButton onClick={() => setLimit(limit + step)}>
          {t('reading.more-paragraphs', { more: Math.min(step, hidden), total: hidden })}
        </TextButton>
      </p>
    ) : null
  const last = open.map((block, index) => (
    <MarkdownBlock key={finished.length + index} text={block} open={index === open.length - 1} />
  ))
  return (
    <>
      {[...drawn, more, ...last]}
      {parts ? <NotesBelow named={named} /> : null}
    </>
  )
}

/**
 * Splits a text that was parsed as a whole into its blocks, whose concatenation is the text, so that each block is
 * rendered where it was before. A node that spans several blocks is in the first of them, and the others are empty.
 */
export function slicesOf(root: MarkdownRoot, blocks: readonly string[]): readonly MarkdownRoot[] {
  const slices = blocks.map((): MarkdownRoot => ({ type: 'root', children: [] }))
  let at = 0
  let end = blocks[0]?.length ?? 0
  for (const node of root.children) {
    const begins = node.position?.start.offset ?? 0
    while (begins >= end && at < blocks.length - 1) {
      at += 1
      end += blocks[at]?.length ?? 0
    }
    slices[at]?.children.push(node)
  }
  return slices
}
