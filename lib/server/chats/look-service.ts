import { isOver } from '@/lib/base/clocks'
import { holdsPlaceholder } from '@/lib/shared/secrets/placeholders'
import { timingSafeEqual } from 'node:crypto'
import { makeError } from '@/lib/i18n/t'
import type { StoredConversation } from '@/lib/server/store/ports/conversation-store'
import { callHash } from '@/lib/shared/calls/call-hash'
import { isReadByGuess } from '@/lib/shared/calls/click-reasons'
import { openCopy } from '@/lib/shared/calls/copy'
import type { MessageCall } from '@/lib/shared/calls/message-calls'
import { treeOf, treePathTo } from '@/lib/shared/conversation/message-tree'
import {
  callLinkRunner,
  type CallLinkAnswer,
  type CallLink,
  type CopyLinkView,
  type DecideCall,
  type LinkAnswered,
  type LinkView,
  type NewCallLink,
  type NewCopyLink,
} from '@/lib/shared/conversation/wire/call-requests'
import { createOriginMarker } from '@/lib/shared/origin/mark-calls'
import type { ReplyReadings } from '@/lib/shared/prompt/reply-readings'
import type { ChatServicePorts } from '../stored-chats/chat-service-ports'
import { createCallReader, findCall, justReply, type LoadBranch } from '../stored-chats/stored-conversations'
import type { CallService } from './call-service'
import { loadGrounds, markOf } from './chat-service-approval'
import { withReviewers, type CallLinkService, type Review } from './review-links'

/*
 * A second look: a waiting call, shown and decided on another device of its owner. The link names the call and contains
 * a signature that only this server can make, over the owner, the call and the expiry; editing the call changes the
 * signature. The decision is the call's single row, so that the first answer wins. The browser with the files runs the
 * call: it finds the row with a runner that runs nothing, and makes the next attempt.
 *
 * A copy's changes are in one browser, which stores their paths, kinds and sizes for the link. An answer is stored in
 * the copy's row, and that browser carries it out (`lib/client/calls/chat-copy.ts`).
 */

const LOOK_MS = 24 * 60 * 60_000

interface LookTarget {
  readonly conversationId: string
  readonly messageId: string
  readonly slot: number
  readonly expiresAt: number
}

interface CopyTarget {
  readonly conversationId: string
  readonly copyId: string
  /** The state that the link shows. */
  readonly at: number
  readonly expiresAt: number
}

const copySign = 'copy.'

/** A slot never begins with this. */
const copyTokenOf = ({ conversationId, copyId, at, expiresAt }: CopyTarget, mark: string): string =>
  [conversationId, copyId, copySign + at.toString(36), expiresAt.toString(36), mark].join('~')

function copyTargetOf(token: string): (CopyTarget & { readonly mark: string }) | null {
  const [conversationId, copyId, sign, expiresAt, mark, ...more] = token.split('~')
  if (!conversationId || !copyId || !sign?.startsWith(copySign) || !expiresAt || !mark || more.length > 0) return null
  return {
    conversationId,
    copyId,
    at: Number.parseInt(sign.slice(copySign.length), 36),
    expiresAt: Number.parseInt(expiresAt, 36),
    mark,
  }
}

/** Ids contain no `~`. */
const tokenOf = ({ conversationId, messageId, slot, expiresAt }: LookTarget, mark: string): string =>
  [conversationId, messageId, slot.toString(36), expiresAt.toString(36), mark].join('~')

function targetOf(token: string): (LookTarget & { readonly mark: string }) | null {
  const [conversationId, messageId, slot, expiresAt, mark, ...more] = token.split('~')
  if (!conversationId || !messageId || !slot || !expiresAt || !mark || more.length > 0) return null
  return {
    conversationId,
    messageId,
    slot: Number.parseInt(slot, 36),
    expiresAt: Number.parseInt(expiresAt, 36),
    mark,
  }
}

const noSuchCallLink = () => makeError('not-found', 'chat.look.none')

const isSame = (a: string, b: string): boolean =>
  a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b))

