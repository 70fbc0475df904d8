import type {
  ChatRequest,
  ChatResponse,
  ConversationView,
  MessagesPage,
  PatchConversation,
} from '@/lib/shared/conversation/wire/api-types'
import type {
  AssistantMessage,
  Conversation,
  ConversationSettings,
  ConversationSummary,
  Message,
} from '@/lib/shared/conversation/conversation'
import { newestLeafOfTree, treeOf, treePathTo } from '@/lib/shared/conversation/message-tree'
import { kindOf, outlineOf, type OutlineRow } from '@/lib/shared/conversation/outline'
import type { RunEvent } from '@/lib/shared/conversation/wire/run-event'
import type { NodApi } from '../../api/nod-api'
import { answering, refusal, type Plain, type Refusal } from './answering'
import { newConversation } from '../new-conversation'
import type { ChatSetup } from '@/lib/shared/conversation/settings/preset'
import { replyRow, userRow } from './rows'

const utf8 = new TextEncoder()

const outlined = (row: Message): OutlineRow => ({
  id: row.id,
  parentId: row.parentId,
  kind: kindOf(row),
  size: row.text.length,
})

const noOthers = { ran: false, failed: [] }

/**
 * An in-memory server with one owner: rows, one run at a time, idempotent appends. The test writes the replies. `page`:
 * messages per response; left out: all.
 */
