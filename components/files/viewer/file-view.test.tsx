// @vitest-environment jsdom
import { EditorView } from '@codemirror/view'
import { act, cleanup, fireEvent, render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { createMemoryVfs } from '@/lib/vfs/memory/memory-vfs'
import type { Vfs } from '@/lib/vfs/vfs'
import { draftsUnder, moveDrafts } from './use-editing'
import FileView from './file-view'

beforeAll(async () => {
  // Chunks that the page would load on demand.
  await Promise.all([
    import('./code-editor'),
    import('./image-view'),
    import('./json-view'),
    import('./binary-view'),
    import('@/components/markdown/markdown-blocks'),
  ])
  // jsdom has neither modal dialogs nor layout.
  HTMLDialogElement.prototype.showModal ??= function show(this: HTMLDialogElement) {
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
afterEach(cleanup)

const bytes = (text: string) => new TextEncoder().encode(text)
const stored = async (vfs: Vfs, path: string): Promise<string> => {
  const read = await vfs.read(path)
  return read.ok ? new TextDecoder('utf-8', { ignoreBOM: true }).decode(read.value) : read.error.code
}

async function open(path: string, data: string | Uint8Array, vfs: Vfs = createMemoryVfs()) {
  await vfs.write(path, typeof data === 'string' ? bytes(data) : data)
  const onClose = vi.fn<() => void>()
  const view = render(<FileView vfs={vfs} path={path} messageId="m7" onClose={onClose} />)
  const editor = async () => {
    const content = await screen.findByRole('textbox', { name: `Editor: ${path}` })
    const found = EditorView.findFromDOM(content)
    if (!found) throw new Error('no editor')
    return found
  }
  const type = async (text: string, at?: number) => {
    const code = await editor()
    act(() => code.dispatch({ changes: { from: at ?? code.state.doc.length, insert: text } }))
  }
  return { vfs, onClose, editor, type, user: userEvent.setup(), view }
}
const save = () => screen.getByRole<HTMLButtonElement>('button', { name: 'Save' })

describe('editing', () => {
  it('saves with its button in the user’s name, and marks unsaved text', async () => {
    const { vfs, type, user } = await open('/a.txt', 'one')
    await type(' two')
    expect(screen.getByText('· unsaved')).toBeDefined()
    await user.click(save())
    await vi.waitFor(async () => expect(await stored(vfs, '/a.txt')).toBe('one two'))
    await vi.waitFor(() => expect(screen.queryByText('· unsaved')).toBeNull())
    const history = await vfs.history.list()
    expect(history.ok && history.value[0]?.origin).toEqual({ kind: 'user', action: 'edited', messageId: 'm7' })
  })

  it('keeps unsaved text when the file is renamed', async () => {
    const { vfs, type, user, view, onClose } = await open('/a.txt', 'one')
    await type(' two')
    await act(async () => {
      await vfs.move('/a.txt', '/in/b.txt')
      moveDrafts(vfs, '/a.txt', '/in/b.txt')
      view.rerender(<FileView key="moved" vfs={vfs} path="/in/b.txt" messageId="m7" onClose={onClose} />)
    })
    const content = await screen.findByRole('textbox', { name: 'Editor: /in/b.txt' })
    expect(EditorView.findFromDOM(content)?.state.sliceDoc()).toBe('one two')
    expect(draftsUnder(vfs, ['/'])).toEqual(['/in/b.txt'])
    await user.click(save())
    await vi.waitFor(async () => expect(await stored(vfs, '/in/b.txt')).toBe('one two'))
    expect(await stored(vfs, '/a.txt')).toBe('ENOENT')
    await vi.waitFor(() => expect(draftsUnder(vfs, ['/'])).toEqual([]))
  })

  it('saves with Ctrl+S, inside and outside the editor', async () => {
    const { vfs, type, editor } = await open('/a.txt', 'one')
    await type('!')
    fireEvent.keyDown((await editor()).contentDOM, { key: 's', code: 'KeyS', ctrlKey: true })
    await vi.waitFor(async () => expect(await stored(vfs, '/a.txt')).toBe('one!'))
    await type('!')
    fireEvent.keyDown(save(), { key: 's', ctrlKey: true })
    await vi.waitFor(async () => expect(await stored(vfs, '/a.txt')).toBe('one!!'))
  })

  it('keeps the byte order mark and the line endings', async () => {
    const { vfs, type, user, editor } = await open('/a.txt', '\ufeffone\r\ntwo\r\n')
    expect((await editor()).state.doc.lines).toBe(3)
    await type('zero', 0)
    await user.click(save())
    await vi.waitFor(async () => expect(await stored(vfs, '/a.txt')).toBe('\ufeffzeroone\r\ntwo\r\n'))
  })

  it('follows outside changes while nothing is typed', async () => {
    const { vfs, editor } = await open('/a.txt', 'one')
    const code = await editor()
    await act(() => vfs.write('/a.txt', bytes('one and two')))
    await vi.waitFor(() => expect(code.state.sliceDoc()).toBe('one and two'))
  })

  it('says when the text is too large, and loses nothing', async () => {
    const vfs = createMemoryVfs({ limits: { maxFileBytes: 8 } })
    const { type, user, editor } = await open('/a.txt', 'one', vfs)
    await type(' and much more')
    await user.click(save())
    expect((await screen.findByRole('alert')).textContent).not.toBe('')
    expect((await editor()).state.sliceDoc()).toBe('one and much more')
    expect(screen.getByText('· unsaved')).toBeDefined()
  })
})

describe('a file that is changed elsewhere', () => {
  async function conflict() {
    const set = await open('/a.txt', 'one\n')
    await set.type('mine\n')
    await act(() => set.vfs.write('/a.txt', bytes('one\ntheirs\n')))
    await screen.findByText(/changed while you edited it/)
    return set
  }

  it('asks, shows both versions, and does not overwrite it by itself', async () => {
    const { vfs, user, editor } = await conflict()
    expect(save().disabled).toBe(true)
    fireEvent.keyDown((await editor()).contentDOM, { key: 's', code: 'KeyS', ctrlKey: true })
    await user.click(screen.getByRole('button', { name: 'Show changes' }))
    const lines = await screen.findByRole('group', { name: 'Your version and the stored version: /a.txt' })
    expect(within(lines).getByText('theirs')).toBeDefined()
    expect(within(lines).getByText('mine')).toBeDefined()
    expect(await stored(vfs, '/a.txt')).toBe('one\ntheirs\n')
  })

  it('keeps mine', async () => {
    const { vfs, user } = await conflict()
    await user.click(screen.getByRole('button', { name: 'Keep my version' }))
    await user.click(save())
    await vi.waitFor(async () => expect(await stored(vfs, '/a.txt')).toBe('one\nmine\n'))
  })

  it('takes theirs', async () => {
    const { user, editor } = await conflict()
    await user.click(screen.getByRole('button', { name: 'Use the stored version' }))
    expect((await editor()).state.sliceDoc()).toBe('one\ntheirs\n')
    expect(screen.queryByText('· unsaved')).toBeNull()
  })

  it('keeps the text if the file is deleted, and can save it again', async () => {
    const { vfs, type, user } = await open('/a.txt', 'one')
    await type(' two')
    await act(() => vfs.remove('/a.txt'))
    await user.click(await screen.findByRole('button', { name: 'Save again' }))
    await vi.waitFor(async () => expect(await stored(vfs, '/a.txt')).toBe('one two'))
    await vi.waitFor(() => expect(screen.queryByRole('alert')).toBeNull())
  })
})

describe('leaving', () => {
  it('closes immediately if everything is saved', async () => {
    const { user, onClose, editor } = await open('/a.txt', 'one')
    await editor()
    await user.click(screen.getByRole('button', { name: 'Back to files' }))
    expect(onClose).toHaveBeenCalledOnce()
  })

  it('asks about unsaved text: stay, save or discard', async () => {
    const { vfs, user, onClose, type } = await open('/a.txt', 'one')
    await type('!')
    const leave = () => user.click(screen.getByRole('button', { name: 'Back to files' }))
    const answer = async (name: string) => {
      const dialog = within(await screen.findByRole('dialog', { name: 'Unsaved changes' }))
      await user.click(dialog.getByRole('button', { name }))
    }
    await leave()
    await answer('Keep editing')
    expect(onClose).not.toHaveBeenCalled()
    await leave()
    await answer('Save')
    await vi.waitFor(() => expect(onClose).toHaveBeenCalledOnce())
    expect(await stored(vfs, '/a.txt')).toBe('one!')
    await type('?')
    await leave()
    await answer('Discard')
    expect(onClose).toHaveBeenCalledTimes(2)
    expect(await stored(vfs, '/a.txt')).toBe('one!')
  })

  it('keeps unsaved text while other files are open', async () => {
    const { vfs, type, view } = await open('/a.txt', 'one')
    await type(' two')
    view.unmount()
    const again = await open('/b.txt', 'other', vfs)
    again.view.rerender(<FileView vfs={vfs} path="/a.txt" messageId={null} onClose={() => {}} />)
    const content = await screen.findByRole('textbox', { name: 'Editor: /a.txt' })
    expect(EditorView.findFromDOM(content)?.state.sliceDoc()).toBe('one two')
    expect(screen.getByText('· unsaved')).toBeDefined()
  })
})

describe('files that are not plain text', () => {
  it('shows Markdown rendered, and its source for editing', async () => {
    const { user, editor } = await open('/a.md', '# Title\n\nSome *words*.')
    expect(await screen.findByRole('heading', { name: 'Title' })).toBeDefined()
    await user.click(screen.getByRole('radio', { name: 'Edit' }))
    expect((await editor()).state.sliceDoc()).toContain('# Title')
  })

  it('shows JSON as a tree, and the position of an error', async () => {
    await open('/a.json', '{"name": "nod"}')
    expect(await screen.findByRole('group', { name: 'JSON: /a.json' })).toBeDefined()
    cleanup()
    await open('/b.json', '{\n  "a": 1,\n  oops\n}')
    expect((await screen.findByRole('alert')).textContent).toContain('line 3, column 3')
  })

  it('shows HTML in the sealed frame', async () => {
    await open('/a.html', '<h1>Hi</h1>')
    const frame = await screen.findByTitle('Page: /a.html')
    expect(frame.getAttribute('sandbox')).toBe('allow-scripts')
    expect(screen.queryByRole('heading', { name: 'Hi' })).toBeNull()
  })

  it('shows pictures as image elements, and SVG in a sealed frame', async () => {
    await open(
      '/a.png',
      Uint8Array.from('\x89PNG\r\n\x1a\n\0', (c) => c.charCodeAt(0)),
    )
    expect(await screen.findByRole('img', { name: '/a.png' })).toBeDefined()
    cleanup()
    const { view } = await open('/a.svg', '<svg xmlns="http://www.w3.org/2000/svg"><script/></svg>')
    expect((await screen.findByTitle('Image: /a.svg')).getAttribute('sandbox')).toBe('allow-scripts')
    expect(view.container.querySelector('svg script, img')).toBeNull()
  })

  it('shows the bytes of other files, a page at a time', async () => {
    const { user } = await open('/a.bin', new Uint8Array(10_000))
    const hex = await screen.findByLabelText('Bytes of /a.bin')
    expect(hex.textContent).toContain('00000ff0')
    await user.click(screen.getByRole('button', { name: 'Next' }))
    expect(hex.textContent).toContain('00001000')
    expect(screen.getByText(/binary data/, { selector: 'dd' })).toBeDefined()
  })

  it('shows only the first part of a very large text, read-only', async () => {
    const { editor } = await open('/big.log', 'a line of text\n'.repeat(200_000))
    const code = await editor()
    expect(code.state.readOnly).toBe(true)
    expect(code.state.doc.length).toBeLessThanOrEqual(2_000_000)
    expect(screen.getByText(/This file is 3 MB\. Only the first 2 MB are shown/)).toBeDefined()
  })

  it('says that a file does not exist', async () => {
    render(<FileView vfs={createMemoryVfs()} path="/nothing.txt" messageId={null} onClose={() => {}} />)
    expect((await screen.findByRole('alert')).textContent).toContain('/nothing.txt')
  })
})
