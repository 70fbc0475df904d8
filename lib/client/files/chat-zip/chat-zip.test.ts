import { failures } from '@/lib/vfs/vfs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ConversationExport } from '@/lib/shared/conversation/wire/api-types'
import { defaultSettings } from '@/lib/shared/conversation/settings/settings'
import { createMemoryVfs } from '@/lib/vfs/memory/memory-vfs'
import { createZip, type ZipMember } from '../zip/create-zip'
import { readZip } from '../zip/read-zip'
import { packChat, UnreadableFile, base64ToBytes, bytesToBase64 } from './pack-chat'
import { packProject, unpackProject } from './project-zip'
import { unpackChat, type UnpackedChat, placeImported } from './unpack-chat'
import { writeProjectFile } from '@/lib/shared/conversation/settings/preset-and-project-files'

const bytes = (text: string) => new TextEncoder().encode(text)
const signal = new AbortController().signal

const exported: ConversationExport = {
  format: 'nod-conversation',
  version: 2,
  exportedAt: Date.UTC(2026, 1, 1),
  conversation: {
    id: 'c',
    title: 'Orders <b>\ud800',
    settings: defaultSettings('demo/demo'),
    settingsProblem: null,
    headId: null,
    createdAt: 1,
    updatedAt: 2,
  },
  messages: [],
  calls: [],
  amendments: [],
  grants: [],
  log: [],
  images: [
    { messageId: 'u1', number: 0, mediaType: 'image/jpeg', data: bytesToBase64(bytes('jpeg')) },
    { messageId: 'u1', number: 3, mediaType: 'image/png', data: bytesToBase64(bytes('png')) },
  ],
}

const record = () => Promise.resolve(bytes('{}\n'))
const pack = (vfs = createMemoryVfs(), hide = (text: string) => text) =>
  packChat(exported, { vfs, createZip, signal, onProgress: () => {}, record, hide })

async function unpack(blob: Blob): Promise<UnpackedChat> {
  const read = await unpackChat(blob, { readZip, signal, onProgress: () => {} })
  if (!read.ok) throw new Error(read.error)
  return read.value
}
const refusal = async (blob: Blob): Promise<string> => {
  const read = await unpackChat(blob, { readZip, signal, onProgress: () => {} })
  return read.ok ? 'it was taken' : read.error
}
const zipOf = (members: Readonly<Record<string, string>>): Promise<Blob> =>
  createZip(
    Object.entries(members).map(([path, text]): ZipMember => ({
      path,
      modifiedAt: 0,
      read: () => Promise.resolve(bytes(text)),
    })),
  )

describe('a chat as a zip', () => {
  it('is restored completely: conversation, images, files byte for byte, empty folders', async () => {
    const name = fc.stringMatching(/^[a-zé日]{1,6}(\.[a-z]{1,3})?$/)
    await fc.assert(
      fc.asyncProperty(
        fc.dictionary(name, fc.uint8Array({ maxLength: 300 }), { maxKeys: 5, noNullPrototype: true }),
        async (contents) => {
          const vfs = createMemoryVfs()
          for (const [path, data] of Object.entries(contents)) await vfs.write(`/folder/${path}`, data)
          await vfs.makeDirectory('/empty/inner')
          const chat = await unpack(await pack(vfs))
          // JSON keeps a lone surrogate as it is.
          expect(chat.exported).toEqual(exported)
          const copy = createMemoryVfs()
          expect(await placeImported(copy, chat)).toBeNull()
          const flat = async (from: typeof vfs) => {
            const tree = await from.tree('/')
            const entries = tree.ok ? tree.value : []
            return Promise.all(entries.map(async ({ path, kind }) => [path, kind, await from.read(path)]))
          }
          expect(await flat(copy)).toEqual(await flat(vfs))
        },
      ),
      { numRuns: 15 },
    )
  })

  it('explains its contents', async () => {
    const vfs = createMemoryVfs()
    await vfs.write('/a.txt', bytes('12345'))
    const read = await readZip(await pack(vfs), { maxFiles: 99, maxFileBytes: 1e6, maxTotalBytes: 1e6 })
    const files = read.ok ? read.value.files : []
    expect(files.map(({ path }) => path)).toEqual([
      'README.txt',
      'conversation.json',
      'log.json',
      'images/u1-0.jpg',
      'images/u1-3.png',
      'files/a.txt',
      'record.jsonl',
    ])
    expect(new TextDecoder().decode(files[0]?.data)).toContain('the workspace: 1 files, 5 B')
  })

  it('fails if a file can’t be read or it is cancelled', async () => {
    const vfs = createMemoryVfs()
    await vfs.write('/a.txt', bytes('1'))
    const broken: typeof vfs = {
      ...vfs,
      read: () => Promise.resolve(failures.unreadable()),
    }
    await expect(pack(broken)).rejects.toThrow(UnreadableFile)
    const stopped = AbortSignal.abort(new Error('given up'))
    const ports = { vfs, createZip, signal: stopped, onProgress: () => {}, record, hide: (text: string) => text }
    await expect(packChat(exported, ports)).rejects.toThrow('given up')
  })
})