export function createFakeServer({ page = Infinity }: { readonly page?: number } = {}) {
  const conversations = new Map<
    string,
    { row: Conversation; messages: Message[]; runId: string | null; sides: Set<string> }
  >()
  const runs = new Map<string, { log: RunEvent[]; listeners: Set<() => void>; conversationId: string }>()
  const appended = new Map<string, ChatResponse>()
  const calls: string[] = []
  /** Failures for the next requests, by method name, in order. */
  const failures = new Map<string, Refusal[]>()
  let count = 0

  const find = (id: string) => {
    const found = conversations.get(id)
    if (!found) throw refusal('not-found', 404, 'This chat does not exist.')
    return found
  }
  const findMessage = ({ messages }: ReturnType<typeof find>, id: string | null) => {
    if (id !== null && !messages.some((row) => row.id === id)) {
      throw refusal('not-found', 404, 'There is no such message.')
    }
  }
  /** Whether an append names an end that is outdated. */
  const isElsewhere = (append: ChatRequest['append'], { row, messages }: ReturnType<typeof find>): boolean => {
    if (append.kind === 'reply') return append.head !== undefined && append.head !== row.headId
    if (append.kind !== 'user' || append.branch === undefined) return append.parentId !== row.headId
    return append.branch === 'leaf' && messages.some(({ parentId }) => parentId === append.parentId)
  }
  const begin = (id: string, settings: Partial<ConversationSettings>, temporary = false) => {
    const row = { ...newConversation(id, 'demo/demo', 1), ...(temporary && { temporary: true as const }) }
    const made = {
      row: { ...row, settings: { ...row.settings, ...settings } },
      messages: [],
      runId: null,
      sides: new Set<string>(),
    }
    const stands = conversations.get(id) ?? made
    conversations.set(id, stands)
    return stands
  }
  const summaryOf = ({
    row: { id, title, updatedAt },
    runId,
    sides,
  }: ReturnType<typeof find>): ConversationSummary => ({
    id,
    title,
    updatedAt,
    running: runId !== null || sides.size > 0,
    waitingCalls: 0,
  })
  const called = (name: string) => {
    calls.push(name)
    const failure = failures.get(name)?.shift()
    if (failure) throw failure
  }
  const push = (runId: string, event: RunEvent) => {
    const run = runs.get(runId)
    run?.log.push(event)
    for (const listener of run?.listeners ?? []) listener()
  }

  const plain: Plain<NodApi> = {
    async conversations(query) {
      called('conversations')
      const listed = [...conversations.values()].filter(({ row }) => !row.temporary && row.title.includes(query))
      const rows = listed.map(summaryOf)
      return { conversations: rows, next: null }
    },
    createConversation: () => Promise.reject(new Error('a chat begins with its first message here')),
    registerTool: () => Promise.reject(new Error('no tools of a chat here')),
    async messages(id, ids): Promise<MessagesPage> {
      called('messages')
      const rows = new Map(find(id).messages.map((row) => [row.id, row]))
      const messages = ids.flatMap((one) => rows.get(one) ?? []).slice(0, page)
      return { messages, calls: [], amendments: [], grants: [] }
    },
    async view(id): Promise<ConversationView> {
      called('view')
      const { row, messages, runId, sides } = find(id)
      const [side = null] = sides
      const written = { activeRunId: runId ?? side, ...(sides.size > 0 && { sideRunIds: [...sides] }) }
      const rest = { conversation: row, calls: [], amendments: [], grants: [], ...written }
      const line = treePathTo(treeOf(messages), row.headId)
      return page === Infinity
        ? { ...rest, messages: [...messages] }
        : { ...rest, messages: line.slice(-page), outline: outlineOf(messages.map(outlined)), others: noOthers }
    },
    async deleteConversation(id) {
      called('deleteConversation')
      find(id)
      conversations.delete(id)
      return null
    },
    async patchConversation(id, { headStays, headId, marks, temporary, ...patch }: PatchConversation) {
      called('patchConversation')
      const found = find(id)
      if (headId !== undefined) findMessage(found, headId)
      const head =
        headStays || headId === undefined || headId === null ? headId : newestLeafOfTree(treeOf(found.messages), headId)
      if (temporary === 'keep') {
        const { temporary: _, ...kept } = found.row
        found.row = kept
      }
      found.row = { ...found.row, ...patch, ...(head !== undefined && { headId: head }), ...(marks && { marks }) }
      return found.row
    },
    async sortChats(ids, change) {
      called('sortChats')
      // The fake does not know the list's order: it removes what is deleted.
      return change.deleted === true ? ids.filter((id) => conversations.delete(id)) : []
    },
    async chat({ conversationId, append, create, temporary }: ChatRequest) {
      called('chat')
      const known = appended.get(append.id)
      if (known) {
        const { row, ...rest } = find(conversationId)
        return { ...known, conversation: row, summary: summaryOf({ row, ...rest }) }
      }
      const found = create ? begin(conversationId, create, temporary) : find(conversationId)
      findMessage(found, append.parentId)
      // No calls are made here, so there are no results to take to the model.
      if (append.kind === 'tool-results') throw refusal('call-not-open', 409, 'There is no call in that reply.')
      const isSide = append.kind === 'reply' && append.beside === true
      if (found.runId || (found.sides.size > 0 && !isSide))
        throw refusal('run-in-progress', 409, 'A reply is being written already.')
      if (isElsewhere(append, found)) {
        throw refusal('conflict', 409, 'This chat went on elsewhere.', { headId: found.row.headId })
      }
      const message =
        append.kind === 'reply'
          ? null
          : userRow(append.id, append.parentId, {
              conversationId,
              text: append.text,
              ...(append.kind === 'user' && append.onCopy && { onCopy: true }),
            })
      const replyId = `reply-${++count}`
      const runId = `run-${count}`
      const reply = replyRow(replyId, message?.id ?? append.parentId, {
        conversationId,
        runId,
        text: '',
        outcome: null,
      })
      if (message) found.messages.push(message)
      found.messages.push(reply)
      found.row = { ...found.row, ...(!isSide && { headId: replyId }), updatedAt: found.row.updatedAt + 1 }
      if (found.row.title === '' && message) found.row = { ...found.row, title: message.text.slice(0, 20) }
      if (isSide) found.sides.add(runId)
      else found.runId = runId
      runs.set(runId, { log: [{ seq: 1, type: 'start', message: reply }], listeners: new Set(), conversationId })
      const { id, title, updatedAt } = found.row
      const summary = { id, title, updatedAt, running: true, waitingCalls: 0 }
      const response = { runId, message, replyId, calls: [], conversation: found.row, summary }
      appended.set(append.id, response)
      return response
    },
    async stopRun(runId) {
      called('stopRun')
      if (!runs.has(runId)) throw refusal('not-found', 404, 'There is no such run.')
      server.end(runId, 'stopped')
      return null
    },
    async runEvents(runId, after, signal) {
      called('runEvents')
      const run = runs.get(runId)
      if (!run) throw refusal('not-found', 404, 'There is no such run.')
      let sent = after
      return new ReadableStream({
        start(controller) {
          const flush = () => {
            for (const event of run.log.slice(sent)) {
              controller.enqueue(utf8.encode(`${JSON.stringify(event)}\n`))
              sent = event.seq
            }
            if (run.log.at(-1)?.type === 'end') {
              run.listeners.delete(flush)
              controller.close()
            }
          }
          run.listeners.add(flush)
          signal.addEventListener('abort', () => run.listeners.delete(flush))
          flush()
        },
      })
    },
    decideCall: unused,
    decideInner: unused,
    finishInner: unused,
    stopCall: unused,
    explainDenial: unused,
    finishCall: unused,
    amendCall: unused,
    releaseResult: unused,
    giveGrant: unused,
    endCopy: unused,
    revokeGrant: unused,
    log: unused,
    exportChat: unused,
    importChat: unused,
    use: () => Promise.reject(new Error('nobody asks for the use here')),
    deleteAll: () => Promise.reject(new Error('nobody deletes all here')),
    async models() {
      called('models')
      return { models: [], defaultModel: 'demo/demo', problems: [], newChats: server.newChats }
    },
  }

  const server = {
    /** The user's defaults. */
    newChats: null as ChatSetup | null,
    /** Another page begins a chat. */
    begin: (id: string) => void begin(id, {}),
    api: answering<NodApi>(plain),
    calls,
    conversations,
    failNext(name: keyof NodApi, ...with_: readonly Refusal[]) {
      failures.set(name, [...(failures.get(name) ?? []), ...with_])
    },
    write(runId: string, text: string) {
      const seq = (runs.get(runId)?.log.length ?? 0) + 1
      push(runId, { seq, type: 'delta', channel: 'text', text })
    },
    end(runId: string, outcome: NonNullable<AssistantMessage['outcome']> = 'finished') {
      const run = runs.get(runId)
      const found = run && conversations.get(run.conversationId)
      if (!run || !found) return
      const text = run.log.map((event) => (event.type === 'delta' ? event.text : '')).join('')
      if (!found.sides.delete(runId)) found.runId = null
      found.messages = found.messages.map((row) =>
        row.role === 'assistant' && row.runId === runId ? { ...row, text, outcome } : row,
      )
      const summary = summaryOf(found)
      push(runId, { seq: run.log.length + 1, type: 'end', outcome, failure: null, usage: null, summary })
    },
    /** The log was pruned, or the server lost it. */
    dropRun: (runId: string) => runs.delete(runId),
  }
  return server
}

const unused = () => Promise.reject(refusal('internal', 500, 'unused'))

export const unreachable = () => refusal('unreachable', 0, 'The server cannot be reached.')
