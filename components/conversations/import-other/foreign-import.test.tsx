// @vitest-environment jsdom
import { cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, describe, expect, it } from 'vitest'
import { ChatProvider } from '@/components/context/chat-context'
import { ok } from '@/lib/base/result'
import { loadMessagesOf } from '@/lib/i18n/load-messages'
import type { CallActions, ChatActions } from '@/lib/client/chats/actions'
import { conversationRow } from '@/lib/client/chats/testing/rows'
import type { ForeignImportReply, ForeignWorkerPort, FoundChat } from '@/lib/client/export/other-chats/take-chats'
import { createClientStore } from '@/lib/client/state/store'
import ForeignImport from './foreign-import'

afterEach(cleanup)

const found = (number: number, skipped: FoundChat['skipped']): FoundChat => ({
  number,
  id: `chatgpt-${number}`,
  source: 'chatgpt',
  title: `Chat ${number}`,
  updatedAt: 1_700_000_000_000,
  messages: 2,
  skipped,
})

/** A worker that found these chats and returns each on request. */
function workerWith(chats: readonly FoundChat[]): ForeignWorkerPort {
  let left: readonly FoundChat[] = []
  const worker: ForeignWorkerPort = {
    onmessage: null,
    onerror: null,
    terminate: () => {},
    postMessage(ask) {
      const say = (data: ForeignImportReply) => queueMicrotask(() => worker.onmessage?.({ data }))
      if (ask.kind === 'scan') return say({ kind: 'scanned', found: chats, broken: [], isWhole: true })
      if (ask.kind === 'take') left = chats.filter(({ number }) => ask.numbers.includes(number))
      const [next] = left
      left = left.slice(1)
      if (!next) return say({ kind: 'taken' })
      say({ kind: 'chat', number: next.number, id: next.id, exported: {} as never })
    },
  }
  return worker
}

describe('what is not imported', () => {
  it('is summed up by kind over the chosen chats, before and after the import', async () => {
    await loadMessagesOf('en')
    const chats = [found(0, { files: 2, unknown: 1 }), found(1, { files: 1, damaged: 1 })]
    const api = { importChat: (id: string) => Promise.resolve(ok(conversationRow({ id }))) }
    const opened: string[] = []
    const chat = { search: () => {}, open: (id: string) => void opened.push(id) } as Partial<ChatActions> as ChatActions
    render(
      <ChatProvider value={{ store: createClientStore(), chat, calls: {} as CallActions }}>
        <ForeignImport
          file={new File(['[]'], 'conversations.json')}
          onAgain={() => {}}
          onClose={() => void opened.push('closed')}
          ports={{ startWorker: () => workerWith(chats), api, known: () => Promise.resolve([]) }}
        />
      </ChatProvider>,
    )
    const sum = await screen.findByText(/^Not imported:/)
    expect(sum.textContent).toBe(
      'Not imported: 3 files or images, only the name is kept; 1 part in an unknown format; 1 damaged part.',
    )
    await userEvent.click(screen.getByRole('checkbox', { name: /Chat 1/ }))
    expect(sum.textContent).toBe('Not imported: 2 files or images, only the name is kept; 1 part in an unknown format.')
    await userEvent.click(screen.getByRole('checkbox', { name: /Chat 0/ }))
    expect(screen.queryByText(/^Not imported:/)).toBeNull()
    await userEvent.click(screen.getByRole('checkbox', { name: /Chat 1/ }))
    await userEvent.click(screen.getByRole('button', { name: /^Import/ }))
    expect(await screen.findByText(/was imported/)).toBeTruthy()
    expect(screen.getByText(/^Not imported: 1 file or image, .*; 1 damaged part\.$/)).toBeTruthy()
    await userEvent.click(screen.getByRole('button', { name: 'Open chat' }))
    expect(opened).toEqual(['chatgpt-1', 'closed'])
  })
})
