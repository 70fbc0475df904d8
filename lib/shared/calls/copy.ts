import type { Grant, Message, UserMessage } from '@/lib/shared/conversation/conversation'

/*
 * Work on a copy: calls run automatically on a copy of the files, and one decision at the end says what is kept. A
 * grant of the kind `copy` is the row that both sides check a decision against. The files and the copy are in one
 * browser only.
 */

/** The most paths that a copy's end names. */
export const maxLeftOut = 20

/** An open copy: a grant that was not ended. */
export type OpenCopy = Grant & { readonly scope: { readonly kind: 'copy' } }

const isCopy = (grant: Grant): grant is OpenCopy => grant.scope.kind === 'copy'

/** The copy that the chat works on; null: none. */
export const openCopy = (grants: readonly Grant[]): OpenCopy | null =>
  grants.find((grant): grant is OpenCopy => isCopy(grant) && grant.revokedAt === null) ?? null

/**
 * What the model must be told with the message after `parent`: a copy ended since then, in this branch. `path`: root →
 * parent, maybe without its first messages.
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
  return ended?.scope.end ? { copyEnd: ended.scope.end } : {}
}
