import { fitMarked } from '@/lib/shared/prompt/fit-window'
import { isHere, type ChatRow } from '@/lib/shared/conversation/message-tree'
import type { ContextMarks } from '@/lib/shared/conversation/settings/context-marks'
import { hasText } from '@/lib/shared/conversation/outline'
import { tokensOfRow, turnOf } from './count-tokens'

/** A place at which what is sent may begin. */
export interface CutSource {
  /** The message that is sent first, and its place in the branch. */
  readonly messageId: string
  readonly at: number
  /** The last one that is left out. */
  readonly through: string
  /** About how many tokens stand before it. */
  readonly before: number
}

/**
 * Where the person said something, answering no tool: nowhere else could a prompt begin without half a call. The last such
 * place is among them: what the person said last always stays.
 */
export function cutSources(path: readonly ChatRow[]): readonly CutSource[] {
  const places: CutSource[] = []
  let before = 0
  path.forEach((row, at) => {
    const last = path[at - 1]
    if (last && row.role === 'user' && isWord(row)) places.push({ messageId: row.id, at, through: last.id, before })
    before += tokensOfRow(row)
  })
  return places
}

const isWord = (row: ChatRow): boolean =>
  isHere(row) ? row.role === 'user' && row.results.length === 0 && hasText(row) : row.said

/** About half of the chat goes, and the last exchange stays where there are more. */
export function usualSource(places: readonly CutSource[], all: number): CutSource | undefined {
  return places.find(({ before }) => before >= all / 2) ?? places.at(-1)
}

/** What a compaction does to a branch. */
export interface SharedMessages {
  /** Places of what leaves, in their order. */
  readonly leaves: readonly number[]
  /** Places of what stays among them. */
  readonly stays: readonly number[]
  /** Tokens that are won, about; less than nothing where what stands in their place is longer. */
  readonly tokensWon: number
}

/** By the rule that the server follows. */
export function sharedContentBy(
  path: readonly ChatRow[],
  through: string,
  summary: string,
  pinned: ContextMarks['pinned'],
): SharedMessages {
  const turns = path.map((row) => turnOf(row, tokensOfRow(row)))
  const marks = { pinned, compactions: [{ through, summary, madeAt: 0 }] }
  const { compacted, pinned: kept, tokens } = fitMarked(turns, 0, null, marks)
  const to = compacted?.to ?? 0
  const stays = kept.filter((at) => at < to)
  const leaves = Array.from({ length: to }, (_, at) => at).filter((at) => !stays.includes(at))
  return { leaves, stays, tokensWon: turns.reduce((sum, turn) => sum + turn.tokens, 0) - tokens }
}
