import { expect, it } from 'vitest'
import { createChatHarness } from '@/lib/server/chats/testing/chat-harness'
import { decodeSettings } from '@/lib/shared/conversation/settings/settings'
import type { Append, PatchConversation } from '@/lib/shared/conversation/wire/api-types'
import type { Store } from '@/lib/server/store/ports/store'
import { openTestStore } from '@/lib/server/store/testing/open-test-store'
import type { ApiAnswer } from '../../api/api-failure'
import type { NodApi } from '../../api/nod-api'
import { createFakeServer } from './fake-server'
import { createFaultyApi } from './faults/fault-network'

/*
 * The fake server answers as the real chat service does: each case runs on both, and what the client relies on must be
 * equal, for responses and refusals. Names that a server makes up are listed in order of appearance.
 */

interface Played {
  readonly api: NodApi
  /** Scripts the next reply: it ends after its text, or stays open until it is stopped. */
  readonly script: (text: string, end: 'ends' | 'open') => void
  /** Resolves when the model has written its scripted text so far. */
  readonly settled: (runId: string) => Promise<void>
}

const chat = 'chat-1'
const settings = { model: 'test/scripted' }
const user = (id: string, parentId: string | null, more: Partial<Extract<Append, { kind: 'user' }>> = {}): Append => ({
  kind: 'user',
  id,
  parentId,
  text: `text of ${id}`,
  ...more,
})

function playFake(): Played {
  const server = createFakeServer()
  const scripts: { readonly text: string; readonly end: 'ends' | 'open' }[] = []
  const written = new Set<string>()
  return {
    api: server.api,
    script: (text, end) => void scripts.push({ text, end }),
    async settled(runId) {
      const script = scripts.shift()
      if (!script || written.has(runId)) return
      written.add(runId)
      server.write(runId, script.text)
      if (script.end === 'ends') server.end(runId)
    },
  }
}

function playReal(store: Store): Played {
  const harness = createChatHarness(store)
  const open = new Set<string>()
  let next: 'ends' | 'open' = 'ends'
  const api = createFaultyApi({
    owner: harness.owner,
    // Requests take no time here.
    clock: {
      ...harness.clock,
      after: (_, task) => {
        queueMicrotask(task)
        return () => {}
      },
    },
    service: () => harness.service,
    isOnline: () => true,
    isAlive: () => true,
    nextFate: () => 'fine',
    delay: () => 0,
  })
  return {
    api,
    script(text, end) {
      next = end
      harness.script([{ text }, end === 'ends' ? { finish: 'stop' } : { hang: 'listening' }])
    },
    async settled(runId) {
      if (next === 'open' && !open.has(runId)) {
        open.add(runId)
        await harness.settle()
      } else await harness.service.settled(runId)
    },
  }
}

/** The parts of each response that a client relies on, in a form that is the same on every server. */
function createReport({ api }: Played) {
  const names = new Map<string, string>()
  const named = (id: string | null): string | null => {
    if (id === null || /^(?:u\d|chat-\d|none)/.test(id)) return id
    names.set(id, names.get(id) ?? `made-${names.size + 1}`)
    return names.get(id) ?? null
  }
  const lines: unknown[] = []
  async function tell<T>(what: string, answer: Promise<ApiAnswer<T>>, words: (value: T) => unknown): Promise<T | null> {
    const given = await answer
    if (given.ok) lines.push([what, words(given.value)])
    else {
      const { code, status, headId } = given.error
      lines.push([what, code, status, headId === undefined ? 'no head' : named(headId)])
    }
    return given.ok ? given.value : null
  }
  return {
    lines,
    named,
    async send(append: Append, create = true) {
      const answer = await tell(
        'chat',
        api.chat({ conversationId: chat, append, ...(create && { create: settings }) }),
        ({ runId, replyId, message, conversation, summary }) => ({
          run: named(runId),
          reply: named(replyId),
          message: message && [message.id, message.role, named(message.parentId), message.text],
          head: named(conversation.headId),
          summary: [summary.id, summary.title, summary.running, summary.waitingCalls],
        }),
      )
      return answer ?? { runId: 'none', replyId: 'none' }
    },
    view: () =>
      tell('view', api.view(chat), ({ conversation, messages, calls, activeRunId }) => ({
        title: conversation.title,
        head: named(conversation.headId),
        messages: messages.map((row) => [
          named(row.id),
          named(row.parentId),
          row.role,
          ...(row.role === 'user' ? [row.text] : [row.outcome, row.outcome === null ? '' : row.text]),
        ]),
        calls,
        running: named(activeRunId),
      })),
    list: (query = '') =>
      tell('list', api.conversations(query), ({ conversations }) =>
        conversations.map(({ id, title, running, waitingCalls }) => [id, title, running, waitingCalls]),
      ),
    stop: (runId: string) => tell('stop', api.stopRun(runId), (value) => value),
    patch: (patch: PatchConversation) =>
      tell('patch', api.patchConversation(chat, patch), (row) => [row.title, named(row.headId)]),
    remove: () => tell('remove', api.sortChats([chat], { deleted: true }), (value) => value.length),
    async events(runId: string, after = 0) {
      const stream = await tell('events', api.runEvents(runId, after, new AbortController().signal), () => 'a stream')
      if (!stream) return
      const events = (await new Response(stream).text())
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as { type: string; text?: string; outcome?: string; seq: number })
      lines.push(events.map(({ type, text = '', outcome = '' }) => [type, text, outcome]))
    },
  }
}

