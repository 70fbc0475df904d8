import { makeError, type KeyOf } from '@/lib/i18n/t'
import type { StoredConversation } from '@/lib/server/store/ports/conversation-store'
import type { CallToWrite } from '@/lib/protocols/types/tool-context-def'
import {
  coveringGrant,
  folderOf,
  isForReply,
  mayRunAutomatically,
  originOf,
  rememberable,
  runsOnCopy,
  type ToolFacts,
} from '@/lib/shared/calls/approval-policy'
import { isCopyChosen } from '@/lib/shared/calls/copy'
import { argumentsHash } from '@/lib/shared/calls/call-hash'
import { holdsMarks, clickReason, repeatsOf, type ClickReason } from '@/lib/shared/calls/click-reasons'
import type { MessageCall } from '@/lib/shared/calls/message-calls'
import type { AssistantMessage, ConversationSettings } from '@/lib/shared/conversation/conversation'
import type { DecidedBy, GrantScope } from '@/lib/shared/conversation/call-record'
import { lastText } from '@/lib/shared/conversation/outline'
import { type ChatRow, treePathTo, treeOf } from '@/lib/shared/conversation/message-tree'
import type { RegisteredTool } from '@/lib/shared/conversation/settings/registered-tool'
import {
  branchTexts,
  callToMark,
  holdsUntrusted,
  isLoud,
  ORIGIN_MESSAGES,
  type CallMark,
  type CodeSoFar,
} from '@/lib/shared/origin/branch-origin'
import type { OriginMarker } from '@/lib/shared/origin/mark-calls'
import type { LoadBranch } from '../stored-chats/stored-conversations'

const MAX_LABEL_CHARS = 200
const whyClick = {
  guess: 'chat.call.click-guess',
  marks: 'chat.call.click-marks',
  secret: 'chat.call.click-secret',
  origin: 'chat.call.click-origin',
  repeats: 'chat.call.click-repeats',
  skill: 'chat.call.click-skill',
} as const satisfies Readonly<Record<ClickReason, KeyOf<'chat.call'>>>

/** What a decision without a click is checked against; all of it comes from the server. */
export interface ApprovalFacts {
  /** The branch up to the message, at least since the user's last message. */
  readonly stored: StoredConversation
  /** A call of this tool failed in the branch; also true where that does not matter and was not checked. */
  readonly failed: boolean
  readonly message: AssistantMessage
  readonly found: MessageCall
  readonly tool: ToolFacts | undefined
  readonly attempt: number
  /** Epoch milliseconds. */
  readonly now: number
  readonly callsIn: (stored: StoredConversation) => (message: AssistantMessage) => readonly MessageCall[]
  readonly origins: CallOrigins
  /** The call is a tool that the code of this one calls. */
  readonly within?: CodeSoFar
}

/** What is needed to find out whether the user or a text from elsewhere requested a call. */
interface CallOrigins {
  readonly owner: string
  readonly marker: OriginMarker
  readonly toolFacts: (name: string, registered: readonly RegisteredTool[]) => ToolFacts | undefined
}

/** Loads what is needed to check a decision without a click, with as much of the branch as necessary. */
export async function loadGrounds(
  load: LoadBranch,
  owner: string,
  { conversation }: StoredConversation,
  { message, tool }: Pick<ApprovalFacts, 'message' | 'tool'>,
): Promise<Pick<ApprovalFacts, 'stored' | 'failed'>> {
  const { tools } = conversation.settings
  if (tool && mayRunAutomatically(tool, tools, false) !== mayRunAutomatically(tool, tools, true)) {
    const stored = await load(owner, conversation.id, { head: message.id })
    return { stored, failed: failedBefore(stored, message, tool.spec.name) }
  }
  for (let limit = ORIGIN_MESSAGES + 1; ; limit *= 4) {
    const stored = await load(owner, conversation.id, { head: message.id, limit, callsOf: 'head' })
    if (stored.older === 0 || lastText(stored.messages)) return { stored, failed: true }
  }
}

/** The first messages that are loaded to find the user's message: most calls are in the reply after it. */
const TASK_MESSAGES = 3

/**
 * Throws AppError `conflict` if the user chose a copy with the message of the task and none has begun: a call that can
 * run there may not run on the files. `openCopy` is checked before.
 */
export async function refuseOutsideChosenCopy(
  load: LoadBranch,
  owner: string,
  { conversation, grants }: StoredConversation,
  { message, tool }: Pick<ApprovalFacts, 'message' | 'tool'>,
): Promise<void> {
  if (!tool || !runsOnCopy(tool)) return
  for (let limit = TASK_MESSAGES; ; limit *= 4) {
    const { messages, older } = await load(owner, conversation.id, { head: message.id, limit, callsOf: 'head' })
    if (older > 0 && !lastText(messages)) continue
    if (isCopyChosen(grants, treePathTo(treeOf(messages), message.id)))
      throw makeError('conflict', 'chat.copy.not-begun')
    return
  }
}

/**
 * Throws AppError `conflict` if a decision without a click is not allowed for this call. If the settings may forbid it,
 * returns a check to repeat with the settings at the time when the decision is stored.
 */
