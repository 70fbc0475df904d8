// @vitest-environment jsdom
import { cleanup, render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { englishIn, inChinese } from '@/components/ui/testing/in-chinese'
import { createFakeDisk } from '@/lib/client/folder/testing/fake-disk'
import { createMemoryFolderStore, linkedFolder, type LinkedFolder } from '@/lib/client/folder/testing/folder-of-texts'
import { registerTemporaryChat } from '@/lib/client/outbox/temporary-chats'
import { createMemoryVfs } from '@/lib/vfs/memory/memory-vfs'
import FolderBars from './folder-bars'
import LinkDialog from './link-dialog'
import SyncDialog from './sync-dialog'

const browser = vi.hoisted(() => ({
  canLinkFolders: vi.fn<() => boolean>(() => true),
  pickFolder: vi.fn<() => Promise<unknown>>(),
  permissionOf: vi.fn<() => Promise<PermissionState>>(),
  requestFolderPermission: vi.fn<(folder: unknown, mode: string, signal: AbortSignal) => Promise<string>>(),
  withFolder: vi.fn<(id: string, work: () => Promise<unknown>) => Promise<unknown>>(),
  folderStore: vi.fn<() => unknown>(),
  foldersOf: vi.fn<() => Promise<readonly unknown[]>>(),
  foldersChanged: vi.fn<() => void>(),
  watchFolders: vi.fn<() => () => void>(() => () => undefined),
}))
vi.mock('@/lib/client/wiring/files/folders.browser', () => browser)

beforeAll(() => {
  // jsdom has no modal dialogs.
  HTMLDialogElement.prototype.showModal ??= function show(this: HTMLDialogElement) {
    this.open = true
  }
  HTMLDialogElement.prototype.close ??= function close(this: HTMLDialogElement) {
    this.open = false
  }
})
beforeEach(() => {
  browser.canLinkFolders.mockReturnValue(true)
  browser.permissionOf.mockResolvedValue('granted')
  browser.requestFolderPermission.mockResolvedValue('granted')
  browser.withFolder.mockImplementation((_, work) => work())
})
afterEach(cleanup)

const button = (name: string | RegExp) => screen.findByRole('button', { name })

async function openSync(change: (folder: LinkedFolder) => Promise<void> | void) {
  const folder = await linkedFolder({ 'a.ts': 'one\n', 'b.ts': 'b\n', 'c.ts': 'c\n' })
  browser.folderStore.mockReturnValue(folder.store)
  await change(folder)
  const onClose = vi.fn<() => void>()
  render(<SyncDialog vfs={folder.vfs} link={folder.link} onClose={onClose} />)
  return { folder, onClose, user: userEvent.setup() }
}

describe('the sync dialog', () => {
  it('lists the files to write, and writes the selected ones after one click', async () => {
    const { folder, user } = await openSync(async (of) => {
      await of.write('a.ts', 'two\n')
      await of.write('aux.txt', 'x')
      await of.remove('c.ts')
    })
    const rows = await screen.findByRole('region', { name: 'To write to disk' })
    expect(within(rows).getByText('Windows does not allow this name.')).toBeDefined()
    expect(screen.getByRole('checkbox', { name: 'Write aux.txt' })).toHaveProperty('checked', false)
    expect(screen.getByText(/Deleted files move to/)).toBeDefined()
    await user.click(await button('Show the change to a.ts'))
    expect((await screen.findByRole('group', { name: 'Change to a.ts in the copy' })).textContent).toContain('two')
    expect(folder.disk.files()['a.ts']).toBe('one\n')
    await user.click(await button('Write 2 files to proj'))
    expect((await screen.findByText(/^Wrote 2 files to/)).textContent).toBe('Wrote 2 files to proj.')
    expect(browser.requestFolderPermission).toHaveBeenCalledWith(folder.link.handle, 'readwrite', expect.anything())
    const files = folder.disk.files()
    expect([files['a.ts'], files['aux.txt'], files['c.ts']]).toEqual(['two\n', undefined, undefined])
  })

  it('writes nothing without permission, and explains how to grant it', async () => {
    browser.requestFolderPermission.mockResolvedValue('denied')
    const { folder, user } = await openSync((of) => of.write('a.ts', 'two\n'))
    await user.click(await button('Write 1 file to proj'))
    expect((await screen.findByRole('alert')).textContent).toContain('Click Write again and allow it.')
    expect(folder.disk.files()['a.ts']).toBe('one\n')
  })

  it('can be closed while the browser never answers its question', async () => {
    browser.requestFolderPermission.mockReturnValue(new Promise(() => {}))
    const { user, onClose } = await openSync((of) => of.write('a.ts', 'two\n'))
    await user.click(await button('Write 1 file to proj'))
    await screen.findByText(/asks for permission/)
    await user.click(await button('Close'))
    expect(onClose).toHaveBeenCalledOnce()
    cleanup()
    expect(browser.requestFolderPermission.mock.lastCall?.[2].aborted).toBe(true)
  })

  it.each([
    ['Keep mine', 'mine\n', 'mine\n'],
    ['Keep theirs', 'theirs\n', 'theirs\n'],
    ['Keep both', 'theirs\n', 'theirs\n'],
  ])('shows both sides of a conflict: %s', async (choice, copy, disk) => {
    const { folder, user } = await openSync(async (of) => {
      await of.write('a.ts', 'mine\n')
      of.disk.put('a.ts', 'theirs\n')
    })
    const mine = await screen.findByRole('group', { name: 'Change to a.ts in the copy' })
    const theirs = screen.getByRole('group', { name: 'Change to a.ts on disk' })
    expect([mine.textContent, theirs.textContent].map((text) => text?.includes('one'))).toEqual([true, true])
    expect(screen.queryByRole('button', { name: /^Write/ })).toBeNull()
    // The keyboard can reach this option.
    expect(screen.getByRole('radio', { name: 'Later' })).toMatchObject({ ariaChecked: 'true', tabIndex: 0 })
    await user.click(screen.getByRole('radio', { name: choice }))
    await user.click(await button(choice === 'Keep theirs' ? 'Copy 1 change from disk' : 'Write 1 file to proj'))
    await waitFor(() => expect(screen.queryByText(/^Wrote|are the same/)).not.toBeNull())
    expect([(await folder.copy())['a.ts'], folder.disk.files()['a.ts']]).toEqual([copy, disk])
    expect(folder.disk.files()['a 2.ts']).toBe(choice === 'Keep both' ? 'mine\n' : undefined)
  })

  it('copies changes from the disk', async () => {
    const { folder, user } = await openSync((of) => of.disk.put('new.ts', 'new\n'))
    await user.click(await button('Copy 1 change from disk'))
    await screen.findByText('The copy and the folder on disk are the same.')
    expect((await folder.copy())['new.ts']).toBe('new\n')
  })

  it('does not overwrite a file that changed after the comparison', async () => {
    const { folder, user } = await openSync((of) => of.write('a.ts', 'two\n'))
    const write = await button('Write 1 file to proj')
    folder.disk.put('a.ts', 'someone else\n')
    await user.click(write)
    await screen.findByText('not written: it changed meanwhile')
    expect(folder.disk.files()['a.ts']).toBe('someone else\n')
  })

  it('names the files that were written before an interruption, and continues', async () => {
    const { folder, user } = await openSync(async (of) => {
      await of.write('a.ts', 'two\n')
      const { outgoing } = await of.compare()
      const [row] = outgoing
      await of.store.update(of.link.id, {
        journal: {
          link: of.link.id,
          at: 1,
          rows: [
            {
              path: 'a.ts',
              disk: 'a.ts',
              before: row!.theirs!.hash,
              after: row!.mine!.hash,
              version: 'v',
              done: false,
            },
          ],
        },
      })
    })
    expect((await screen.findByRole('alert')).textContent).toBe(
      'Nod was interrupted while writing to proj. Files written: 0 of 1.',
    )
    await user.click(await button('Continue'))
    await user.click(await button('Write 1 file to proj'))
    await screen.findByText(/^Wrote 1 file to/)
    expect(folder.disk.files()['a.ts']).toBe('two\n')
  })

  it('shows an error if another tab works on the folder', async () => {
    browser.withFolder.mockResolvedValue(null)
    await openSync(() => undefined)
    expect((await screen.findByRole('alert')).textContent).toContain('Another tab')
  })

  it('shows an error if the folder is gone', async () => {
    await openSync((of) =>
      of.disk.setStep(() => {
        throw new DOMException('', 'NotFoundError')
      }),
    )
    expect((await screen.findByRole('alert')).textContent).toContain('it was moved, renamed or deleted')
  })

  it('is translated into Chinese', async () => {
    inChinese()
    await openSync(async (of) => {
      await of.write('a.ts', 'mine\n')
      of.disk.put('a.ts', 'theirs\n')
      await of.write('aux.txt', 'x')
      await of.remove('c.ts')
      of.disk.put('d.ts', 'd')
      await of.write('.git/config', 'x')
    })
    await screen.findByRole('group', { name: '副本中 a.ts 的更改' })
    await screen.findByRole('group', { name: '磁盘上 a.ts 的更改' })
    const page = document.body.cloneNode(true) as HTMLElement
    // The lines of the files in the comparison.
    for (const lines of page.querySelectorAll('[role=group]')) lines.replaceChildren()
    expect(englishIn(page)).toEqual([])
  })
})

function openLink(props: Partial<Parameters<typeof LinkDialog>[0]> = {}) {
  const vfs = createMemoryVfs()
  const store = createMemoryFolderStore()
  browser.folderStore.mockReturnValue(store)
  const onDone = vi.fn<(paths: readonly string[]) => void>()
  render(
    <LinkDialog
      vfs={vfs}
      conversationId="c"
      messageId={null}
      dropped={null}
      onUpload={null}
      onUnpack={() => undefined}
      onDownload={() => undefined}
      onDone={onDone}
      {...props}
    />,
  )
  return { vfs, store, onDone, user: userEvent.setup() }
}

describe('linking a folder', () => {
  it('lists what would be copied first, and copies it as one change', async () => {
    const disk = createFakeDisk('proj')
    for (const path of ['a.ts', 'sub/b.ts', 'node_modules/x.js']) disk.put(path, path)
    disk.put('b\u202Ec.ts', '')
    browser.pickFolder.mockResolvedValue(disk.handle)
    const { vfs, store, onDone, user } = openLink()
    await user.click(await button('Choose a folder'))
    expect((await screen.findByRole('status')).textContent).toBe(
      'proj has 2 files, 12 B. 1 item is left out by ignore rules such as .gitignore.',
    )
    expect(screen.getByText('1 file is left out')).toBeDefined()
    expect((await vfs.list('/')).ok && (await vfs.usage()).files).toBe(0)
    await user.click(await button('Link folder'))
    await waitFor(() => expect(onDone).toHaveBeenCalledWith(['/proj']))
    expect((await store.links('c')).map(({ name, root }) => [name, root])).toEqual([['proj', '/proj']])
    const sets = await vfs.history.list()
    expect(sets.ok && sets.value.map(({ origin }) => origin)).toEqual([
      { kind: 'user', action: 'linked', messageId: null },
    ])
  })

  it('offers a zip if the browser can’t link folders', async () => {
    browser.canLinkFolders.mockReturnValue(false)
    const onUnpack = vi.fn<() => void>()
    const { user } = openLink({ onUnpack })
    expect(screen.getByText(/Use Chrome or Edge/)).toBeDefined()
    expect(screen.queryByRole('button', { name: 'Choose a folder' })).toBeNull()
    await user.click(await button('Unpack a zip'))
    expect(onUnpack).toHaveBeenCalledOnce()
  })

  it('stores no link for a temporary chat', () => {
    registerTemporaryChat('passing')
    openLink({ conversationId: 'passing' })
    expect(screen.getByText(/A temporary chat cannot keep a link/)).toBeDefined()
  })

  it('offers to upload a dropped folder', async () => {
    const disk = createFakeDisk('proj')
    disk.put('a.ts', 'a')
    const onUpload = vi.fn<() => void>()
    const { user } = openLink({ dropped: Promise.resolve(disk.handle), onUpload })
    await button('Link folder')
    await user.click(await button('Upload a copy'))
    expect(onUpload).toHaveBeenCalledOnce()
  })
})

describe('the bar of a linked folder', () => {
  async function openBar(permission: PermissionState) {
    const folder = await linkedFolder({ 'a.ts': 'a' })
    browser.permissionOf.mockResolvedValue(permission)
    browser.folderStore.mockReturnValue(folder.store)
    browser.foldersOf.mockResolvedValue([folder.link])
    render(<FolderBars vfs={folder.vfs} conversationId="c" messageId={null} />)
    return { folder, user: userEvent.setup() }
  }

  it('reconnects after a reload with one click', async () => {
    const { user } = await openBar('prompt')
    expect(screen.queryByRole('button', { name: 'Sync…' })).toBeNull()
    await user.click(await button('Reconnect'))
    await waitFor(() => expect(browser.foldersChanged).toHaveBeenCalled())
  })

  it('can be used again if the browser never answers its question', async () => {
    browser.requestFolderPermission.mockImplementation(
      (_, __, signal) => new Promise((resolve) => signal.addEventListener('abort', () => resolve('left'))),
    )
    const { user } = await openBar('prompt')
    await user.click(await button('Reconnect'))
    await user.click(await button('Cancel'))
    expect(await button('Reconnect')).toBeDefined()
    expect(screen.queryByRole('alert')).toBeNull()
  })

  it('explains what to do if the browser denies permission', async () => {
    await openBar('denied')
    expect((await screen.findByRole('alert')).textContent).toContain('site settings')
  })

  it('unlinks and keeps the copy', async () => {
    const { folder, user } = await openBar('granted')
    await user.click(await button('Unlink proj'))
    expect(screen.getByText(/stays in the workspace/)).toBeDefined()
    await user.click(await button('Unlink'))
    await waitFor(async () => expect(await folder.store.links('c')).toEqual([]))
    expect(await folder.copy()).toEqual({ 'a.ts': 'a' })
  })
})
