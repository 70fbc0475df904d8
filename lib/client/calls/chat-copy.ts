import type { CallActions, CopyDecision } from '@/lib/client/chats/actions'
import { withRetry } from '@/lib/client/api/api-client'
import type { CopyChanges, FilesCopy } from '@/lib/vfs/copy/files-copy'
import type { ConversationState } from '@/lib/client/state/state'
import { maxLeftOut, openCopy, type OpenCopy } from '@/lib/shared/calls/copy'
import { effectsOf } from '@/lib/shared/calls/effects'
import { beyondText, whatIsBeyond } from '@/lib/shared/calls/grant-text'
import { isLoud } from '@/lib/shared/origin/branch-origin'
import { isHere } from '@/lib/shared/conversation/message-tree'
import type { DecidedBy } from '@/lib/shared/conversation/call-record'
import type { CopyEffect } from '@/lib/shared/conversation/wire/call-requests'
import type { CopyEnd, CopyLook } from '@/lib/shared/conversation/copy-scopes'
import { refusalText, t } from '@/lib/i18n/t'
import { click } from './call-jobs'
import { giveGrant } from './call-changes'
import { inBackground, sendWhenIdle, type CallPage } from './call-page'
import { openReply } from './open-reply'
import { startCalls } from './start-calls'
import { foreignErrorText } from './run-call'

const TRIES = 3

/** The Web Lock of the decision on a copy: of two tabs that decide at once, one succeeds. */
const lockName = (copyId: string): string => `nod:copy:${copyId}`

/** True if a call of the chat was granted and has not returned. */
const runsNow = ({ calls }: Pick<ConversationState, 'calls'>): boolean =>
  [...calls.values()].some(({ decision, outcome, stopped }) => decision === 'run' && !outcome && !stopped?.outcome)

/** Begins the chat's work on a copy of its files, and ends it. */
export function createCopyActions(page: CallPage): Pick<CallActions, 'workOnCopy' | 'endCopy' | 'allowEffects'> {
  const { ports, jobs } = page
  const patiently = { tries: TRIES, wait: ports.wait }

  async function carryOut(copyId: string, word: CopyDecision): Promise<string | null> {
    const { shownId: conversationId, open } = ports.getState()
    const view = open.get(conversationId)
    const shown = view && openCopy(view.grants)
    if (!view || shown?.id !== copyId) return t('copy.decided')
    if (runsNow(view)) return t('copy.still-runs')
    const runtime = await ports.runtime(conversationId)
    const copy = runtime.openCopy?.(copyId)
    if (!copy) return t('copy.none-here')
    const path = view.path.map(({ id }) => id)
    const changes = await changesNow(copy, path)
    if (typeof changes === 'string') return changes
    const refused = ports.hasOtherDevices ? await claim(page, { view, shown, copy, changes }, word) : null
    if (refused !== null) return refused
    const end =
      word.kind === 'by-grant'
        ? await settleByGrant(page, { view, shown, copy, changes })
        : await settle(copy, word, changes)
    if (typeof end === 'string') return end
    const answer = await withRetry(() => ports.api.endCopy(conversationId, copyId, end), patiently)
    if (!answer.ok) return answer.error.message
    ports.dispatch({ type: 'grant-changed', conversationId, grant: answer.value })
    // Remaining data is never read again, and is deleted with the chat.
    await runtime.dropCopy?.(copyId).catch(() => {})
    const { scope } = answer.value
    const held = shown.scope.isPreview ? openReply(ports, path.at(-1) ?? '') : null
    if (held) inBackground(held, () => sendWhenIdle(page, held))
    return scope.kind === 'copy' && scope.end?.kind === end.kind ? null : t('copy.decided')
  }

  return {
    async workOnCopy(messageId, slots, begin) {
      const reply = openReply(ports, messageId)
      if (!reply) return t('calls.reply-not-in-view')
      const targets = reply.pick(slots).filter((target) => target.runnable && jobs.isUndecided(reply)(target))
      const first = targets.find(({ slot }) => !begin?.by?.has(slot))
      if (!first) return t('calls.decided-already')
      return reply.hold(async () => {
        for (const target of targets) jobs.book(reply, target, click, 'deciding')
        const given = await giveGrant(page, reply, first, 'copy', begin).catch((error: unknown) => ({
          ok: false as const,
          error: foreignErrorText(error),
        }))
        for (const { slot } of targets) jobs.end(reply, slot)
        if (!given.ok) {
          await sendWhenIdle(page, reply)
          return t('copy.not-begun', { why: given.error })
        }
        const byCopy: DecidedBy = { kind: 'grant', grantId: given.value.id }
        const byOf = (slot: number): DecidedBy => (begin?.by ? (begin.by.get(slot) ?? byCopy) : click)
        startCalls(page, reply, targets.filter(jobs.isUndecided(reply)), { stopAtFailure: !begin?.by, byOf })
        return null
      })
    },

    async endCopy(copyId, word) {
      try {
        const tried = await ports.locks.tryHold(lockName(copyId), () => carryOut(copyId, word))
        // Another tab decides: this tab shows the result.
        if (!tried.held && word.kind === 'by-grant') return null
        return tried.held ? tried.value : t('copy.decided')
      } catch (error) {
        return foreignErrorText(error)
      }
    },

    async allowEffects(grant) {
      const { shownId: conversationId } = ports.getState()
      // The id is created once: a repeated request creates one grant.
      const request = { ...grant, id: ports.newId() }
      const answer = await withRetry(() => ports.api.giveGrant(conversationId, request), patiently)
      if (!answer.ok) return t('copy.grant-not-given', { why: answer.error.message })
      ports.dispatch({ type: 'grant-changed', conversationId, grant: answer.value })
      return null
    },
  }
}

