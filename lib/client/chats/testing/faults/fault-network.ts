import { AppError } from '@/lib/base/app-error'
import type { ChatService } from '@/lib/server/chats/chat-service'
import { waitFor } from '@/lib/server/runs/clock'
import type { ManualClock } from '@/lib/server/chats/testing/manual-clock'
import type { RunEvent } from '@/lib/shared/conversation/wire/run-event'
import type { NodApi } from '../../../api/nod-api'
import { answering, refusal, type Plain, type Refusal } from '../answering'

/** What can happen to one request. */
export const fates = ['fine', 'slow', 'request-lost', 'answer-lost', 'twice', 'hangs'] as const
export type Fate = (typeof fates)[number]

export interface NetworkPorts {
  readonly owner: string
  readonly clock: ManualClock
  /** The server that answers now; null while there is none. */
  readonly service: () => ChatService | null
  readonly isOnline: () => boolean
  readonly isAlive: () => boolean
  readonly nextFate: () => Fate
  /** Milliseconds of delay. */
  readonly delay: () => number
  /** How many messages from the chat's end are loaded when it is opened; left out: all. */
  readonly last?: number
}

const never = new Promise<never>(() => undefined)
const unreachable = () => refusal('unreachable', 0, 'The server cannot be reached.')
/** A value that crossed the network shares nothing with either side. */
const wire = <T>(value: T): T => (value === undefined ? value : (JSON.parse(JSON.stringify(value)) as T))

function asRefusal(error: unknown): Refusal {
  if (!(error instanceof AppError)) return refusal('internal', 500, String(error))
  const { code, reason, values, message, headId } = error
  const status = code === 'not-found' ? 404 : code === 'unavailable' ? 503 : 409
  return refusal(code, status, message, { reason, values, ...(headId !== undefined && { headId }) })
}

/** The client's connection to a real chat service, with all its failures. A closed page gets no responses. */
export function createFaultyApi(ports: NetworkPorts): NodApi {
  const { clock, owner } = ports

  async function request<T>(work: (service: ChatService) => Promise<T>): Promise<T> {
    const fate = ports.nextFate()
    const onTheWay = (ms: number) => waitFor(clock, ms)
    await onTheWay(fate === 'slow' ? ports.delay() * 20 : ports.delay())
    const service = ports.service()
    if (!service || !ports.isOnline() || fate === 'request-lost') {
      if (!ports.isAlive()) return never
      throw unreachable()
    }
    if (fate === 'twice') void work(service).catch(() => undefined)
    const answer = await work(service).then(
      (value) => ({ value: wire(value) }),
      (error: unknown) => ({ error: asRefusal(error) }),
    )
    await onTheWay(fate === 'hangs' ? 20_000 : ports.delay())
    if (!ports.isAlive()) return never
    // A response of a server that is gone never arrives.
    if (fate === 'answer-lost' || fate === 'hangs' || !ports.isOnline() || ports.service() !== service)
      throw unreachable()
    if ('error' in answer) throw answer.error
    return answer.value
  }

  const events: Plain<NodApi>['runEvents'] = async (runId, after, signal) => {
    const breaks = ports.nextFate() !== 'fine'
    await waitFor(clock, ports.delay())
    const service = ports.service()
    if (!service || !ports.isOnline()) throw unreachable()
    const generator = await service.events(owner, runId, after, signal).catch((error: unknown) => {
      throw asRefusal(error)
    })
    let sent = 0
    let ready: RunEvent[] = []
    return new ReadableStream<Uint8Array>({
      async pull(controller) {
        const next = ready.length > 0 ? null : await generator.next()
        if (next?.done === false) ready = [...next.value]
        if (!ports.isAlive()) return never
        if (!ports.isOnline() || ports.service() !== service || (breaks && sent === 2)) {
          return controller.error(new Error('The connection broke.'))
        }
        if (next?.done) return controller.close()
        sent += 1
        controller.enqueue(new TextEncoder().encode(`${JSON.stringify(ready.shift())}\n`))
      },
      async cancel() {
        await generator.return(undefined)
      },
    })
  }

  return answering<NodApi>({
    conversations: (query) =>
      request(async (service) => ({ conversations: await service.list(owner, query), next: null })),
    view: (id) => request((service) => service.view(owner, id, ports.last)),
    messages: (id, ids) => request((service) => service.messages(owner, id, ids)),
    deleteConversation: () => Promise.reject(new Error('no temporary chat here')),
    patchConversation: (id, body) => request((service) => service.patch(owner, id, body)),
    sortChats: (ids, change) => request((service) => service.sort(owner, ids, change)),
    chat: (body) => request((service) => service.append(owner, body)),
    stopRun: (runId) => request((service) => service.stop(owner, runId).then(() => null)),
    runEvents: events,
    decideCall: (id, body) => request((service) => service.decide(owner, id, body)),
    finishCall: (id, body) => request((service) => service.finish(owner, id, body)),
    decideInner: (id, body) => request((service) => service.decideInner(owner, id, body)),
    finishInner: (id, body) => request((service) => service.finishInner(owner, id, body)),
    stopCall: (id, body) => request((service) => service.stopCall(owner, id, body)),
    explainDenial: (id, body) => request((service) => service.explainDenial(owner, id, body)),
    amendCall: (id, body) => request((service) => service.amend(owner, id, body)),
    releaseResult: (id, body) => request((service) => service.release(owner, id, body)),
    giveGrant: (id, body) => request((service) => service.giveGrant(owner, id, body)),
    endCopy: (id, grantId, body) => request((service) => service.endCopy(owner, id, grantId, body)),
    revokeGrant: (id, grantId) => request((service) => service.revokeGrant(owner, id, grantId)),
    createConversation: (body) => request((service) => service.create(owner, body)),
    registerTool: (id, tool) => request((service) => service.registerTool(owner, id, tool)),
    use: () => request((service) => service.use(owner)),
    deleteAll: () => request(async (service) => ({ chats: await service.removeAll(owner) })),
    models: () => Promise.resolve({ models: [], defaultModel: 'test/scripted', problems: [] }),
    log: (id) => request((service) => service.log(owner, id)),
    exportChat: () => Promise.reject(new Error('nothing is exported here')),
    importChat: () => Promise.reject(new Error('nothing is imported here')),
  })
}