function createCopyLinks(
  { clock, store, lookMark }: Pick<ChatServicePorts, 'clock' | 'store' | 'lookMark'>,
  load: LoadBranch,
) {
  const markForCopy = (owner: string, { conversationId, copyId, at, expiresAt }: CopyTarget): string =>
    lookMark(JSON.stringify([owner, conversationId, 'copy', copyId, at, expiresAt]))

  async function openCopyLook(owner: string, conversationId: string, { copyId, shown }: NewCopyLink) {
    const { at } = await store.showCopy(owner, conversationId, copyId, shown, clock.now())
    const target = { conversationId, copyId, at, expiresAt: clock.now() + LOOK_MS }
    return { token: copyTokenOf(target, markForCopy(owner, target)), expiresAt: target.expiresAt }
  }

  /** Throws `not-found` if the link is not one of this owner, or has expired or been replaced. */
  async function findCopy(owner: string, target: CopyTarget & { readonly mark: string }) {
    const isOwn = isSame(markForCopy(owner, target), target.mark)
    if (!isOwn || isOver(target.expiresAt, clock.now())) throw noSuchCallLink()
    const stored = await load(owner, target.conversationId, { head: null }).catch(() => null)
    const copy = stored?.grants.find(({ id }) => id === target.copyId)
    if (!stored || copy?.scope.kind !== 'copy') throw noSuchCallLink()
    const { look, end } = copy.scope
    if (!end && look?.at !== target.at) throw noSuchCallLink()
    return { conversation: stored.conversation, look, end }
  }

  const decisionOf = (kind: 'keep' | 'kept' | 'discard' | 'discarded' | undefined) =>
    kind === undefined ? null : kind.startsWith('k') ? ('run' as const) : ('deny' as const)

  async function lookAtCopy(owner: string, target: CopyTarget & { readonly mark: string }): Promise<CopyLinkView> {
    const { conversation, look, end } = await findCopy(owner, target)
    return {
      chat: { id: conversation.id, title: conversation.title },
      copy: look ? { changes: look.changes, runs: look.runs, ms: look.ms } : null,
      decision: decisionOf(end?.kind ?? look?.answer?.kind),
      hasRun: end !== undefined,
      expiresAt: target.expiresAt,
    }
  }

  async function answerCopy(
    owner: string,
    target: CopyTarget & { readonly mark: string },
    { decision }: CallLinkAnswer,
    review: Review | undefined,
  ): Promise<LinkAnswered> {
    await findCopy(owner, target)
    const { conversationId, copyId, at } = target
    const answer = {
      kind: decision === 'run' ? ('keep' as const) : ('discard' as const),
      from: 'link' as const,
      to: at,
      ...(review && { reviewer: review.name, review: { ...review, now: clock.now() } }),
    }
    const { copy, isFirst } = await store.answerCopy(owner, conversationId, copyId, answer)
    const { look, end } = copy.scope.kind === 'copy' ? copy.scope : {}
    return { granted: isFirst, decision: decisionOf(end?.kind ?? look?.answer?.kind) ?? decision }
  }

  return { open: openCopyLook, look: lookAtCopy, answer: answerCopy }
}

