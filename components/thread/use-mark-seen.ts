'use client'

import { useEffect, useMemo } from 'react'
import { useOlder } from '@/components/context/use-older'
import { useConversation } from '@/components/context/chat-context'
import { isHere, type ChatRow } from '@/lib/shared/conversation/chat-row'

/** Messages around those in view that are asked for along with them: a page of scrolling, and then some. */
const around = 40

/** How long a view must rest before it is looked at: what only flies by, or stands there before the first scroll, is not. */
const restMs = 60

/** Asks for those of a few rows that are not here, however far up the reader looks. Gives whether one is lacking. */
export function useScrollAnchor(rows: readonly ChatRow[]): boolean {
  const older = useOlder()
  useEffect(() => {
    const absent = rows.filter((row) => !isHere(row))
    if (absent.length > 0) older.need(absent.map(({ id }) => id))
  }, [older, rows])
  return !rows.every(isHere)
}

/**
 * Asks for the messages of the path from `start` to `end` (not included), in view, and for those around them, where they are
 * not here. Gives whether one in view is lacking.
 */
export function useMarkSeen(path: readonly ChatRow[], start: number, end: number): boolean {
  const aged = useConversation((view) => view.aged)
  const older = useOlder()
  const { ids, lacking } = useMemo(() => {
    const isWanted = (row: ChatRow) => !isHere(row) || aged.has(row.id)
    // A reply is shown with the message behind it.
    const inView = path.slice(start, end + 1)
    const isNear = inView.some(isWanted) || path.slice(Math.max(0, start - around / 2), start).some(isWanted)
    const wanted = isNear
      ? [
          ...inView.toReversed(),
          ...path.slice(Math.max(0, start - around), start).toReversed(),
          ...path.slice(end + 1, end + around),
        ]
      : []
    return {
      ids: wanted.filter(isWanted).map(({ id }) => id),
      lacking: inView.some((row) => !isHere(row)),
    }
  }, [path, start, end, aged])
  useEffect(() => {
    const rest = setTimeout(() => older.look(ids), restMs)
    return () => clearTimeout(rest)
  }, [older, ids])
  return lacking
}
