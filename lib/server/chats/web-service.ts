import { makeError } from '@/lib/i18n/t'
import type { CallToWrite } from '@/lib/protocols/types/tool-context-def'
import type { ReplyReadings } from '@/lib/shared/prompt/reply-readings'
import type { WebAnswer } from '@/lib/shared/web/web-answer'
import type { RelayCall } from '@/lib/shared/conversation/wire/call-requests'
import type { ChatServicePorts } from '../stored-chats/chat-service-ports'
import type { LoadBranch } from '../stored-chats/stored-conversations'
import type { WebTask } from '../web/web-host'
import { findGrantedCall } from './granted-call'

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
