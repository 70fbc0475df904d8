import type { CallRecord } from '@/lib/shared/conversation/call-record'
import type { StoredConversation } from '../store/ports/conversation-store'
import { holdsPlaceholder } from '@/lib/shared/secrets/placeholders'
import { createCallReader, findCall, justReply, type LoadBranch } from '../stored-chats/stored-conversations'
import { makeError } from '@/lib/i18n/t'
import type { CallToWrite } from '@/lib/protocols/types/tool-context-def'
import type { ReplyReadings } from '@/lib/shared/prompt/reply-readings'
import type { WebAnswer } from '@/lib/shared/web/web-answer'
import type { RelayCall } from '@/lib/shared/conversation/wire/call-requests'
import type { ChatServicePorts } from '../stored-chats/chat-service-ports'
import type { WebTask } from '../web/web-host'

/** A call that is about to run, as stored by the server; its arguments come only from there. */
export interface GrantedCall {
  readonly stored: StoredConversation
  readonly call: CallToWrite
}

/**
 * Finds the call of this attempt, or the tool that its code calls. Refuses one that was not approved, was stopped, has
 * an outcome, or contains a placeholder.
 */
export async function findGrantedCall(
  owner: string,
  conversationId: string,
  key: RelayCall,
  parts: {
    readonly load: LoadBranch
    readonly readings: ReplyReadings
    readonly discoverTools: ChatServicePorts['discoverTools']
  },
): Promise<GrantedCall> {
  const stored = await parts.load(owner, conversationId, justReply(key.messageId))
  const row = stored.calls.find(({ messageId, slot }) => messageId === key.messageId && slot === key.slot)
  if (row?.decision !== 'run' || row.attempt !== key.attempt || row.outcome !== null || row.stopped) {
    throw makeError('call-not-open', 'chat.relay-taken')
  }
  const { callHash } = row
  if (callHash === null) throw makeError('call-not-open', 'chat.relay-taken')
  const readCalls = createCallReader(stored, parts.discoverTools, parts.readings)
  const { found } = await findCall(stored, readCalls, { ...key, callHash })
  const call = key.inner === undefined ? found.call : innerCall(row, key.inner)
  // Only a browser knows the value behind a placeholder; the placeholder itself would be useless to the server.
  if (holdsPlaceholder(call.arguments)) throw makeError('conflict', 'chat.relay-secret')
  return { stored, call }
}

function innerCall({ inner = [], attempt }: CallRecord, n: number): CallToWrite {
  const found = inner.find((one) => one.n === n && one.attempt === attempt)
  if (found?.decision !== 'run' || found.outcome !== null) throw makeError('call-not-open', 'chat.relay-taken')
  return { name: found.name, arguments: found.arguments }
}

export interface WebService {
  /**
   * Runs an approved call that reads a page or searches the web, with the address in the stored call. Once per attempt;
   * rejects if nothing was sent.
   */
  openWeb(owner: string, conversationId: string, key: RelayCall, signal: AbortSignal): Promise<WebAnswer>
}

export function createWebService(
  { store, discoverTools, toolFacts, web }: Pick<ChatServicePorts, 'store' | 'discoverTools' | 'toolFacts' | 'web'>,
  { load, readings }: { readonly load: LoadBranch; readonly readings: ReplyReadings },
): WebService {
  return {
    async openWeb(owner, conversationId, key, signal) {
      const { stored, call } = await findGrantedCall(owner, conversationId, key, { load, readings, discoverTools })
      const needs = toolFacts(call.name, stored.tools)?.policy.needs
      if (needs === undefined || !web?.access.has(needs)) throw makeError('conflict', 'chat.web-off')
      const prepared = await web.prepare(owner, taskOf(needs, call))
      try {
        if (signal.aborted) throw makeError('unavailable', 'chat.relay-stopped')
        if (!(await store.claimRelay(owner, conversationId, key))) throw makeError('call-not-open', 'chat.relay-taken')
      } catch (error) {
        prepared.release()
        throw error
      }
      return prepared.run(signal)
    },
  }
}

function taskOf(kind: WebTask['kind'], { arguments: args }: CallToWrite): WebTask {
  const text = (name: string) => {
    const value = args[name]
    return typeof value === 'string' ? value : ''
  }
  return kind === 'pages' ? { kind, url: text('url') } : { kind, query: text('query') }
}
