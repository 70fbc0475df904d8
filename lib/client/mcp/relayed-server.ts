import { withRetry } from '@/lib/client/api/api-client'
import { mayRetry, type ApiAnswer, type ApiFailure } from '@/lib/client/api/api-failure'
import type { createToolServerApi, OperatorTools } from '@/lib/client/api/tool-server-api'
import { readLines } from '@/lib/client/api/ndjson'
import type { CallAnswer, CallProgress, ConnectedServer, ListedTool, RelayLine } from '@/lib/shared/mcp/call-answer'
import { nameOfOperatorUrl, operatorId } from '@/lib/shared/mcp/operator-server'
import { askedOf, type Asked, type RemoteServer } from './remote-server'

type Api = Pick<ReturnType<typeof createToolServerApi>, 'operatorTools' | 'operatorOffer' | 'relayCall' | 'answerRelay'>

/** A tool server that the operator runs: Nod's server talks to it. No method rejects. */
export function createRelayedServer(api: Api, url: string, wait: (ms: number) => Promise<void>): RemoteServer {
  const id = operatorId(nameOfOperatorUrl(url) ?? '')
  let listed: OperatorTools | null = null
  const ended = new AbortController()

  return {
    async connect(_url, _era, signal): Promise<Asked<ConnectedServer>> {
      const answer = await api.operatorTools(id, until(ended.signal, signal))
      if (!answer.ok) return { ok: false, failure: { kind: 'relay', message: answer.error.message } }
      listed = answer.value
      return { ok: true, value: answer.value.server }
    },
    list: () => Promise.resolve({ ok: true, value: listed ? asListed(listed) : [] }),
    async call(_request, { signal, onProgress, onAsk, of }) {
      if (!of) return { kind: 'not-sent', failure: { kind: 'unread' } }
      // The call itself is not sent: the server knows what was approved.
      const { conversationId, ...call } = of
      const over = new AbortController()
      const asked = askedOf(onAsk, (question, answer) => {
        const put = () => api.answerRelay(conversationId, { ...call, question, answer })
        void withRetry(put, { tries: Infinity, wait, again: (failure) => !over.signal.aborted && mayRetry(failure) })
      })
      try {
        const stream = await api.relayCall(conversationId, call, until(ended.signal, signal))
        return await readAnswer(stream, signal, { onProgress, onQuestion: (line) => asked.hear(line) })
      } finally {
        over.abort()
        asked.end()
      }
    },
    ask: () => Promise.resolve({ ok: false, failure: { kind: 'unread' } }),
    async offer(ask, signal) {
      const answer = await api.operatorOffer(id, ask, until(ended.signal, signal))
      return answer.ok ? answer : { ok: false, failure: { kind: 'relay', message: answer.error.message } }
    },
    // The operator's headers sign in.
    signIn: () => Promise.resolve({ ok: false, failure: { kind: 'unread' } }),
    isSignedIn: () => false,
    close: () => ended.abort(),
  }
}

/** The tools as a server lists them, with what it says of pages. */
function asListed({ tools, pages }: OperatorTools): readonly ListedTool[] {
  const uris = new Map(pages)
  return tools.map(({ visibility, ...tool }) => {
    const resourceUri = uris.get(tool.name)
    const ui = { ...(resourceUri !== undefined && { resourceUri }), ...(visibility && { visibility: [visibility] }) }
    return { ...tool, _meta: { ui } }
  })
}

const until = (ended: AbortSignal, signal: AbortSignal | undefined): AbortSignal =>
  signal ? AbortSignal.any([ended, signal]) : ended

/**
 * Nod's server refused. Other failures may have come after the call was sent; `relay-taken`: this request came twice,
 * for example through a proxy.
 */
const refusedBeforeSending = ({ code, reason }: ApiFailure): boolean =>
  reason !== 'chat.relay-taken' && !['unreachable', 'bad-answer', 'aborted', 'page-broke', 'internal'].includes(code)

/** If the stream ends without an answer, it is unknown whether the call ran. */
async function readAnswer(
  answer: ApiAnswer<Response>,
  signal: AbortSignal,
  {
    onProgress,
    onQuestion,
  }: {
    readonly onProgress: (progress: CallProgress) => void
    readonly onQuestion: ReturnType<typeof askedOf>['hear']
  },
): Promise<CallAnswer> {
  if (!answer.ok) {
    if (signal.aborted) return { kind: 'stopped' }
    const { message } = answer.error
    return refusedBeforeSending(answer.error)
      ? { kind: 'not-sent', failure: { kind: 'relay', message } }
      : { kind: 'lost' }
  }
  try {
    for await (const text of readLines(answer.value.body ?? new ReadableStream())) {
      if (text === '') continue
      const line = JSON.parse(text) as RelayLine
      if ('answer' in line) return line.answer
      if ('progress' in line) onProgress(line.progress)
      else onQuestion(line)
    }
  } catch {
    // Treated as a stream that ended.
  }
  return { kind: signal.aborted ? 'stopped' : 'lost' }
}
