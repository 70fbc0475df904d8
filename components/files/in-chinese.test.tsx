// @vitest-environment jsdom
import { said } from '@/components/ui/testing/said'
import { cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import type { ReactElement } from 'react'
import { afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { InThread } from '@/components/assistant-ui/testing/in-thread'
import { ChatProvider } from '@/components/context/chat-context'
import { ToolRuntimeProvider } from '@/components/context/tool-runtime-context'
import { englishIn, speakChinese } from '@/components/ui/testing/in-chinese'
import type { CallActions, ChatActions } from '@/lib/client/chats/actions'
import { emptyView, initialState } from '@/lib/client/state/state'
import { showConversation } from '@/lib/client/state/open-conversations'
import { createClientStore } from '@/lib/client/state/store'
import { conversationRow, replyRow, userRow } from '@/lib/client/chats/testing/rows'
import type { ToolRuntime } from '@/lib/shared/tools/tool'
import { createMemoryVfs } from '@/lib/vfs/memory/memory-vfs'
import type { Vfs } from '@/lib/vfs/vfs'
import type { ChangeOrigin } from '@/lib/vfs/vfs-history'
import type { BranchFollower, BranchMove } from '@/lib/client/files/follow-branch'
import { handMadeZip } from '@/lib/client/files/zip/testing/hand-made-zip'
import BranchNotice from './branch-notice'
import CallChange from './call-change'
import { StorageFacts } from './explorer/panel-bars'
import { MessageFiles } from '../thread/message-row'
import RestoreDialog from './restore-dialog'
import FileView from './viewer/file-view'
import WorkspacePanel from './workspace-panel'
import ImportZipDialog from './zip/import-zip-dialog'

beforeAll(async () => {
  await Promise.all([
    import('./viewer/file-view'),
    import('./viewer/binary-view'),
    import('./viewer/code-editor'),
    import('./viewer/image-view'),
    import('./viewer/json-view'),
    import('./viewer/table-view'),
  ])
  // jsdom has no layout and no modal dialogs.
  Object.defineProperty(Element.prototype, 'clientHeight', { configurable: true, get: () => 560 })
  Object.defineProperty(Element.prototype, 'clientWidth', { configurable: true, get: () => 400 })
  Element.prototype.scrollTo ??= () => undefined
  HTMLDialogElement.prototype.showModal ??= function open(this: HTMLDialogElement) {
    this.open = true
  }
  HTMLDialogElement.prototype.close ??= function close(this: HTMLDialogElement) {
    this.open = false
  }
  vi.stubGlobal(
    'ResizeObserver',
    class {
      observe() {}
      unobserve() {}
      disconnect() {}
    },
  )
  Range.prototype.getClientRects = () => [] as unknown as DOMRectList
  Object.assign(URL, { createObjectURL: () => 'blob:x', revokeObjectURL() {} })
})
let goBack = () => {}
beforeEach(() => {
  goBack = speakChinese()
})
afterEach(() => {
  cleanup()
  goBack()
})

const bytes = (text: string) => new TextEncoder().encode(text)
const nothing = () => {}
const call = (messageId: string, tool = 'write_file'): ChangeOrigin => ({
  kind: 'call',
  messageId,
  slot: 0,
  attempt: 1,
  tool,
})
const messages = [
  userRow('u1', null, { text: '写下来' }),
  replyRow('a1', 'u1', { text: '写好了。' }),
  userRow('u2', 'a1', { text: '再写' }),
  replyRow('a2', 'u2', { text: '又写了。' }),
]
const follower = (moved: BranchMove | null): BranchFollower => ({
  look: nothing,
  settled: () => Promise.resolve(),
  moved: () => moved,
  subscribe: () => nothing,
  dismiss: nothing,
  bringAlong: () => Promise.resolve(),
  beforeRun: () => Promise.resolve(nothing),
})

function show(vfs: Vfs, element: ReactElement, path = messages) {
  const store = createClientStore(
    showConversation(initialState, {
      ...emptyView,
      id: 'c1',
      phase: 'ready',
      conversation: conversationRow({ id: 'c1' }),
      tree: new Map(messages.map((row) => [row.id, row])),
      path,
    }),
  )
  render(
    <ChatProvider value={{ store, chat: {} as ChatActions, calls: {} as CallActions }}>
      <ToolRuntimeProvider value={() => Promise.resolve({ vfs } as ToolRuntime)}>
        <InThread>{element}</InThread>
      </ToolRuntimeProvider>
    </ChatProvider>,
  )
  return userEvent.setup()
}

/** Allowed: paths, sizes, keys and tool names. */
const kept = /^(?:\/|[\w./ ]*\/[\w.]*|[\w-]+\.\w+|data|notes|write_file|edit_file|Enter|F2|Del)?$/
const isOurs = (words: string) =>
  /[A-Za-z]{2}/.test(words) &&
  !/\p{sc=Han}/u.test(words) &&
  !kept.test(words.replace(/[\d.,]+ [KM]?B|[/ ]+$/g, '').trim())

/** English text that is left, including one-word labels. */
function notChinese(): readonly string[] {
  const labels = [...document.querySelectorAll('[aria-label]')].map((one) => one.getAttribute('aria-label') ?? '')
  const heads = [...document.querySelectorAll('button, dt, label, h2, h3')].filter((one) => one.childElementCount === 0)
  const words = [...labels, ...heads.map((one) => one.textContent)]
  return [...englishIn(document.body).filter((text) => !kept.test(text)), ...words.filter(isOurs)]
}

const panel = <WorkspacePanel conversationId="c1" onClose={nothing} />

it('the workspace, its tree, menu and dialogs, and their results', async () => {
  const vfs = createMemoryVfs({ now: () => Date.now() })
  await vfs.recording(call('a1')).write('/data/a.csv', bytes('a,b\n1,2\n'))
  await vfs.recording(call('a2', 'edit_file')).write('/b.md', bytes('# b'))
  await vfs.recording({ kind: 'user', action: 'created', messageId: null }).write('/c.zip', bytes('c'))
  const user = show(vfs, panel)
  const tree = await screen.findByRole('tree', { name: '文件' })
  const line = (name: RegExp) => within(tree).getByRole('treeitem', { name })
  await waitFor(() => expect(document.body.textContent).toContain('你新建 · 新建，'))
  await waitFor(() => expect(document.body.textContent).toContain('edit_file · 新建，+1 行 · 刚刚'))
  expect(notChinese()).toEqual([])

  fireEvent.contextMenu(line(/^b\.md/))
  await screen.findByRole('menu', { name: '/b.md 的菜单' })
  expect(notChinese()).toEqual([])
  await user.click(screen.getByRole('menuitem', { name: /创建副本/ }))
  await screen.findByText(said('已创建 /b 2.md。'))
  const undo = screen.getAllByRole('button', { name: '撤销' }).find((one) => one.closest('[data-tone]') !== null)
  if (undo) await user.click(undo)
  await screen.findByText('副本已移除。')
  expect(notChinese()).toEqual([])

  fireEvent.contextMenu(line(/^data/))
  await user.click(screen.getByRole('menuitem', { name: /删除/ }))
  await screen.findByRole('heading', { name: '删除 /data？' })
  expect(notChinese()).toEqual([])
  await user.click(screen.getByRole('button', { name: '取消' }))

  fireEvent.contextMenu(line(/^b\.md/))
  await user.click(screen.getByRole('menuitem', { name: /移动到/ }))
  await screen.findByRole('heading', { name: '将 /b.md 移动到…' })
  expect(notChinese()).toEqual([])
  await user.click(screen.getByRole('button', { name: '移动' }))
  await screen.findByText(said('已将 /b.md 移动到 /data。'))

  await user.click(screen.getByRole('button', { name: '新建文件' }))
  await user.click(screen.getByRole('menuitem', { name: '新建文件夹' }))
  expect(screen.getByRole('textbox').getAttribute('aria-label')).toBe('在 /data 中新建文件夹')
  expect(notChinese()).toEqual([])
  await user.keyboard('{Escape}')
  await user.click(screen.getByRole('button', { name: /\/ / }))
  expect(notChinese()).toEqual([])
})

it('the workspace without files, uploads, and the storage facts', async () => {
  const vfs = createMemoryVfs()
  const user = show(vfs, panel)
  await screen.findByText('还没有文件')
  expect(notChinese()).toEqual([])
  await user.upload(screen.getByLabelText('要上传的第一批文件'), [
    new File(['x'], 'a.txt'),
    new File(['y'], 'b\u200b.txt'),
  ])
  await screen.findByText('已上传 2 个文件。已从 1 个名称中去掉不可见的字符。')
  cleanup()

  const storage = {
    estimate: () => Promise.resolve({ usage: 1_000, quota: 2_000_000 }),
    persisted: () => Promise.resolve(false),
    persist: () => Promise.resolve(false),
  }
  render(<StorageFacts onDownload={nothing} storage={storage} />)
  await user.click(await screen.findByRole('button', { name: '要求浏览器保留这些文件' }))
  await screen.findByText(/浏览器拒绝了/)
  expect(notChinese()).toEqual([])
})

it.each([
  ['/a.txt', 'one', '文本'],
  ['/a.json', '{"a": }', '此处'],
  ['/a.csv', 'a,b\n1,2,3\n', '前 1 行'],
  ['/a.bin', '\0\u0001', '二进制数据'],
  ['/a.zip', 'PK\u0003\u0004\0', '解压…'],
  ['/big.txt', 'x'.repeat(2_000_001), '开头的'],
])('an open file: %s', async (path, text, words) => {
  const vfs = createMemoryVfs()
  await vfs.write(path, bytes(text))
  show(vfs, <FileView vfs={vfs} path={path} messageId={null} onClose={nothing} />)
  await waitFor(() =>
    expect(document.body.textContent).toContain(words.replace('前 1 行', '1 行，3 列；1 行的单元格偏多或偏少')),
  )
  expect(notChinese()).toEqual([])
})

it('restoring, and the branch notices', async () => {
  const vfs = createMemoryVfs()
  await vfs.recording(call('a1')).write('/a.md', bytes('one'))
  await vfs.recording(call('a2')).write('/a.md', bytes('two'))
  show(vfs, <RestoreDialog conversationId="c1" onClose={nothing} follower={follower(null)} />)
  await screen.findByRole('list', { name: '将恢复的文件' })
  expect(screen.getAllByRole('option').map((one) => one.textContent)).toEqual([
    '你写“再写”之前',
    '回复“写好了。”之后',
    '你写“写下来”之前',
  ])
  expect(notChinese()).toEqual([])
  cleanup()
  show(
    vfs,
    <BranchNotice follower={follower({ conversationId: 'c1', changed: ['/d/a', '/d/b'], problem: null })} />,
    messages.slice(0, 2),
  )
  screen.getByText('2 个文件已切换到此对话分支的版本。')
  screen.getByText('前往后面的消息')
  expect(notChinese()).toEqual([])
})

it('a call’s changes, and a message’s files', async () => {
  const vfs = createMemoryVfs()
  await vfs.recording(call('a1')).write('/a.md', bytes('1\n2\n'))
  show(
    vfs,
    <>
      <CallChange conversationId="c1" messageId="a1" slot={0} />
      <CallChange conversationId="c1" messageId="other" slot={0} />
      <MessageFiles
        message={userRow('u1', null, {
          attachments: [
            { path: '/a.txt', mediaType: 'text/plain', size: 9_000, head: 'x'.repeat(2_000), isImage: false },
          ],
        })}
      />
    </>,
  )
  await screen.findByRole('group', { name: /的更改$|更改/ })
  await screen.findByText(/此浏览器不知道它更改了什么/)
  screen.getByText(/^已发送开头的/)
  expect(notChinese()).toEqual([])
})

it('the zip dialogs', async () => {
  const vfs = createMemoryVfs()
  await vfs.write('/in/a.txt', bytes('mine'))
  const zip = handMadeZip([
    { name: 'a.txt', data: 'theirs' },
    { name: '../evil.txt', data: 'x' },
  ])
  render(<ImportZipDialog vfs={vfs} folder="/in" blob={zip} messageId={null} onDone={nothing} />)
  const words = await screen.findByText(said(/将解压到/))
  expect(words.textContent).toBe('1 个文件（6 B）将解压到 /in。')
  screen.getByText('略过了 1 项：')
  expect(notChinese()).toEqual([])
})