export function createCallLinkService(
  ports: Pick<
    ChatServicePorts,
    'clock' | 'newId' | 'store' | 'toolFacts' | 'discoverTools' | 'breathe' | 'lookMark' | 'findReviewer'
  >,
  parts: { readonly load: LoadBranch; readonly readings: ReplyReadings; readonly calls: Pick<CallService, 'decide'> },
): CallLinkService {
  const { clock, toolFacts } = ports
  const { load } = parts
  const marker = createOriginMarker(ports.breathe)
  const callsIn = (stored: StoredConversation) => createCallReader(stored, ports.discoverTools, parts.readings)
  const recordOf = (stored: StoredConversation, { messageId, slot }: Pick<LookTarget, 'messageId' | 'slot'>) =>
    stored.calls.find((row) => row.messageId === messageId && row.slot === slot)
  const markFor = async (owner: string, target: LookTarget, { slot, call }: MessageCall): Promise<string> => {
    const hash = await callHash(target.messageId, slot, call.name, call.arguments)
    const { conversationId, expiresAt } = target
    return ports.lookMark(JSON.stringify([owner, conversationId, target.messageId, slot, hash, expiresAt]))
  }
  /**
   * Refuses calls that only their card can show: a form is filled in there, a guessed call is shown with the model's
   * text, and secret values are in one browser.
   */
  const refuseCard = (stored: StoredConversation, { call }: MessageCall) => {
    const isForm = toolFacts(call.name, stored.tools)?.policy.asksUser === true
    if (isForm || isReadByGuess(call) || holdsPlaceholder(call.arguments)) {
      throw makeError('conflict', 'chat.look.card')
    }
  }

  /** Throws `not-found` if the link is not one of this owner, has expired, or names a call that was edited since. */
  async function find(owner: string, token: string) {
    const target = targetOf(token)
    if (!target || isOver(target.expiresAt, clock.now())) throw noSuchCallLink()
    const { conversationId, messageId, slot } = target
    const stored = await load(owner, conversationId, justReply(messageId)).catch(() => null)
    if (!stored) throw noSuchCallLink()
    const reply = stored.messages.find(({ id }) => id === messageId)
    const found = reply?.role === 'assistant' ? callsIn(stored)(reply).find((call) => call.slot === slot) : undefined
    if (reply?.role !== 'assistant' || !found || !isSame(await markFor(owner, target, found), target.mark)) {
      throw noSuchCallLink()
    }
    return { target, stored, message: reply, found }
  }

  const copies = createCopyLinks(ports, load)

  async function open(owner: string, conversationId: string, request: NewCallLink | NewCopyLink): Promise<CallLink> {
    if ('copyId' in request) return copies.open(owner, conversationId, request)
    const { messageId, slot } = request
    const stored = await load(owner, conversationId, justReply(messageId))
    const { found } = await findCall(stored, callsIn(stored), request)
    refuseCard(stored, found)
    if (recordOf(stored, { messageId, slot })) throw makeError('call-not-open', 'chat.look.decided')
    const target = { conversationId, messageId, slot, expiresAt: clock.now() + LOOK_MS }
    return { token: tokenOf(target, await markFor(owner, target, found)), expiresAt: target.expiresAt }
  }

  async function lookAs(owner: string, token: string): Promise<LinkView> {
    const ofCopy = copyTargetOf(token)
    if (ofCopy) return copies.look(owner, ofCopy)
    const { target, stored, message, found } = await find(owner, token)
    const record = recordOf(stored, target)
    const tool = toolFacts(found.call.name, stored.tools)
    const grounds = await loadGrounds(load, owner, stored, { message, tool })
    const path = treePathTo(treeOf(grounds.stored.messages), message.id)
    const facts = { stored: grounds.stored, found, tool, callsIn, origins: { owner, marker, toolFacts } }
    const mark = record ? undefined : await markOf(facts, path)
    const { id, title } = stored.conversation
    return {
      chat: { id, title },
      call: { name: found.call.name, arguments: found.call.arguments },
      level: tool?.policy.permission ?? null,
      host: stored.tools.find(({ name }) => name === found.call.name)?.remote?.host ?? null,
      asked: mark?.loud ? mark.loud.order : null,
      decision: record?.decision ?? null,
      hasRun: record?.outcome != null,
      expiresAt: target.expiresAt,
    }
  }

  async function answerAs(
    owner: string,
    token: string,
    answer: CallLinkAnswer,
    review?: Review,
  ): Promise<LinkAnswered> {
    const ofCopy = copyTargetOf(token)
    if (ofCopy) return copies.answer(owner, ofCopy, answer, review)
    const { decision, reason = '' } = answer
    const { target, stored, found } = await find(owner, token)
    refuseCard(stored, found)
    const { messageId, slot } = target
    const record = recordOf(stored, target)
    if (record) return { granted: false, decision: record.decision, call: record }
    const copyId = openCopy(stored.grants)?.id
    const request: DecideCall = {
      messageId,
      slot,
      callHash: await callHash(messageId, slot, found.call.name, found.call.arguments),
      decision,
      reason,
      attempt: 1,
      runnerId: `${callLinkRunner}${ports.newId()}`,
      ...(copyId !== undefined && { copyId }),
    }
    const { granted, call } = await parts.calls.decide(owner, target.conversationId, request, review)
    return { granted, decision: call.decision, call }
  }

  return withReviewers(ports, { open, look: lookAs, answer: answerAs })
}