/**
 * Before the files change: the first answer counts, here or on another device. Returns a sentence if this one does not.
 * An answer of another device was for the changes that its link showed, and never applies to others.
 */
async function claim({ ports }: CallPage, work: WorkOnCopy, word: CopyDecision): Promise<string | null> {
  const { view, shown, changes } = work
  const answer = word.kind === 'discard' ? ('discard' as const) : ('keep' as const)
  const ask = (over?: number) =>
    withRetry(
      () => ports.api.endCopy(view.id, shown.id, { kind: 'answer', answer, ...(over !== undefined && { over }) }),
      { tries: TRIES, wait: ports.wait },
    )
  const isRequested = word.kind !== 'by-grant' && word.isRequested === true
  const asked = await ask()
  if (!asked.ok) return asked.error.message
  const { scope, revokedAt } = asked.value
  if (revokedAt !== null) {
    ports.dispatch({ type: 'grant-changed', conversationId: view.id, grant: asked.value })
    return t('copy.decided')
  }
  const look = scope.kind === 'copy' ? scope.look : undefined
  if (!look?.answer) return isRequested ? t('copy.decided') : null
  if (look.answer.from === 'here') return isRequested && look.answer.kind !== answer ? t('copy.decided') : null
  // After a crash between Keep and its row, the changes are in the files already.
  const isSame = changes.inFiles > 0 || isAsShown(look, changes)
  if (isRequested) return !isSame ? t('copy.answer-outdated') : look.answer.kind === answer ? null : t('copy.decided')
  const isComplete = word.kind !== 'keep' || word.paths === null
  if (isSame) return look.answer.kind === answer && isComplete ? null : t('copy.answered-elsewhere')
  const again = await ask(look.at)
  return again.ok ? null : again.error.message
}

function isAsShown({ changes: shown }: CopyLook, { rows }: CopyChanges): boolean {
  const keyOf = ({ path, change, from = '', size }: Omit<CopyEffect, 'from'> & { from?: string }) =>
    JSON.stringify([path, change, from, size])
  const seen = new Set(shown.map(keyOf))
  return rows.length === shown.length && effectsOf(rows).every((effect) => seen.has(keyOf(effect)))
}

async function changesNow(copy: FilesCopy, path: readonly string[]): Promise<CopyChanges | string> {
  const caughtUp = await copy.catchUp(path)
  if (!caughtUp.ok) return refusalText(caughtUp.error)
  const changes = await copy.changes()
  return changes.ok ? changes.value : refusalText(changes.error)
}

