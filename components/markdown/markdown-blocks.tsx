'use client'

import { useMemo, useState } from 'react'
import { TextButton } from '@/components/ui/controls/button'
import { useLanguage } from '@/components/ui/page/use-language'
import { t } from '@/lib/i18n/t'
import { MarkdownBlock, NotesBelow, useNamed } from './mdast-blocks'
import { useTree } from './reader'
import type { MarkdownRoot } from './read-markdown'

/** Blocks that are drawn at once; a page answers while it does. */
const step = 400

interface Props {
  readonly finished: readonly string[]
  readonly open: readonly string[]
  /** The text as one, where its blocks name each other (all are finished then); until it is read they stand alone. */
  readonly whole: string | null
}

/**
 * Blocks keep their index as key, in one list: a block keeps its elements when it is finished, and when the text has been read as a
 * whole. What a person scrolled, unfolded or reached by the keyboard is in them.
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
  // A tree that was read is no larger than what a page draws at once.
  const hidden = parts ? 0 : finished.length - limit
  const drawn = useMemo(
    () =>
      finished
        .slice(0, parts ? undefined : limit)
        .map((block, index) => <MarkdownBlock key={index} text={block} open={false} part={parts?.[index]} />),
    [finished, limit, parts],
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
 * What of a text that was read as a whole stands in each of its blocks, which joined are the text: so that each is drawn in the place
 * that it had alone. What spans several blocks stands in the first of them, and the others have nothing.
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
