import { isOver } from '@/lib/base/clocks'
import { isHere, type ChatRow } from '@/lib/shared/conversation/message-tree'
import type { Message, UserMessage } from '@/lib/shared/conversation/conversation'
import type { Grant } from '@/lib/shared/conversation/call-record'
import { lastTextAt } from '@/lib/shared/conversation/outline'
import type { CopyScope } from '@/lib/shared/conversation/copy-scopes'

/*
 * Work on a copy: calls run automatically on a copy of the files, and one decision at the end says what is kept. A
 * grant of the kind `copy` is the row that both sides check a decision against. The files and the copy are in one
 * browser only.
 */

/** The most paths that a copy's end names. */
export const maxLeftOut = 20

/** An open copy: a grant that was not ended. */
export type OpenCopy = Grant & { readonly scope: CopyScope }

const isCopy = (grant: Grant): grant is OpenCopy => grant.scope.kind === 'copy'

/** Neither withdrawn, expired nor used up. `now` in epoch milliseconds. */
export const isGrantActive = ({ revokedAt, expiresAt, scope, uses }: Grant, now: number): boolean =>
  revokedAt === null &&
  (expiresAt === undefined || !isOver(expiresAt, now)) &&
  (scope.kind !== 'effects' || uses < scope.runs)

/** The copy that the chat works on; null: none. */
export const openCopy = (grants: readonly Grant[]): OpenCopy | null =>
  grants.find((grant): grant is OpenCopy => isCopy(grant) && grant.revokedAt === null) ?? null

/** Tasks of the chat work on a copy: one is open, or a grant begins them. */
export const worksOnCopy = (grants: readonly Grant[], now: number): boolean =>
  openCopy(grants) !== null || grants.some((grant) => grant.scope.kind === 'effects' && isGrantActive(grant, now))

/** The user chose a copy with the last message of the path, and none has begun for its task. */
export function isCopyChosen(grants: readonly Grant[], path: readonly ChatRow[]): boolean {
  const at = lastTextAt(path)
  const message = path[at]
  if (!isHere(message) || message.role !== 'user' || !message.onCopy) return false
  const task = new Set(path.slice(at).map(({ id }) => id))
  return openCopy(grants) === null && !grants.some((grant) => isCopy(grant) && task.has(grant.givenOn?.messageId ?? ''))
}

/** The copy that ended last, as long as no message followed; null: none. */
export const justEnded = (grants: readonly Grant[], path: readonly ChatRow[]): OpenCopy | null => {
  const last = path.at(-1)
  const since = last && isHere(last) ? last.createdAt : Infinity
  return grants.findLast((grant): grant is OpenCopy => isCopy(grant) && (grant.revokedAt ?? 0) > since) ?? null
}

/**
 * The notes for the model in the message after `parent`: the copies that have ended in this branch since then. `path`:
 * root → parent, maybe without its first messages.
 */
export function endedCopy(
  grants: readonly Grant[],
  path: readonly Message[],
  isCut: boolean,
): Pick<UserMessage, 'copyEnd'> {
  const parent = path.at(-1)
  if (!parent) return {}
  const isOfBranch = ({ givenOn }: Grant) => isCut || path.some(({ id }) => id === givenOn?.messageId)
  const ended = grants.findLast(
    (grant): grant is OpenCopy =>
      isCopy(grant) && grant.revokedAt !== null && grant.revokedAt > parent.createdAt && isOfBranch(grant),
  )
  const { under, end } = ended?.scope ?? {}
  // A task that changed nothing ended its own copy: there was no decision.
  return end && !(under !== undefined && end.changed === 0) ? { copyEnd: end } : {}
}
