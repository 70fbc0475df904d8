import type { AssistantMessage } from '@/lib/shared/conversation/conversation'
import type { ConversationState } from '@/lib/client/state/state'
import { amendmentsOf, replyCalls } from '@/lib/client/state/parsed-reply'
import type { MessageCall } from '@/lib/shared/calls/message-calls'
import {
  branchTexts,
  callToMark,
  holdsUntrusted,
  noMarks,
  type BranchToRead,
  type CodeSoFar,
  type CallMarks,
} from '@/lib/shared/origin/branch-origin'
import { createOriginMarker, type MarkRequest } from '@/lib/shared/origin/mark-calls'
import type { FromOriginWorker, ToOriginWorker } from '@/lib/shared/origin/worker'
import { canonicalJson } from '@/lib/protocols/types/canonical-json'
import type { ToolSet } from '@/lib/shared/tools/tool-registry'

/** The part of a Worker that marks calls. */
export interface OriginWorkerPort {
  postMessage(request: ToOriginWorker): void
  onmessage: ((event: { readonly data: FromOriginWorker }) => void) | null
  onerror: ((event: { preventDefault?: () => void }) => void) | null
}

/** The last reply of a branch, as this page has it. */
export interface ReplyToMark {
  readonly view: Pick<ConversationState, 'path' | 'amendments' | 'tools' | 'conversation'>
  readonly reply: AssistantMessage
  readonly calls: readonly MessageCall[]
  readonly tools: ToolSet
  /** The calls are tools that the code of this call calls. */
  readonly within?: CodeSoFar | undefined
}

interface CallOrigins {
  /**
   * Returns the origin marks of a reply's calls. The same request is computed once. Rejects if the texts can't be read:
   * then nothing is known.
   */
  marks(reply: ReplyToMark): Promise<CallMarks>
}

/** Reads texts in a worker, which keeps its results; if no worker starts, reads them on the page in short steps. */
export function createCallOrigins(startWorker: () => OriginWorkerPort, breathe: () => Promise<void>): CallOrigins {
  let worker: OriginWorkerPort | null | undefined
  let ids = 0
  const open = new Map<
    number,
    { readonly request: MarkRequest; readonly answer: (marks: Promise<CallMarks>) => void }
  >()
  const onPage = createOriginMarker(breathe)
  let last: {
    readonly key: string
    readonly path: unknown
    readonly tools: unknown
    readonly marks: Promise<CallMarks>
  } | null = null

  function abandon(): void {
    worker = null
    for (const { request, answer } of open.values()) answer(onPage.marks(request))
    open.clear()
  }

  function workerNow(): OriginWorkerPort | null {
    if (worker !== undefined) return worker
    try {
      worker = startWorker()
      worker.onmessage = ({ data: { id, marks } }) => {
        const asked = open.get(id)
        open.delete(id)
        if (asked) asked.answer(marks === null ? onPage.marks(asked.request) : Promise.resolve(marks))
      }
      worker.onerror = (event) => {
        event.preventDefault?.()
        abandon()
      }
    } catch {
      worker = null
    }
    return worker
  }

  function ask(request: MarkRequest): Promise<CallMarks> {
    const port = workerNow()
    if (port === null) return onPage.marks(request)
    return new Promise((resolve) => {
      ids += 1
      open.set(ids, { request, answer: resolve })
      port.postMessage({ ...request, id: ids })
    })
  }

  return {
    marks({ view, reply, calls, tools, within }) {
      const { path } = view
      const key = `${reply.id} ${canonicalJson(calls.map(({ slot, call }) => [slot, call.name, call.arguments]))} ${endedIn(within)}`
      if (last?.key === key && last.path === path && last.tools === tools) return last.marks
      const toMark = calls.flatMap(({ slot, call }) => {
        const marked = callToMark({ call }, tools.get(call.name))
        return marked ? [{ slot, call: marked }] : []
      })
      const branch = { ...branchOf(view, tools), within }
      const isPlain = toMark.length === 0 || !holdsUntrusted(branch)
      const marks = isPlain ? Promise.resolve(noMarks) : ask({ ...branchTexts(branch), calls: toMark })
      const mine = { key, path, tools, marks }
      last = mine
      marks.catch(() => {
        if (last === mine) last = null
      })
      return marks
    },
  }
}

const endedIn = ({ calls }: CodeSoFar = { slot: 0, calls: [] }): string =>
  calls.map(({ n, attempt, outcome }) => (outcome === null ? '' : `${n}.${attempt}`)).join()

const branchOf = (view: ReplyToMark['view'], tools: ToolSet): BranchToRead => ({
  path: view.path,
  callsOf: (message) =>
    view.conversation
      ? replyCalls(message, view.conversation.settings.tools, amendmentsOf(view, message.id), tools)
      : [],
  toolOf: tools.get,
  registered: view.tools,
  importedAt: view.conversation?.importedAt,
})
