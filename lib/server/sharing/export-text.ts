import type { ConversationExport } from '@/lib/shared/conversation/wire/api-types'
import type { MessageImage } from '@/lib/shared/conversation/conversation'
import type { CallAmendment, CallRecord } from '@/lib/shared/conversation/call-record'
import type { Store } from '@/lib/server/store/ports/store'
import { noSuchChat } from '../stored-chats/stored-conversations'

type Source = Pick<Store, 'loadView' | 'loadMessages' | 'loadImages' | 'loadLog' | 'summariseConversation'>

/** An exported chat as a text stream. */
export interface ExportText {
  readonly title: string
  /** The JSON of a `ConversationExport` in pieces; each is read on demand. */
  readonly pieces: AsyncGenerator<string, void, undefined>
}

/** Messages per page, with their calls. A larger message comes with only a few others. */
const PAGE = { count: 100, bytes: 1_000_000 } as const
const LOG_PAGE = 200

/**
 * Streams an export with at most one page of messages or log entries, or one picture, in memory. It contains the chat
 * as it was at the start; later messages are left out. Null: no such conversation.
 */
export async function exportText(
  store: Source,
  owner: string,
  id: string,
  exportedAt: number,
): Promise<ExportText | null> {
  const view = await store.loadView(owner, id, { count: 0, bytes: 0 })
  if (!view) return null
  const { conversation, outline, grants, tools } = view
  const tags = (await store.summariseConversation(owner, id))?.tags ?? []
  const ids = outline?.ids ?? []
  const known = new Set(ids)
  const amendments: CallAmendment[] = []
  const withCalls: string[] = []
  const pictures: Pick<MessageImage, 'messageId' | 'number'>[] = []

  async function* messages() {
    for await (const page of pagesOf(store, owner, id, ids)) {
      amendments.push(...page.amendments)
      withCalls.push(...new Set(page.calls.map(({ messageId }) => messageId)))
      for (const message of page.messages) {
        const files = message.role === 'user' ? (message.attachments ?? []) : []
        pictures.push(...files.flatMap(({ isImage }, number) => (isImage ? [{ messageId: message.id, number }] : [])))
        yield message
      }
    }
  }

  async function* calls() {
    for await (const page of pagesOf(store, owner, id, withCalls.toSorted(byId))) {
      const rows = Map.groupBy(page.calls, ({ messageId }) => messageId)
      for (const message of page.messages) for (const call of rows.get(message.id) ?? []) yield asItStood(call, known)
    }
  }

  async function* images() {
    for (const key of pictures.toSorted((a, b) => byId(a.messageId, b.messageId) || a.number - b.number)) {
      yield* await store.loadImages(owner, id, [key])
    }
  }

  async function* log() {
    for (let after = 0; ;) {
      const page = (await store.loadLog(owner, id, { after, limit: LOG_PAGE })) ?? []
      yield* page
      const last = page.at(-1)
      if (!last || page.length < LOG_PAGE) return
      after = last.seq
    }
  }

  async function* pieces() {
    const head = { format: 'nod-conversation', version: 2, exportedAt, conversation } as const
    yield* startOf(head satisfies Partial<ConversationExport>)
    yield* listOf('messages', messages())
    yield* listOf('calls', calls())
    yield* listOf(
      'amendments',
      inOrder(amendments.toSorted((a, b) => byId(a.messageId, b.messageId) || a.slot - b.slot)),
    )
    yield* listOf('grants', inOrder(grants))
    yield* listOf('log', log())
    if (tools.length > 0) yield* listOf('tools', inOrder(tools))
    if (pictures.length > 0) yield* listOf('images', images())
    if (tags.length > 0) yield* listOf('tags', inOrder(tags))
    yield '}'
  }
  return { title: conversation.title, pieces: pieces() }
}

/** All of these messages in order, one page at a time. */
async function* pagesOf(store: Source, owner: string, id: string, ids: readonly string[]) {
  for (let at = 0; at < ids.length;) {
    const page = await store.loadMessages(owner, id, ids.slice(at, at + PAGE.count), PAGE)
    // The chat was deleted meanwhile: the incomplete file must not look complete.
    if (!page || page.messages.length === 0) throw noSuchChat()
    yield page
    at = ids.indexOf(page.messages.at(-1)?.id ?? '', at) + 1
  }
}

const byId = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

/** If a later message sent the call's result, the call was not posted when the export began. */
const asItStood = (call: CallRecord, known: ReadonlySet<string>): CallRecord =>
  call.postedIn === null || known.has(call.postedIn) ? call : { ...call, postedIn: null }

function* startOf(head: object): Generator<string> {
  yield JSON.stringify(head).slice(0, -1)
}

async function* inOrder<T>(rows: readonly T[]): AsyncGenerator<T> {
  yield* rows
}

async function* listOf(name: keyof ConversationExport, rows: AsyncIterable<unknown>): AsyncGenerator<string> {
  yield `,${JSON.stringify(name)}:[`
  let before = ''
  for await (const row of rows) {
    yield `${before}${JSON.stringify(row)}`
    before = ','
  }
  yield ']'
}
