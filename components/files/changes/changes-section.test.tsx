// @vitest-environment jsdom
import { cleanup, render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { InThread } from '@/components/assistant-ui/testing/in-thread'
import { ChatProvider } from '@/components/context/chat-context'
import CallUndo from '@/components/tool-call/changes/call-undo'
import { ToolRuntimeProvider } from '@/components/context/tool-runtime-context'
import type { Message } from '@/lib/shared/conversation/conversation'
import type { CallActions, ChatActions } from '@/lib/client/chats/actions'
import { emptyView, initialState } from '@/lib/client/state/state'
import { showConversation as showing } from '@/lib/client/state/open-conversations'
import { createClientStore } from '@/lib/client/state/store'
import { conversationRow, replyRow, userRow } from '@/lib/client/chats/testing/rows'
import type { ToolRuntime } from '@/lib/shared/tools/tool'
import { createMemoryVfs } from '@/lib/vfs/memory/memory-vfs'
import type { Vfs } from '@/lib/vfs/vfs'
import type { ChangeOrigin } from '@/lib/vfs/vfs-history'
import type { BranchFollower, BranchMove } from '@/lib/client/files/follow-branch'
import BranchNotice from '../branch-notice'
import RestoreDialog from '../restore-dialog'
import ChangesSection from './changes-section'

beforeAll(() => {
  // jsdom has no modal dialogs.
  HTMLDialogElement.prototype.showModal ??= function showModal(this: HTMLDialogElement) {
    this.open = true
  }
  HTMLDialogElement.prototype.close ??= function close(this: HTMLDialogElement) {
    this.open = false
  }
})
afterEach(cleanup)

const call = (messageId: string, slot = 0, tool = 'write_file'): ChangeOrigin => ({
  kind: 'call',
  messageId,
  slot,
  attempt: 1,
  tool,
})
const text = (words: string) => new TextEncoder().encode(words)
const holds = async (vfs: Vfs, path: string) => {
  const read = await vfs.read(path)
  return read.ok ? new TextDecoder().decode(read.value) : null
}

const messages: readonly Message[] = [
  userRow('u1', null, { text: 'Write it down' }),
  replyRow('a1', 'u1', { text: 'It is written.' }),
  userRow('u2', 'a1', { text: 'More' }),
  replyRow('a2', 'u2', { text: 'There is more.' }),
  replyRow('other', 'u1', { text: 'Another try.' }),
]

function quietFollower(moved: BranchMove | null = null) {
  return {
    look: vi.fn<() => void>(),
    settled: () => Promise.resolve(),
    moved: () => moved,
    subscribe: () => () => {},
    dismiss: vi.fn<() => void>(),
    bringAlong: vi.fn<() => Promise<void>>(() => Promise.resolve()),
    beforeRun: () => Promise.resolve(() => {}),
  } satisfies BranchFollower
}

function show(vfs: Vfs, element: React.ReactElement, path = messages) {
  const tree = new Map(messages.map((row) => [row.id, row]))
  const store = createClientStore(
    showing(initialState, {
      ...emptyView,
      id: 'c1',
      phase: 'ready',
      conversation: conversationRow({ id: 'c1' }),
      tree,
      path,
    }),
  )
  const chat = {
    addToDraft: vi.fn<ChatActions['addToDraft']>(),
    goBackTo: vi.fn<ChatActions['goBackTo']>(() => true),
    switchBranch: vi.fn<ChatActions['switchBranch']>(),
  }
  const runtime = { vfs } as ToolRuntime
  render(
    <ChatProvider value={{ store, chat: chat as unknown as ChatActions, calls: {} as CallActions }}>
      <ToolRuntimeProvider value={() => Promise.resolve(runtime)}>
        <InThread>{element}</InThread>
      </ToolRuntimeProvider>
    </ChatProvider>,
  )
  return { chat, user: userEvent.setup() }
}

const row = (title: string) => screen.findByRole('group', { name: `Change: ${title}` })
const opened = vi.fn<(path: string) => void>()
const section = <ChangesSection conversationId="c1" onOpen={opened} />

describe('the list of changes', () => {
  it('names what each call did, opens the newest, undoes one and redoes it', async () => {
    const vfs = createMemoryVfs({ now: () => Date.now() })
    await vfs.recording(call('a1')).write('/a.md', text('one\ntwo\n'))
    await vfs.recording(call('a2', 0, 'edit_file')).write('/b.md', text('three\n'))
    const { user } = show(vfs, section)
    const [a, b] = [await row('/a.md'), await row('/b.md')]
    await waitFor(() => expect(a.textContent).toContain('write_file · new, +2 lines · just now'))
    expect(await within(b).findByRole('group', { name: 'Change to /b.md' })).toBeTruthy()
    expect(within(a).queryByRole('group')).toBeNull()

    await user.click(within(a).getByRole('button', { name: 'Undo' }))
    await waitFor(() => expect(a.textContent).toContain('undone by you'))
    expect(await holds(vfs, '/a.md')).toBeNull()
    expect(a.querySelector('s')?.textContent).toBe('/a.md')
    await user.click(within(a).getByRole('button', { name: 'Redo' }))
    await waitFor(() => expect(within(a).getByRole('button', { name: 'Undo' })).toBeTruthy())
    expect(await holds(vfs, '/a.md')).toBe('one\ntwo\n')
  })

  it('says what an undo leaves unchanged, and undoes the later change too when asked', async () => {
    const vfs = createMemoryVfs()
    await vfs.recording(call('a1')).write('/a.md', text('one'))
    await vfs.recording(call('a1')).write('/other.md', text('one'))
    await vfs.recording(call('a2')).write('/a.md', text('two'))
    const { user } = show(vfs, section)
    const first = await row('2 files in /')
    await user.click(within(first).getByRole('button', { name: 'Undo' }))
    await waitFor(() =>
      expect(first.textContent).toContain('/a.md was not changed, because it was changed again later.'),
    )
    expect([await holds(vfs, '/a.md'), await holds(vfs, '/other.md')]).toEqual(['two', null])
    await user.click(within(first).getByRole('button', { name: 'Also undo later changes to it' }))
    await waitFor(async () => expect(await holds(vfs, '/a.md')).toBeNull())
  })

  it('collapses the rows of other branches, with links to them', async () => {
    const vfs = createMemoryVfs()
    await vfs.recording(call('a1')).write('/a.md', text('one'))
    await vfs.recording(call('other')).write('/b.md', text('two'))
    await vfs.history.follow(['a1'])
    const { user, chat } = show(vfs, section)
    await row('/a.md')
    expect(screen.queryByRole('group', { name: 'Change: /b.md' })).toBeNull()
    await user.click(screen.getByRole('button', { name: 'On other branches (1)' }))
    await user.click(within(await row('/b.md')).getByRole('button', { name: 'Go to branch' }))
    expect(chat.switchBranch).toHaveBeenCalledWith('other')
  })

  it('lists the paths of a large change, says when there are none, and when older changes were dropped', async () => {
    const vfs = createMemoryVfs({ limits: { maxHistorySets: 1 } })
    const { user } = show(vfs, section)
    expect(await screen.findByText(/No changes yet/)).toBeTruthy()
    await vfs.recording(call('a1')).write('/x', text('x'))
    const many = vfs.recording(call('a2'))
    for (let at = 0; at < 3; at++) await many.write(`/data/${at}`, text('x'))
    const group = await row('3 files in /data')
    await user.click(within(group).getByRole('button', { name: '/data/1' }))
    expect(opened).toHaveBeenCalledWith('/data/1')
    expect(screen.getByText(/Older changes were removed to save space/)).toBeTruthy()
  })
})

describe('a card', () => {
  it('undoes its own call, and offers to tell the model', async () => {
    const vfs = createMemoryVfs()
    await vfs.recording(call('a1', 1)).write('/a.md', text('one'))
    const { user, chat } = show(vfs, <CallUndo place={document.body} conversationId="c1" messageId="a1" slot={1} />)
    await user.click(await screen.findByRole('button', { name: 'Undo' }))
    await screen.findByText('undone by you')
    await user.click(screen.getByRole('button', { name: 'Tell the model' }))
    expect(chat.addToDraft).toHaveBeenCalledWith(
      'I undid what write_file did to /a.md; the files are as they were before it.',
    )
    await user.click(screen.getByRole('button', { name: 'Redo' }))
    await screen.findByRole('button', { name: 'Undo' })
    expect(await holds(vfs, '/a.md')).toBe('one')
  })

  it('says that the model learns of it only from a message, and claims no more than was undone', async () => {
    const vfs = createMemoryVfs()
    await vfs.recording(call('a1', 1)).write('/a.md', text('one'))
    await vfs.recording({ kind: 'user', action: 'edited', messageId: null }).write('/a.md', text('mine'))
    const { user, chat } = show(vfs, <CallUndo place={document.body} conversationId="c1" messageId="a1" slot={1} />)
    await user.click(await screen.findByRole('button', { name: 'Undo' }))
    await screen.findByText('The model does not know yet that you undid this.')
    await user.click(screen.getByRole('button', { name: 'Tell the model' }))
    expect(chat.addToDraft).toHaveBeenCalledWith(expect.stringContaining('changed again later stay as they are.'))
    expect(screen.getByText(/The model gets it when you send the message\./)).toBeTruthy()
  })

  it('shows nothing for a call that changed nothing', async () => {
    const vfs = createMemoryVfs()
    await vfs.recording(call('a1', 1)).write('/a.md', text('one'))
    show(
      vfs,
      <div data-testid="card">
        <CallUndo place={document.body} conversationId="c1" messageId="a1" slot={0} />
        {section}
      </div>,
    )
    await row('/a.md')
    expect(screen.queryByText(/It (changed|created)/)).toBeNull()
  })
})

describe('the restore dialog', () => {
  async function asked(what: 'Files' | 'Chat' | 'Both') {
    const vfs = createMemoryVfs()
    await vfs.recording(call('a1')).write('/a.md', text('one'))
    await vfs.recording(call('a2')).write('/a.md', text('two'))
    await vfs.recording(call('a2')).write('/b.md', text('b'))
    await vfs.recording({ kind: 'user', action: 'created', messageId: 'a2' }).write('/mine.md', text('m'))
    const follower = quietFollower()
    const closed = vi.fn<() => void>()
    const shown = show(vfs, <RestoreDialog conversationId="c1" messageId="u2" onClose={closed} follower={follower} />)
    const dialog = await screen.findByRole('dialog', { name: 'Restore to this message' })
    const list = await within(dialog).findByRole('list', { name: 'Files that change' })
    expect(list.textContent).toBe('/a.mdchanged back/b.mddeleted/mine.mddeleted')
    await shown.user.click(within(dialog).getByRole('radio', { name: what }))
    await shown.user.click(within(dialog).getByRole('button', { name: 'Restore' }))
    await waitFor(() => expect(closed).toHaveBeenCalled())
    return { ...shown, vfs, follower }
  }

  it('restores the files only', async () => {
    const { vfs, chat } = await asked('Files')
    expect([await holds(vfs, '/a.md'), await holds(vfs, '/b.md')]).toEqual(['one', null])
    expect(chat.goBackTo).not.toHaveBeenCalled()
    expect(chat.addToDraft).not.toHaveBeenCalled()
  })

  it('restores the chat only, and returns the message’s text', async () => {
    const { vfs, chat } = await asked('Chat')
    expect(await holds(vfs, '/a.md')).toBe('two')
    expect(chat.goBackTo).toHaveBeenCalledWith('a1')
    expect(chat.addToDraft).toHaveBeenCalledWith('More')
  })

  it('restores both: changes by hand are undone, and changes by calls follow the branch', async () => {
    const { vfs, chat, follower } = await asked('Both')
    expect([await holds(vfs, '/mine.md'), await holds(vfs, '/b.md')]).toEqual([null, 'b'])
    expect(chat.goBackTo).toHaveBeenCalledWith('a1')
    expect(follower.look).toHaveBeenCalled()
  })
})

describe('the notice about changed files', () => {
  const moved: BranchMove = { conversationId: 'c1', changed: ['/d', '/d/a', '/d/b'], problem: null }

  it('counts files, lists them, and keeps them when asked', async () => {
    const follower = quietFollower(moved)
    const { user } = show(createMemoryVfs(), <BranchNotice follower={follower} />)
    expect(screen.getByText('2 files are now as they were on this branch of the chat.')).toBeTruthy()
    await user.click(screen.getByRole('button', { name: 'Show the files' }))
    expect(screen.getByText('/d/b')).toBeTruthy()
    await user.click(screen.getByRole('button', { name: 'Keep them as they were before' }))
    expect(follower.bringAlong).toHaveBeenCalledOnce()
  })

  it('says where a restored chat ends, and offers the way forward', async () => {
    const { user, chat } = show(createMemoryVfs(), <BranchNotice follower={quietFollower()} />, messages.slice(0, 2))
    await user.click(screen.getByRole('button', { name: 'Go to later messages' }))
    expect(chat.switchBranch).toHaveBeenCalledWith('u2')
  })
})