/** Applies the changes to keep, and returns the copy's end; a sentence if nothing was done. */
async function settle(
  copy: FilesCopy,
  word: Exclude<CopyDecision, { kind: 'by-grant' }>,
  changes: CopyChanges,
): Promise<CopyEnd | string> {
  // Keep was interrupted after its only step: whatever is decided now, these changes are in the files.
  if (changes.inFiles > 0) return endOf(changes, null)
  if (word.kind === 'discard') {
    return { kind: 'discarded', changed: changes.rows.length, kept: 0, leftOut: [] }
  }
  const kept = await copy.keep(word.paths, word.overEdits)
  return kept.ok ? endOf(changes, word.paths) : refusalText(kept.error)
}

interface WorkOnCopy {
  readonly view: ConversationState
  readonly shown: OpenCopy
  readonly copy: FilesCopy
  readonly changes: CopyChanges
}

/**
 * Keeps changes that are within the grant: this page checks first, then the server checks and counts, then the files
 * change. If the page died before the last step, it asks again, which is not counted twice.
 */
async function settleByGrant(page: CallPage, work: WorkOnCopy): Promise<CopyEnd | string> {
  const { ports } = page
  const { view, shown, copy, changes } = work
  const byGrant = (end: CopyEnd): CopyEnd => ({ ...end, by: 'grant' })
  if (changes.inFiles > 0) return shown.scope.allowed ? byGrant(endOf(changes, null)) : endOf(changes, null)
  if (changes.rows.length === 0) return { kind: 'discarded', changed: 0, kept: 0, leftOut: [] }
  const beyond = whatIsBeyond(shown, view.grants, changes, ports.now())
  if (beyond.length > 0) return beyondText(beyond)
  const unasked = await unaskedOn(page, work)
  if (unasked !== null) return beyondText([unasked])
  const allow = { kind: 'allow', effects: effectsOf(changes.rows) } as const
  const allowed = await withRetry(() => ports.api.endCopy(view.id, shown.id, allow), {
    tries: TRIES,
    wait: ports.wait,
  })
  if (!allowed.ok) return allowed.error.message
  const { scope, revokedAt } = allowed.value
  if (revokedAt !== null || scope.kind !== 'copy' || !scope.allowed) return t('copy.decided')
  countUse(page, work, scope.allowed.at)
  ports.dispatch({ type: 'grant-changed', conversationId: view.id, grant: allowed.value })
  const kept = await copy.keep(null)
  return kept.ok ? byGrant(endOf(changes, null)) : refusalText(kept.error)
}

/** The server has counted it. Other tabs and the next load read it from there. */
function countUse({ ports }: CallPage, { view, shown: { scope } }: WorkOnCopy, at: number): void {
  const grant = view.grants.find(({ id }) => id === scope.under)
  if (!grant || scope.allowed) return
  const counted = { ...grant, uses: grant.uses + 1, lastUsedAt: at }
  ports.dispatch({ type: 'grant-changed', conversationId: view.id, grant: counted })
}

/** Why a call that ran on the copy by a click needs the user: a text asked for it, or that is not known; null: none. */
async function unaskedOn({ ports }: CallPage, { view, shown }: WorkOnCopy): Promise<string | null> {
  for (const [at, reply] of view.path.entries()) {
    if (!isHere(reply) || reply.role !== 'assistant') continue
    const clicked = [...view.calls.values()].filter(
      ({ messageId, decision, decidedAt, by }) =>
        messageId === reply.id && decision === 'run' && decidedAt >= shown.createdAt && by.kind === 'click',
    )
    const open = clicked.length > 0 ? openReply(ports, reply.id) : null
    if (!open) continue
    const calls = open.pick(clicked.map(({ slot }) => slot))
    const toMark = { view: { ...view, path: view.path.slice(0, at + 1) }, reply, calls }
    const marks = await ports.marksOf(toMark).catch(() => null)
    const loud = calls.find(({ slot }) => marks === null || isLoud(marks.get(slot)))
    if (loud) return t(marks === null ? 'copy.beyond.unchecked' : 'copy.beyond.origin', { tool: loud.call.name })
  }
  return null
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
