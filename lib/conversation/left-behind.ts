import type { ResultRelease } from './conversation'

/** Said of a result that waited for a look, or came after the user had written something else. */
export const LEFT_BEHIND = 'the user wrote something else'

export const leftBehind = (now: number): ResultRelease => ({ kind: 'withheld', note: LEFT_BEHIND, releasedAt: now })

export const isLeftBehind = (release: ResultRelease | null): boolean =>
  release?.kind === 'withheld' && release.note === LEFT_BEHIND
