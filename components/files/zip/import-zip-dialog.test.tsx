// @vitest-environment jsdom
import { cleanup, render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeAll, expect, it, vi } from 'vitest'
import { createMemoryVfs } from '@/lib/vfs/memory/memory-vfs'
import { handMadeZip } from '@/lib/client/files/zip/testing/hand-made-zip'
import ImportZipDialog from './import-zip-dialog'

beforeAll(() => {
  // jsdom has no modal dialogs.
  HTMLDialogElement.prototype.showModal ??= function show(this: HTMLDialogElement) {
    this.open = true
  }
  HTMLDialogElement.prototype.close ??= function close(this: HTMLDialogElement) {
    this.open = false
  }
})
afterEach(cleanup)

const text = (value: string) => new TextEncoder().encode(value)
const asText = async (vfs: ReturnType<typeof createMemoryVfs>, path: string) => {
  const read = await vfs.read(path)
  return read.ok ? new TextDecoder().decode(read.value) : read.error.code
}

async function setUp(entries: Parameters<typeof handMadeZip>[0]) {
  const vfs = createMemoryVfs()
  await vfs.write('/in/a.txt', text('mine'))
  const onDone = vi.fn<(paths: readonly string[]) => void>()
  render(<ImportZipDialog vfs={vfs} folder="/in" blob={handMadeZip(entries)} messageId="m1" onDone={onDone} />)
  return { vfs, onDone, user: userEvent.setup() }
}

it('lists what is added and what is left out, and keeps both files with the same name', async () => {
  const { vfs, onDone, user } = await setUp([
    { name: 'a.txt', data: 'theirs' },
    { name: 'sub/b.txt', data: 'b' },
    { name: 'hollow/' },
    { name: '../evil.txt', data: 'x' },
  ])
  const words = await screen.findByText(/2 files, 7 B, to/)
  expect(words.textContent).toBe('2 files, 7 B, to /in.')
  expect(within(screen.getByRole('list', { name: 'Left out' })).getByText('../evil.txt')).toBeDefined()
  expect(screen.getByText(/already exists in/).textContent).toBe('a.txt already exists in /in.')
  await user.click(screen.getByRole('button', { name: 'Unpack here' }))
  await vi.waitFor(() => expect(onDone).toHaveBeenCalledWith(['/in/a 2.txt', '/in/sub/b.txt']))
  expect(await asText(vfs, '/in/a.txt')).toBe('mine')
  expect(await asText(vfs, '/in/a 2.txt')).toBe('theirs')
  expect((await vfs.stat('/in/hollow')).ok).toBe(true)
  const history = await vfs.history.list()
  expect(history.ok && history.value.map(({ origin }) => origin)).toEqual([
    { kind: 'user', action: 'unpacked', messageId: 'm1' },
  ])
})

it('replaces files when asked', async () => {
  const { vfs, onDone, user } = await setUp([{ name: 'a.txt', data: 'theirs' }])
  await user.click(await screen.findByRole('radio', { name: 'Replace' }))
  await user.click(screen.getByRole('button', { name: 'Unpack here' }))
  await vi.waitFor(() => expect(onDone).toHaveBeenCalledWith(['/in/a.txt']))
  expect(await asText(vfs, '/in/a.txt')).toBe('theirs')
})

it('says why a zip can’t be unpacked, and can still keep it as a file', async () => {
  const { vfs, onDone, user } = await setUp([{ name: 'a.txt', data: 'x', flags: 0x801 }])
  expect((await screen.findByRole('alert')).textContent).toContain('password')
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Unpack here' }).disabled).toBe(true)
  await user.click(screen.getByRole('button', { name: 'Keep as a file' }))
  await vi.waitFor(() => expect(onDone).toHaveBeenCalledWith(['/in/archive.zip']))
  expect((await vfs.stat('/in/archive.zip')).ok).toBe(true)
})

it('changes nothing if the user cancels', async () => {
  const { vfs, onDone, user } = await setUp([{ name: 'a.txt', data: 'theirs' }])
  await user.click(screen.getByRole('button', { name: 'Cancel' }))
  expect(onDone).toHaveBeenCalledWith([])
  expect((await vfs.usage()).files).toBe(1)
})
