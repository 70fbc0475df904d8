import type { RunEvent } from '@/lib/conversation/run-event'

interface Piece {
  readonly channel: 'text' | 'reasoning'
  text: string
}

/** PostgreSQL and SQLite take a delta of any size, but a reader's line should stay handy. */
const MAX_PIECE_CHARS = 64 * 1024

/** What a model wrote since the last look: what follows closely is one piece, each gets the run's next number. */
export function createRunPieces() {
  let pieces: Piece[] = []
  // The append wrote `start` as 1.
  let lastSeq = 1
  return {
    add(channel: Piece['channel'], text: string): void {
      const last = pieces.at(-1)
      if (last?.channel === channel && last.text.length < MAX_PIECE_CHARS) last.text += text
      else pieces.push({ channel, text })
    },
    isWaiting: () => pieces.length > 0,
    take(): readonly RunEvent[] {
      const taken = pieces
      pieces = []
      return taken.map(({ channel, text }) => ({ seq: (lastSeq += 1), type: 'delta', channel, text }))
    },
  }
}
