'use client'

import { useMemo, useState } from 'react'
import { TextButton } from '@/components/ui/controls/button'
import { useLanguage } from '@/components/ui/page/use-language'
import { t } from '@/lib/i18n/t'
import { MarkdownBlock, NotesBelow, useNamed } from './mdast-blocks'
import { slicesOf } from './slices'
import { useTree } from './use-tree'

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
