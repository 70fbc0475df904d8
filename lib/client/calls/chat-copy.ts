import type { CallActions, CopyWord } from '@/lib/client/chats/actions'
import { withRetry } from '@/lib/client/api/api-client'
import type { CopyChanges, FilesCopy } from '@/lib/vfs/copy/files-copy'
import type { ConversationState } from '@/lib/client/state/state'
import { maxLeftOut, openCopy } from '@/lib/shared/calls/copy'
import type { CopyEnd } from '@/lib/shared/conversation/conversation'
import { refusalText, t } from '@/lib/i18n/t'
import type { CallPage } from './call-page'
import { openReply } from './open-reply'
import { click } from './call-jobs'
import { giveGrant } from './call-changes'
import { sendWhenIdle } from './call-page'
import { startCalls } from './start-calls'
import { foreignErrorText } from './run-call'

const TRIES = 3

/** The Web Lock of the decision on a copy: of two tabs that decide at once, one succeeds. */
const lockName = (copyId: string): string => `nod:copy:${copyId}`

/** True if a call of the chat was granted and has not returned. */
const runsNow = ({ calls }: Pick<ConversationState, 'calls'>): boolean =>
  [...calls.values()].some(({ decision, outcome, stopped }) => decision === 'run' && !outcome && !stopped?.outcome)

/** Begins the chat's work on a copy of its files, and ends it. */
export function createCopyActions(page: CallPage): Pick<CallActions, 'workOnCopy' | 'endCopy'> {
  const { ports, jobs } = page
  const patiently = { tries: TRIES, wait: ports.wait }

  async function carryOut(copyId: string, word: CopyWord): Promise<string | null> {
    const { shownId: conversationId, open } = ports.getState()
    const view = open.get(conversationId)
    if (!view || openCopy(view.grants)?.id !== copyId) return t('copy.decided')
    if (runsNow(view)) return t('copy.still-runs')
    const runtime = await ports.runtime(conversationId)
    const copy = runtime.openCopy?.(copyId)
    if (!copy) return t('copy.none-here')
    const end = await settle(
      copy,
      word,
      view.path.map(({ id }) => id),
    )
    if (typeof end === 'string') return end
    const answer = await withRetry(() => ports.api.endCopy(conversationId, copyId, end), patiently)
    if (!answer.ok) return answer.error.message
    ports.dispatch({ type: 'grant-changed', conversationId, grant: answer.value })
    // Remaining data is never read again, and is deleted with the chat.
    await runtime.dropCopy?.(copyId).catch(() => {})
    const { scope } = answer.value
    return scope.kind === 'copy' && scope.end?.kind === end.kind ? null : t('copy.decided')
  }

  return {
    async workOnCopy(messageId, slots) {
      const reply = openReply(ports, messageId)
      if (!reply) return t('calls.reply-not-in-view')
      const targets = reply.pick(slots).filter((target) => target.runnable && jobs.isUndecided(reply)(target))
      const [first] = targets
      if (!first) return t('calls.decided-already')
      return reply.hold(async () => {
        for (const target of targets) jobs.book(reply, target, click, 'deciding')
        const given = await giveGrant(page, reply, first, 'copy').catch((error: unknown) => ({
          ok: false as const,
          error: foreignErrorText(error),
        }))
        for (const { slot } of targets) jobs.end(reply, slot)
        if (!given.ok) {
          await sendWhenIdle(page, reply)
          return t('copy.not-begun', { why: given.error })
        }
        startCalls(page, reply, targets.filter(jobs.isUndecided(reply)), { stopAtFailure: true })
        return null
      })
    },

    async endCopy(copyId, word) {
      try {
        const tried = await ports.locks.tryHold(lockName(copyId), () => carryOut(copyId, word))
        return tried.held ? tried.value : t('copy.decided')
      } catch (error) {
        return foreignErrorText(error)
      }
    },
  }
}

/** Applies the changes to keep, and returns the copy's end; a sentence if nothing was done. */
async function settle(copy: FilesCopy, word: CopyWord, path: readonly string[]): Promise<CopyEnd | string> {
  const caughtUp = await copy.catchUp(path)
  const changes = await copy.changes()
  const failed = !caughtUp.ok ? caughtUp : !changes.ok ? changes : null
  if (failed) return refusalText(failed.error)
  if (!changes.ok) return t('copy.none-here')
  // Keep was interrupted after its only step: whatever is decided now, these changes are in the files.
  if (changes.value.inFiles > 0) return endOf(changes.value, null)
  if (word.kind === 'discard') {
    return { kind: 'discarded', changed: changes.value.rows.length, kept: 0, leftOut: [] }
  }
  const kept = await copy.keep(word.paths, word.overEdits)
  return kept.ok ? endOf(changes.value, word.paths) : refusalText(kept.error)
}

function endOf({ rows, inFiles }: CopyChanges, paths: ReadonlySet<string> | null): CopyEnd {
  const changed = rows.length + inFiles
  const left = inFiles > 0 ? rows : rows.filter(({ path }) => paths !== null && !paths.has(path))
  return {
    kind: 'kept',
    changed,
    kept: changed - left.length,
    leftOut: left.slice(0, maxLeftOut).map(({ path }) => path),
  }
}