export async function refuseUnlessCovered(
  by: DecidedBy,
  facts: ApprovalFacts,
): Promise<((settings: ConversationSettings) => boolean) | null> {
  if (by.kind === 'click') return null
  const { message, found, tool, attempt, stored, callsIn } = facts
  if (!tool) throw makeError('conflict', 'chat.call.click-unknown-tool')
  if (attempt > 1) throw makeError('conflict', 'chat.call.click-again')
  if (found.promoted) throw makeError('conflict', 'chat.call.click-lifted')
  const path = treePathTo(treeOf(stored.messages), message.id)
  const repeats = repeatsOf(path, callsIn(stored), message.id, found.slot)
  const refuseFor = (reason: ClickReason | null) => {
    if (reason) throw makeError('conflict', whyClick[reason])
  }
  refuseFor(clickReason(found, repeats))
  const holds = await coverOf(by, tool, facts)
  // The most expensive check comes last.
  refuseFor(clickReason(found, repeats, isLoud(await markOf(facts, path))))
  return holds
}

async function coverOf(
  by: Exclude<DecidedBy, { kind: 'click' }>,
  tool: ToolFacts,
  { stored, failed, message, found: { call }, now }: ApprovalFacts,
): Promise<(settings: ConversationSettings) => boolean> {
  switch (by.kind) {
    case 'auto': {
      const holds = ({ tools }: ConversationSettings) => mayRunAutomatically(tool, tools, failed)
      if (!holds(stored.conversation.settings))
        throw makeError('conflict', 'chat.call.click-tool', { tool: tool.spec.name })
      return holds
    }
    case 'grant': {
      const named = stored.grants.filter((grant) => grant.id === by.grantId && isForReply(grant, message))
      if (!coveringGrant(named, tool, call, await argumentsHash(call.name, call.arguments), now)) {
        throw makeError('conflict', 'chat.call.click-no-grant')
      }
      const holds = ({ tools }: ConversationSettings) => !tools.requireConfirmation
      if (!holds(stored.conversation.settings)) throw makeError('conflict', 'chat.call.click-all')
      return holds
    }
  }
}

/** Whether text from elsewhere requested the call and the user did not. */
export const isUnasked = async (facts: MarkFacts & Pick<ApprovalFacts, 'message'>): Promise<boolean> =>
  isLoud(await markOf(facts, treePathTo(treeOf(facts.stored.messages), facts.message.id)))

type MarkFacts = Pick<ApprovalFacts, 'stored' | 'found' | 'tool' | 'callsIn' | 'origins' | 'within'>

/** Finds the text that requested a call. */
export async function markOf(
  { stored, found, tool, callsIn, origins: { owner, marker, toolFacts }, within }: MarkFacts,
  path: readonly ChatRow[],
): Promise<CallMark | undefined> {
  const call = callToMark(found, tool)
  const branch = {
    path,
    callsOf: callsIn(stored),
    toolOf: (name: string) => toolFacts(name, stored.tools),
    registered: stored.tools,
    importedAt: stored.conversation.importedAt,
    within,
  }
  if (call === null || !holdsUntrusted(branch)) return undefined
  const { slot } = found
  const scope = `${owner} ${stored.conversation.id}`
  return (await marker.marks({ ...branchTexts(branch), calls: [{ slot, call }] }, scope)).get(slot)
}

/** What a remembered approval of this kind covers, computed from the call itself; refused if the tool allows none. */
export async function grantScope(
  kind: GrantScope['kind'],
  tool: ToolFacts | undefined,
  call: CallToWrite,
): Promise<GrantScope> {
  if (!tool || holdsMarks(call) || !rememberable(tool, call).includes(kind)) {
    throw makeError('conflict', 'chat.grant.not-allowed', { tool: call.name })
  }
  switch (kind) {
    case 'tool':
      return { kind, tool: tool.spec.name }
    case 'folder':
      return { kind, tool: tool.spec.name, folder: folderOf(tool, call) ?? '' }
    case 'host':
      return { kind, tool: tool.spec.name, origin: originOf(tool, call) ?? '' }
    case 'arguments': {
      const hash = await argumentsHash(call.name, call.arguments)
      return { kind, tool: tool.spec.name, argumentsHash: hash, label: labelOf(call) }
    }
  }
}

function labelOf({ arguments: args }: CallToWrite): string {
  const text = Array.from(JSON.stringify(args).slice(0, MAX_LABEL_CHARS * 4))
  return text.length <= MAX_LABEL_CHARS ? text.join('') : `${text.slice(0, MAX_LABEL_CHARS - 1).join('')}…`
}

/** Whether a call of this tool failed in the branch that ends with the message. */
function failedBefore({ messages, calls }: StoredConversation, message: AssistantMessage, tool: string): boolean {
  const branch = new Set(treePathTo(treeOf(messages), message.id).map(({ id }) => id))
  return calls.some(
    ({ messageId, name, outcome }) => name === tool && outcome?.status === 'error' && branch.has(messageId),
  )
}