it('contains placeholders in the results that Nod put into files, and the user’s files unchanged', async () => {
  const vfs = createMemoryVfs()
  await vfs.write('/.nod/results/1.txt', bytes('key: hunter2'))
  await vfs.write('/.nod/results/2.bin', new Uint8Array([0xff, 0xfe]))
  await vfs.write('/.env', bytes('key: hunter2'))
  const { files } = await unpack(await pack(vfs, (text) => text.replaceAll('hunter2', '⟦secret-1⟧')))
  const textAt = (path: string) => new TextDecoder().decode(files.find((file) => file.path.endsWith(path))?.data)
  expect(textAt('results/1.txt')).toBe('key: ⟦secret-1⟧')
  expect(textAt('.env')).toBe('key: hunter2')
  expect(files.find(({ path }) => path.endsWith('2.bin'))?.data).toEqual(new Uint8Array([0xff, 0xfe]))
})

describe('imports', () => {
  it('accept the conversation alone, too', async () => {
    const chat = await unpack(new Blob([JSON.stringify(exported)]))
    expect(chat).toMatchObject({ exported, files: [], skipped: [] })
  })

  it.each([
    ['a picture', () => new Blob(['\u0089PNG'])],
    ['other JSON', () => new Blob(['{"format":"something"}'])],
    ['an array', () => new Blob(['[]'])],
    ['a broken JSON', () => new Blob(['{'])],
    ['nothing', () => new Blob([])],
  ])('reject %s', async (_, blob) => {
    expect(await refusal(blob())).toMatch(/^This file contains no chat that Nod can import/)
  })

  it('reject another zip, and a truncated one', async () => {
    expect(await refusal(await zipOf({ 'a.txt': 'a' }))).toMatch(/^This file contains no chat/)
    const whole = await pack()
    expect(await refusal(whole.slice(0, whole.size - 60))).not.toBe('it was taken')
  })

  it('leave out names that lead elsewhere; missing images stay without data', async () => {
    const { images: _, ...rest } = exported
    const images = [{ messageId: 'u1', number: 0, mediaType: 'image/png', file: 'images/none.png' }, 7]
    const chat = await unpack(
      await zipOf({
        'conversation.json': JSON.stringify({ ...rest, images }),
        'files/../../etc/passwd': 'x',
        'files/fine.txt': 'y',
        'elsewhere.txt': 'z',
      }),
    )
    expect(chat.files.map(({ path }) => path)).toEqual(['fine.txt'])
    expect(chat.skipped).toHaveLength(1)
    expect(chat.exported['images']).toEqual([{ messageId: 'u1', number: 0, mediaType: 'image/png' }, 7])
  })

  it('say if there is no space, and then write nothing', async () => {
    const vfs = createMemoryVfs({ limits: { maxTotalBytes: 5 } })
    const files = [
      { path: 'a', data: bytes('1') },
      { path: 'b', data: bytes('123456') },
    ]
    expect(await placeImported(vfs, { files, folders: ['x'] })).toMatch(/not enough space/)
    expect(await vfs.list('/')).toMatchObject({ value: [] })
  })
})

it('encodes and decodes base64 for any bytes', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (data) => {
      expect(base64ToBytes(bytesToBase64(data))).toEqual(data)
    }),
  )
  const large = new Uint8Array(100_001).map((_, index) => index % 251)
  expect(Buffer.from(bytesToBase64(large), 'base64').equals(Buffer.from(large))).toBe(true)
})

describe('a project', () => {
  const content = { name: 'Boat', instructions: 'Answer like a sailor.', setup: null }
  const text = writeProjectFile(content, 'Likes tea.')
  const packed = (chats: readonly string[], packOne: (id: string) => Promise<Blob>) =>
    packProject(
      { text, files: [{ path: 'notes/log.md', data: bytes('Day one.') }], chats },
      { createZip, packChat: packOne, signal, now: 1, onProgress: () => {} },
    )

  it('is unpacked with its settings, files and chats, in their order', async () => {
    const vfs = createMemoryVfs()
    await vfs.write('/a.txt', bytes('in a chat'))
    const read = await unpackProject(await packed(['one', 'two'], () => pack(vfs)), { readZip, signal })
    if (!read.ok) throw new Error(read.error)
    const { project, files, chats, skipped } = read.value
    expect(project).toEqual({ ...content, memory: 'Likes tea.' })
    expect(files).toEqual([{ path: 'notes/log.md', data: bytes('Day one.') }])
    expect(skipped).toEqual([])
    const both = await Promise.all(chats.map(unpack))
    expect(both.map((chat) => chat.files)).toEqual(
      Array.from({ length: 2 }, () => [{ path: 'a.txt', data: bytes('in a chat') }]),
    )
  })

  it('is not packed without one of its chats', async () => {
    const broken = () => Promise.reject(new UnreadableFile('a.txt can’t be read.'))
    await expect(packed(['one'], broken)).rejects.toThrow('a.txt can’t be read.')
  })

  it('is read from its settings alone, and refused if it is something else', async () => {
    expect(await unpackProject(new Blob([text]), { readZip, signal })).toMatchObject({ value: { chats: [] } })
    for (const blob of [await pack(), new Blob(['{}']), await zipOf({ 'project.json': '{}' })]) {
      expect(await unpackProject(blob, { readZip, signal })).toMatchObject({ ok: false })
    }
  })
})
