// @vitest-environment jsdom
import { said } from '@/components/ui/testing/said'
import { act, cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { ChatProvider } from '@/components/context/chat-context'
import { getCommandHandler, requestPanel } from '@/components/context/commands'
import { ToolRuntimeProvider } from '@/components/context/tool-runtime-context'
import type { CallActions, ChatActions } from '@/lib/client/chats/actions'
import { createClientStore } from '@/lib/client/state/store'
import type { ToolRuntime } from '@/lib/shared/tools/tool'
import { createMemoryVfs } from '@/lib/vfs/memory/memory-vfs'
import type { Vfs } from '@/lib/vfs/vfs'
import WorkspacePanel from '../workspace-panel'
import { fileDraftOf, storeDraft } from '../viewer/use-editing'
import { pathsType } from './use-file-drop'
import { StorageFacts } from './panel-bars'

const saved = vi.hoisted((): { name: string; blob: Blob }[] => [])
vi.mock('@/components/ui/data/download-blob', () => ({
  downloadBlob: (name: string, blob: Blob) => void saved.push({ name, blob }),
}))
// Other parts of the panel, which have their own tests.
vi.mock('../changes/changes-section', () => ({ default: () => null }))
vi.mock('../changes/restore-link', () => ({ RestoreLink: () => null }))
vi.mock('../viewer/file-view', () => ({
  default: ({ path, onClose }: { path: string; onClose: () => void }) => (
    <button type="button" onClick={onClose}>{`open: ${path}`}</button>
  ),
}))

beforeAll(() => {
  // jsdom has no layout and no modal dialogs.
  Object.defineProperty(Element.prototype, 'clientHeight', { configurable: true, get: () => 560 })
  Object.defineProperty(Element.prototype, 'clientWidth', { configurable: true, get: () => 400 })
  Element.prototype.scrollTo ??= () => undefined
  HTMLDialogElement.prototype.showModal ??= function show(this: HTMLDialogElement) {
    this.open = true
  }
  HTMLDialogElement.prototype.close ??= function close(this: HTMLDialogElement) {
    this.open = false
  }
})
afterEach(cleanup)

const bytes = (text: string) => new TextEncoder().encode(text)
const files = ['/data/orders.csv', '/data/target.csv', '/notes/a.md', '/june.svg']

async function setUp(paths: readonly string[] = files) {
  const vfs = createMemoryVfs({ now: () => 1 })
  await vfs.apply(paths.map((path) => ({ kind: 'write', path, data: bytes(path) })))
  const runtime = { vfs, dispose: () => undefined } as Partial<ToolRuntime> as ToolRuntime
  const onClose = vi.fn<() => void>()
  const user = userEvent.setup()
  render(
    <ChatProvider
      value={{
        store: createClientStore(),
        chat: {} as Partial<ChatActions> as ChatActions,
        calls: {} as Partial<CallActions> as CallActions,
      }}
    >
      <ToolRuntimeProvider value={() => Promise.resolve(runtime)}>
        <WorkspacePanel conversationId="c1" focus onClose={onClose} />
      </ToolRuntimeProvider>
    </ChatProvider>,
  )
  const panel = screen.getByRole('complementary', { name: 'Workspace' })
  const tree = paths.length === 0 ? panel : await screen.findByRole('tree', { name: 'Files' })
  if (paths.length > 0) await waitFor(() => expect(document.activeElement).toBe(tree))
  return { vfs, user, tree, panel, onClose }
}

const item = (name: string | RegExp) => screen.findByRole('treeitem', { name })
const names = () => screen.getAllByRole('treeitem').map((line) => line.getAttribute('aria-label'))
const selected = () => screen.queryAllByRole('treeitem', { selected: true }).map((line) => line.dataset['path'])
const pathsOf = async (vfs: Vfs) => {
  const tree = await vfs.tree('/')
  return tree.ok ? tree.value.flatMap(({ kind, path }) => (kind === 'file' ? [path] : [])) : []
}

describe('from the palette', () => {
  it('the workspace runs the command that opened it', async () => {
    requestPanel('new-folder')
    const { panel } = await setUp([])
    expect(await within(panel).findByRole('textbox', { name: /^New folder/ })).toBeTruthy()
  })

  it('the workspace runs its buttons’ commands', async () => {
    const { panel } = await setUp()
    act(() => getCommandHandler('new-file')?.())
    expect(await within(panel).findByRole('textbox', { name: /^New file/ })).toBeTruthy()
    saved.length = 0
    act(() => getCommandHandler('download-zip')?.())
    await waitFor(() => expect(saved.map(({ name }) => name)).toEqual(['files.zip']))
    const pressed: string[] = []
    HTMLInputElement.prototype.click = function press(this: HTMLInputElement) {
      pressed.push(this.getAttribute('aria-label') ?? '')
    }
    for (const command of ['upload-files', 'upload-folder', 'unpack-zip'] as const) getCommandHandler(command)?.()
    Reflect.deleteProperty(HTMLInputElement.prototype, 'click')
    expect(new Set(pressed).size).toBe(3)
  })
})

describe('the file tree', () => {
  it('exposes level, position and state of each row, and points at the active one', async () => {
    const { user, tree } = await setUp()
    expect(names()).toEqual(['data', 'orders.csv', 'target.csv', 'notes', 'a.md', 'june.svg'])
    const orders = await item('orders.csv')
    expect(orders.getAttribute('aria-level')).toBe('2')
    expect(orders.getAttribute('aria-posinset')).toBe('1')
    expect(orders.getAttribute('aria-setsize')).toBe('2')
    await user.keyboard('{ArrowDown}{ArrowDown}')
    expect(tree.getAttribute('aria-activedescendant')).toBe((await item('target.csv')).id)
    await user.keyboard('{ArrowLeft}{ArrowLeft}')
    expect((await item('data')).getAttribute('aria-expanded')).toBe('false')
    expect(names()).toEqual(['data', 'notes', 'a.md', 'june.svg'])
    await user.keyboard('{End}')
    expect(selected()).toEqual(['/june.svg'])
    await user.keyboard('no')
    expect(selected()).toEqual(['/notes'])
  })

  it('selects several with Shift, Ctrl and Space', async () => {
    const { user } = await setUp()
    await user.keyboard('{ArrowDown}{Shift>}{ArrowDown}{ArrowDown}{/Shift}')
    expect(selected()).toEqual(['/data/orders.csv', '/data/target.csv', '/notes'])
    await user.keyboard('{Control>}{ArrowDown}{/Control} ')
    expect(selected()).toContain('/notes/a.md')
    await user.keyboard('{Control>}a{/Control}')
    expect(selected()).toHaveLength(6)
  })

  it('opens a file with Enter and with a press; closing it returns the focus', async () => {
    const { user, tree } = await setUp()
    await user.keyboard('{End}{Enter}')
    await user.click(await screen.findByRole('button', { name: 'open: /june.svg' }))
    expect(document.activeElement).toBe(tree)
    await user.click(await item('a.md'))
    expect(await screen.findByRole('button', { name: 'open: /notes/a.md' })).toBeDefined()
  })

  it('renames in place with F2, checks the name, and can undo it', async () => {
    const { user, vfs, tree } = await setUp()
    await user.keyboard('{End}{F2}')
    const field = screen.getByRole('textbox', { name: 'New name of june.svg' })
    await user.clear(field)
    await user.type(field, 'data/orders.csv{Enter}')
    expect(screen.getByRole('alert').textContent).toContain('A file already exists at /data/orders.csv')
    await user.clear(field)
    await user.type(field, 'july.svg{Enter}')
    await item(/july\.svg/)
    expect(await pathsOf(vfs)).toContain('/july.svg')
    expect(document.activeElement).toBe(tree)
    await waitFor(() => expect(selected()).toEqual(['/july.svg']))
    await user.click(await screen.findByRole('button', { name: 'Undo' }))
    await item(/june\.svg/)
    expect(await pathsOf(vfs)).not.toContain('/july.svg')
  })

  it('keeps the old name on Escape, and on blur if the new one is invalid', async () => {
    const { user, vfs } = await setUp()
    await user.keyboard('{End}{F2}x{Escape}')
    expect(screen.queryByRole('textbox')).toBeNull()
    await user.keyboard('{F2}{Control>}a{/Control}a\\b')
    fireEvent.blur(screen.getByRole('textbox'))
    await waitFor(() => expect(screen.queryByRole('textbox')).toBeNull())
    expect(await pathsOf(vfs)).toContain('/june.svg')
  })

  it('deletes one file immediately with an undo, and asks before it deletes several', async () => {
    const { user, vfs } = await setUp()
    await user.keyboard('{End}{Delete}')
    expect((await screen.findByText(said('Deleted /june.svg.'))).closest('[role=status]')).not.toBeNull()
    expect(await pathsOf(vfs)).not.toContain('/june.svg')
    await user.click(screen.getByRole('button', { name: 'Undo' }))
    await item(/june\.svg/)
    expect(await pathsOf(vfs)).toContain('/june.svg')

    await user.click(await item('data'))
    fireEvent.keyDown(screen.getByRole('tree'), { key: 'Delete' })
    const dialog = within(screen.getByRole('dialog', { name: 'Delete /data?' }))
    expect(dialog.getByText(/2 files/)).toBeDefined()
    await user.click(dialog.getByRole('button', { name: 'Cancel' }))
    expect(await pathsOf(vfs)).toHaveLength(4)
    await user.keyboard('{Control>}a{/Control}{Delete}')
    await user.click(
      within(screen.getByRole('dialog', { name: 'Delete 3 items?' })).getByRole('button', { name: 'Delete' }),
    )
    await screen.findByText('No files yet')
    expect(await pathsOf(vfs)).toEqual([])
  })

  it('keeps unsaved text when a file or its folder is moved, and moved back', async () => {
    const { user, vfs } = await setUp()
    const draft = { base: { version: '1', text: 'a' }, text: 'typed' }
    storeDraft(vfs, '/notes/a.md', draft)
    await user.click(await item(/a\.md/))
    await screen.findByRole('button', { name: 'open: /notes/a.md' })
    fireEvent.drop(await item('data'), transfer({ types: [pathsType], data: JSON.stringify(['/notes']) }))
    await screen.findByRole('button', { name: 'open: /data/notes/a.md' })
    expect([fileDraftOf(vfs, '/notes/a.md'), fileDraftOf(vfs, '/data/notes/a.md')]).toEqual([null, draft])
    await user.click(screen.getByRole('button', { name: 'Undo' }))
    await screen.findByRole('button', { name: 'open: /notes/a.md' })
    expect(fileDraftOf(vfs, '/notes/a.md')).toEqual(draft)
  })

  it('asks before unsaved text is deleted with its file', async () => {
    const { user, vfs } = await setUp()
    storeDraft(vfs, '/june.svg', { base: { version: '1', text: 'a' }, text: 'typed' })
    await user.keyboard('{End}{Enter}')
    fireEvent.keyDown(screen.getByRole('tree'), { key: 'Delete' })
    const dialog = within(screen.getByRole('dialog', { name: 'Delete /june.svg?' }))
    expect(dialog.getByText(said(/^Your edits to \/june\.svg are not saved/))).toBeDefined()
    expect(await pathsOf(vfs)).toContain('/june.svg')
    await user.click(dialog.getByRole('button', { name: 'Delete' }))
    await waitFor(() => expect(screen.queryByRole('button', { name: 'open: /june.svg' })).toBeNull())
    expect(fileDraftOf(vfs, '/june.svg')).toBeNull()
    expect(await pathsOf(vfs)).not.toContain('/june.svg')
  })

  it('opens a row’s menu by key and by press, and moves through a dialog', async () => {
    const { user, vfs } = await setUp()
    await user.keyboard('{End}{Shift>}{F10}{/Shift}')
    const menu = within(screen.getByRole('menu', { name: 'Menu of /june.svg' }))
    expect(menu.getAllByRole('menuitem').map((one) => one.firstChild?.textContent)).toEqual([
      'Open',
      'Rename',
      'Move to…',
      'Duplicate',
      'Download',
      'Copy path',
      'Delete',
    ])
    await user.keyboard('{ArrowDown}{ArrowDown}{Enter}')
    await user.selectOptions(screen.getByRole('listbox', { name: 'Folder' }), '/notes')
    await user.click(screen.getByRole('button', { name: 'Move' }))
    await screen.findByText(said('Moved /june.svg to /notes.'))
    expect(await pathsOf(vfs)).toContain('/notes/june.svg')
    fireEvent.contextMenu(await item('data'))
    await user.click(screen.getByRole('menuitem', { name: 'Duplicate' }))
    await waitFor(async () => expect(await pathsOf(vfs)).toContain('/data 2/orders.csv'))
    await user.keyboard('{Escape}')
    expect(screen.queryByRole('menu')).toBeNull()
  })

  it('moves into a sheet and back at another width, with its dialogs and the focus', async () => {
    const query = Object.assign(new EventTarget(), { matches: false })
    vi.stubGlobal('matchMedia', () => query)
    const turn = (matches: boolean) =>
      act(() => {
        query.matches = matches
        query.dispatchEvent(new Event('change'))
        return Promise.resolve()
      })
    const { user, panel } = await setUp()
    await user.click(await item('data'))
    fireEvent.keyDown(screen.getByRole('tree'), { key: 'Delete' })
    const dialog = screen.getByRole('dialog', { name: 'Delete /data?' })
    const cancel = within(dialog).getByRole('button', { name: 'Cancel' })
    cancel.focus()
    for (const isSheet of [true, false]) {
      await turn(isSheet)
      expect(screen.queryByRole('dialog', { name: 'Workspace' }) !== null).toBe(isSheet)
      expect(panel.closest('dialog') !== null).toBe(isSheet)
      expect(panel.isConnected).toBe(true)
      expect(screen.getByRole('dialog', { name: 'Delete /data?' })).toBe(dialog)
      expect(document.activeElement).toBe(cancel)
    }
    await user.click(cancel)
    expect(selected()).toEqual(['/data'])
    vi.unstubAllGlobals()
  })

  it('includes Nod’s own files in a zip of everything only while they are shown', async () => {
    const { user } = await setUp(['/a.md', '/.nod/state.json'])
    const membersOf = async (button: string) => {
      const before = saved.length
      await user.click(screen.getByRole('button', { name: button }))
      await waitFor(() => expect(saved).toHaveLength(before + 1))
      const text = new TextDecoder('latin1').decode(await saved.at(-1)?.blob.arrayBuffer())
      return ['a.md', '.nod/state.json'].filter((name) => text.includes(name))
    }
    expect(await membersOf('Download as zip')).toEqual(['a.md'])
    await user.click(screen.getByRole('button', { name: 'More for the workspace' }))
    await user.click(screen.getByRole('menuitem', { name: 'Show system files' }))
    await item('.nod')
    expect(await membersOf('Download as zip')).toEqual(['a.md', '.nod/state.json'])
  })

  it('copies the path', async () => {
    const { user } = await setUp()
    await user.keyboard('{End}{Control>}c{/Control}')
    expect(await navigator.clipboard.readText()).toBe('/june.svg')
  })

  it('follows changes made elsewhere', async () => {
    const { vfs } = await setUp()
    await vfs
      .recording({ kind: 'call', messageId: 'm', slot: 0, attempt: 1, tool: 'write_file' })
      .write('/z.txt', bytes('z'))
    expect(await item(/z\.txt/)).toBeDefined()
  })

  it('renders only some of 10,000 rows, wherever the keys lead', async () => {
    const many = Array.from({ length: 10_000 }, (_, index) => `/file-${String(index).padStart(5, '0')}.txt`)
    const { user, tree } = await setUp(many)
    expect(screen.getAllByRole('treeitem').length).toBeLessThan(60)
    expect((await item('file-00000.txt')).getAttribute('aria-setsize')).toBe('10000')
    await user.keyboard('{End}')
    const last = await item('file-09999.txt')
    expect(tree.getAttribute('aria-activedescendant')).toBe(last.id)
    expect(screen.getAllByRole('treeitem').length).toBeLessThan(60)
  })
})

const transfer = (over: { types: readonly string[]; files?: readonly File[]; data?: string }) => ({
  dataTransfer: {
    items: [],
    files: over.files ?? [],
    types: over.types,
    getData: () => over.data ?? '',
    dropEffect: '',
  },
})

describe('dropped files', () => {
  it('move within the tree, but a folder not into itself', async () => {
    const { vfs } = await setUp()
    const drop = async (path: string, onto: string) =>
      fireEvent.drop(await item(onto), transfer({ types: [pathsType], data: JSON.stringify([path]) }))
    await drop('/june.svg', 'a.md')
    await screen.findByText(said('Moved /june.svg to /notes.'))
    expect(await pathsOf(vfs)).toContain('/notes/june.svg')
    await drop('/notes', 'notes')
    expect((await screen.findByRole('alert')).textContent).toContain('/notes cannot be moved into itself.')
  })

  it('open a closed folder that they hover over', async () => {
    const { user } = await setUp()
    await user.click(await item('data'))
    expect(names()).not.toContain('orders.csv')
    vi.useFakeTimers()
    try {
      const line = screen.getByRole('treeitem', { name: 'data' })
      fireEvent.dragOver(line, transfer({ types: ['Files'] }))
      act(() => void vi.advanceTimersByTime(599))
      expect(line.getAttribute('aria-expanded')).toBe('false')
      act(() => void vi.advanceTimersByTime(1))
      expect(line.getAttribute('aria-expanded')).toBe('true')
      fireEvent.click(line)
      fireEvent.dragOver(screen.getByRole('treeitem', { name: 'june.svg' }), transfer({ types: ['Files'] }))
      act(() => void vi.advanceTimersByTime(5_000))
      expect(line.getAttribute('aria-expanded')).toBe('false')
    } finally {
      vi.useRealTimers()
    }
  })

  it('from outside are uploaded to the target; an existing name can be replaced', async () => {
    const { user, vfs } = await setUp()
    const chosen = [new File(['new'], 'a.md')]
    fireEvent.drop(await item('notes'), transfer({ types: ['Files'], files: chosen }))
    await screen.findByText(
      said(/^Uploaded a\.md to \/notes\. \/notes\/a\.md already exists, so the name is \/notes\/a 2\.md\./),
    )
    await user.click(screen.getByRole('button', { name: 'Replace instead' }))
    await screen.findByText(said('Replaced /notes/a.md.'))
    expect(await pathsOf(vfs)).not.toContain('/notes/a 2.md')
    const read = await vfs.read('/notes/a.md')
    expect(read.ok && new TextDecoder().decode(read.value)).toBe('new')
  })

  it('that are too big are refused with a sentence before anything is read', async () => {
    const { vfs, tree } = await setUp()
    const big = new File(['x'], 'big.bin')
    Object.defineProperty(big, 'size', { value: 60_000_000 })
    fireEvent.drop(tree, transfer({ types: ['Files'], files: [new File(['y'], 'small.txt'), big] }))
    expect((await screen.findByRole('alert')).textContent).toContain('“big.bin” is too large: it has 60 MB')
    expect(await pathsOf(vfs)).toHaveLength(4)
  })

  it('include the empty folders of a dropped folder', async () => {
    const { user, vfs, tree } = await setUp()
    const file = {
      isFile: true,
      fullPath: '/data/x.txt',
      file: (take: (file: File) => void) => take(new File(['x'], 'x.txt')),
    }
    const folder = (fullPath: string, inside: readonly unknown[]) => ({
      isFile: false,
      fullPath,
      createReader: () => {
        const batches = [inside, []]
        return { readEntries: (take: (batch: readonly unknown[]) => void) => take(batches.shift() ?? []) }
      },
    })
    const dropped = folder('/data', [file, folder('/data/deep', [folder('/data/deep/void', [])])])
    const entry = { kind: 'file', webkitGetAsEntry: () => dropped }
    const drop = transfer({ types: ['Files'] })
    fireEvent.drop(tree, { dataTransfer: { ...drop.dataTransfer, items: [entry] } })
    await screen.findByText(/Uploaded 1 file and 1 empty folder\./)
    expect((await vfs.stat('/data 2/deep/void')).ok).toBe(true)
    await user.click(screen.getByRole('button', { name: 'Replace instead' }))
    await screen.findByText('Replaced 2 items.')
    expect((await vfs.stat('/data/deep/void')).ok).toBe(true)
    expect((await vfs.stat('/data 2')).ok).toBe(false)
    expect(await pathsOf(vfs)).toContain('/data/x.txt')
  })

  it('can also come by paste and by button, a folder with its names', async () => {
    const { user, vfs, tree } = await setUp()
    fireEvent.paste(tree, { clipboardData: { files: [new File(['p'], 'pasted.png')], items: [] } })
    await screen.findByText(said(/^Uploaded pasted\.png/))
    const inFolder = new File(['1'], 'one.txt')
    Object.defineProperty(inFolder, 'webkitRelativePath', { value: 'trip/day/one.txt' })
    await user.keyboard('{End}')
    await user.upload(screen.getByLabelText('Folder to upload'), [inFolder])
    await waitFor(async () => expect(await pathsOf(vfs)).toContain('/trip/day/one.txt'))
  })
})

describe('the panel', () => {
  it('is friendly when empty, and creates files and folders by name', async () => {
    const { user, vfs } = await setUp([])
    await screen.findByText('No files yet')
    await user.click(screen.getByRole('button', { name: 'New file' }))
    await user.click(screen.getByRole('menuitem', { name: 'New folder' }))
    await user.keyboard('notes{Enter}')
    await waitFor(async () => expect((await item('notes')).getAttribute('aria-selected')).toBe('true'))
    await user.click(screen.getByRole('button', { name: 'New file' }))
    await user.click(screen.getByRole('menuitem', { name: 'New file' }))
    await user.type(screen.getByRole('textbox', { name: 'New file in /notes' }), 'b.md{Enter}')
    expect(await screen.findByRole('button', { name: 'open: /notes/b.md' })).toBeDefined()
    const sets = await vfs.history.list()
    expect(sets.ok && sets.value.map(({ origin }) => origin.kind === 'user' && origin.action)).toEqual([
      'created',
      'created',
    ])
  })

  it('shows the used space, and closes', async () => {
    const { user, onClose } = await setUp()
    expect(screen.getByRole('meter').getAttribute('aria-valuetext')).toBe('52 B of 500 MB')
    await user.click(screen.getByRole('button', { name: 'Close workspace' }))
    expect(onClose).toHaveBeenCalledOnce()
  })

  it('says in a sentence that the files can’t be read, and retries', async () => {
    const get = vi
      .fn<() => Promise<ToolRuntime>>()
      .mockRejectedValueOnce(new Error('The browser refused to start a worker.'))
      .mockResolvedValue({ vfs: createMemoryVfs() } as Partial<ToolRuntime> as ToolRuntime)
    render(
      <ChatProvider
        value={{
          store: createClientStore(),
          chat: {} as Partial<ChatActions> as ChatActions,
          calls: {} as Partial<CallActions> as CallActions,
        }}
      >
        <ToolRuntimeProvider value={get}>
          <WorkspacePanel conversationId="c1" onClose={() => undefined} />
        </ToolRuntimeProvider>
      </ChatProvider>,
    )
    expect((await screen.findByRole('alert')).textContent).toContain('The browser refused to start a worker.')
    fireEvent.click(screen.getByRole('button', { name: 'Try again' }))
    expect(await screen.findByText('No files yet')).toBeDefined()
  })

  it('says whether the browser’s storage is persistent', async () => {
    let agrees = false
    const storage = {
      estimate: () => Promise.resolve({ usage: 2_000_000, quota: 9_000_000_000 }),
      persisted: () => Promise.resolve(agrees),
      persist: () => Promise.resolve(agrees),
    }
    const user = userEvent.setup()
    render(<StorageFacts storage={storage} onDownload={() => undefined} />)
    expect(await screen.findByText(/use 2 MB of 9 GB/)).toBeDefined()
    const ask = screen.getByRole('button', { name: 'Ask the browser to keep these files' })
    await user.click(ask)
    expect(await screen.findByText(/The browser refused\./)).toBeDefined()
    agrees = true
    await user.click(ask)
    expect(await screen.findByText(/The browser keeps these files/)).toBeDefined()
    expect(screen.queryByRole('button', { name: /Ask the browser/ })).toBeNull()
  })
})