type Report = ReturnType<typeof createReport>

const cases: readonly { readonly name: string; readonly run: (report: Report, played: Played) => Promise<void> }[] = [
  {
    name: 'a first message makes its chat, and its reply is written and read',
    async run({ send, view, list, events }, { script, settled }) {
      script('Hello.', 'ends')
      const { runId } = await send(user('u1', null))
      await settled(runId)
      await view()
      await list()
      await list('nothing like it')
      await events(runId)
      await events(runId, 2)
    },
  },
  {
    name: 'a message goes on from the end of the chat, and from nowhere else',
    async run({ send, view }, { script, settled }) {
      script('One.', 'ends')
      const first = await send(user('u1', null))
      await settled(first.runId)
      await send(user('u2', null))
      await send(user('u2', 'u1'))
      script('Two.', 'ends')
      const second = await send(user('u3', first.replyId))
      await settled(second.runId)
      await send(user('u4', first.replyId))
      await view()
    },
  },
  {
    name: 'nothing is said while a reply is written, until it is stopped',
    async run({ send, view, stop, events, list }, { script, settled }) {
      script('Half a', 'open')
      const { runId, replyId } = await send(user('u1', null))
      await settled(runId)
      await send(user('u2', replyId))
      await view()
      await list()
      await stop(runId)
      await settled(runId)
      await view()
      await events(runId)
      script('Whole.', 'ends')
      const next = await send(user('u3', replyId))
      await settled(next.runId)
      await view()
    },
  },
  {
    name: 'the same request twice is one request, while its reply is written and after',
    async run({ send, view, stop }, { script, settled }) {
      script('Half a', 'open')
      const { runId } = await send(user('u1', null))
      await settled(runId)
      await send(user('u1', null))
      await stop(runId)
      await settled(runId)
      await send(user('u1', null))
      await view()
    },
  },
  {
    name: 'a message of one’s own is edited, and a reply is asked for again',
    async run({ send, view }, { script, settled }) {
      for (const append of [
        user('u1', null),
        user('u2', null, { branch: 'edit' }),
        { kind: 'reply', id: 'u3', parentId: 'u2' } as const,
      ]) {
        script(`To ${append.id}.`, 'ends')
        const { runId } = await send(append)
        await settled(runId)
      }
      await view()
    },
  },
  {
    name: 'a chat is renamed, and removed with all that it has',
    async run({ send, patch, view, list, remove }, { script, settled }) {
      script('Hello.', 'ends')
      const { runId } = await send(user('u1', null))
      await settled(runId)
      await patch({ title: 'Another name' })
      await list()
      await remove()
      await view()
      await list()
    },
  },
  {
    name: 'what was asked of an end that is none any more is refused, and so is what is no message',
    async run({ send, patch, view }, { script, settled }) {
      script('One.', 'ends')
      const first = await send(user('u1', null))
      await settled(first.runId)
      await send({ kind: 'reply', id: 'u2', parentId: 'u1', head: 'u1' })
      await send({ kind: 'reply', id: 'u3', parentId: 'none' })
      await send(user('u4', 'none', { branch: 'edit' }))
      await send(user('u5', 'u1', { branch: 'leaf' }))
      await send({ kind: 'tool-results', id: 'u7', parentId: first.replyId })
      await patch({ headId: 'none' })
      script('Two.', 'ends')
      const again = await send({ kind: 'reply', id: 'u6', parentId: 'u1', head: first.replyId })
      await settled(again.runId)
      await patch({ headId: first.replyId })
      await view()
    },
  },
  {
    name: 'what is not there is refused',
    async run({ send, view, patch, remove, events, stop }) {
      await send(user('u1', null), false)
      await view()
      await patch({ title: 'A name' })
      await remove()
      await events('none')
      await stop('none')
    },
  },
]

it.each(cases)('the fake server answers as the chat service does: $name', async ({ run }) => {
  const told = async (played: Played) => {
    const report = createReport(played)
    await run(report, played)
    return report.lines
  }
  const store = await openTestStore({ decodeSettings, now: () => 1_000_000 })
  try {
    const real = await told(playReal(store))
    expect(real.length).toBeGreaterThan(3)
    expect(await told(playFake())).toEqual(real)
  } finally {
    await store.close()
  }
})
