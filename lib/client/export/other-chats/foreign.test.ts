import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { checkImport } from '@/lib/server/sharing/conversation-import'
import { exportOfReadable } from '@/lib/shared/conversation/readable/export-of-readable'
import { createZip } from '@/lib/client/files/zip/create-zip'
import { readForeignChat } from './foreign-chat'
import { isForeignFile } from './take-chats'
import { readForeignFile, createChatCutter, type CutPiece } from './read-foreign-file'

const node = (
  id: string,
  parent: string | null,
  children: readonly string[],
  role: string,
  text: unknown,
  more = {},
) => ({
  [id]: {
    id,
    parent,
    children,
    message:
      text === null
        ? null
        : {
            author: { role },
            create_time: 1_700_000_000.5,
            content: typeof text === 'string' ? { content_type: 'text', parts: [text] } : text,
            recipient: 'all',
            metadata: { model_slug: 'gpt-4o' },
            ...more,
          },
  },
})

const chatGpt = {
  id: 'conv-1',
  title: 'Trip',
  create_time: 1_700_000_000,
  update_time: 1_700_000_100,
  current_node: 'b2',
  mapping: {
    ...node('root', null, ['sys'], 'system', null),
    ...node('sys', 'root', ['u'], 'system', 'You are ChatGPT'),
    ...node('u', 'sys', ['b1', 'b2'], 'user', {
      content_type: 'multimodal_text',
      parts: [
        { content_type: 'image_asset_pointer', asset_pointer: 'sediment://file-abc', size_bytes: 12 },
        'Where to?',
      ],
    }),
    ...node('b1', 'u', [], 'assistant', 'Rome'),
    ...node('b2', 'u', ['t'], 'assistant', { content_type: 'code', text: 'search("Oslo")' }, { recipient: 'browser' }),
    ...node('t', 'b2', ['b3'], 'tool', { content_type: 'execution_output', text: 'Oslo is cold' }),
    ...node('b3', 't', ['u2'], 'assistant', 'Oslo'),
    ...node('u2', 'b3', ['b4'], 'user', 'Thanks'),
    ...node('b4', 'u2', [], 'assistant', { content_type: 'thoughts', thoughts: [{ summary: 'S', content: 'C' }] }),
  },
}
const claude = {
  uuid: 'c-1',
  name: 'Plan',
  created_at: '2026-01-01T00:00:00Z',
  updated_at: '2026-01-02T00:00:00Z',
  chat_messages: [
    {
      sender: 'human',
      text: 'Hi',
      content: [],
      created_at: '2026-01-01T00:00:00Z',
      attachments: [{ file_name: 'a.txt', file_size: 3, extracted_content: 'abc' }],
      files: [{ file_name: 'a.txt' }, { file_name: 'b.png' }],
    },
    {
      sender: 'assistant',
      text: '',
      content: [
        { type: 'thinking', thinking: 'hm' },
        { type: 'text', text: 'Looking.' },
        { type: 'tool_use', name: 'search', input: { q: 'x' } },
        { type: 'tool_result', name: 'search', content: [{ type: 'text', text: 'found' }] },
      ],
    },
  ],
}

describe('a chat of ChatGPT', () => {
  it('keeps its branches, ends where it was shown, and hides invisible messages', () => {
    const read = readForeignChat(JSON.stringify(chatGpt))
    if (!read.ok) throw new Error(read.why)
    const { messages, conversation } = exportOfReadable(read.chat, 1)
    expect(messages.map(({ role, text }) => [role, text.replaceAll(/\s+/g, ' ')])).toEqual([
      ['user', 'Where to? File file-abc, 12 B'],
      ['assistant', 'Rome'],
      ['assistant', expect.stringMatching(/Call to `browser`.*search\("Oslo"\).*Oslo is cold.*Oslo$/)],
      ['user', 'Thanks'],
      ['assistant', ''],
    ])
    expect(JSON.stringify(messages)).not.toContain('You are ChatGPT')
    expect(messages[0]?.id).toBe(messages[1]?.parentId)
    expect(messages[0]?.id).toBe(messages[2]?.parentId)
    expect(messages.at(-1)).toMatchObject({ reasoning: 'S\n\nC', toolsEnabled: false, model: 'gpt-4o' })
    expect(conversation).toMatchObject({ title: 'Trip', createdAt: 1_700_000_000_000 })
  })

  it('survives a tree with cycles, and missing parents', () => {
    const mapping = {
      ...node('a', 'gone', ['b', 'b', 'a'], 'user', 'one'),
      ...node('b', 'a', ['a'], 'assistant', 'two'),
      ...node('x', 'y', ['y'], 'user', 'lost'),
      ...node('y', 'x', ['x'], 'user', 'lost'),
    }
    const read = readForeignChat(JSON.stringify({ title: 't', current_node: 'nowhere', mapping }))
    expect(read.ok && read.chat.messages.map((one) => one.by)).toEqual(['person', 'model', 'person', 'person'])
  })
})

it('reads a chat of Claude: text, thoughts, calls as text, files by name', () => {
  const read = readForeignChat(JSON.stringify(claude))
  if (!read.ok) throw new Error(read.why)
  const { messages } = exportOfReadable(read.chat, 1)
  expect(messages[0]?.text).toContain('Hi')
  expect(messages[0]?.text).toContain('abc')
  expect(messages[0]?.text).toContain('b.png')
  expect(messages[1]).toMatchObject({ reasoning: 'hm', toolsEnabled: false })
  expect(messages[1]?.text.replaceAll(/\s+/g, ' ')).toMatch(
    /^Looking\. \*\*Call to `search`\*\* · done.*"q": "x".*found/,
  )
})

it('titles a chat without a title by its first message, or by the files of it', () => {
  const titleOf = (messages: readonly unknown[]) => {
    const read = readForeignChat(JSON.stringify({ messages }))
    return read.ok ? read.chat.title : read.why
  }
  const answer = { role: 'assistant', content: 'hi' }
  expect(titleOf([{ role: 'user', content: ' How do\n I fold? ' }, answer])).toBe('How do I fold?')
  expect(titleOf([{ role: 'user', content: 'word '.repeat(30) }, answer])).toHaveLength(60)
  expect(titleOf([answer])).toBe('')
  const read = readForeignChat(JSON.stringify({ ...claude, name: '  ' }))
  expect(read.ok && read.chat.title).toBe('Hi')
})

it('gives the same chat the same id, and other chats others', () => {
  const idOf = (value: unknown) => {
    const read = readForeignChat(JSON.stringify(value))
    return read.ok ? read.id : read.why
  }
  expect(idOf(chatGpt)).toBe(idOf({ ...chatGpt, title: 'renamed' }))
  expect(idOf(chatGpt)).toMatch(/^chatgpt-[0-9a-f]{32}$/)
  expect(idOf({ ...chatGpt, id: 'conv-2' })).not.toBe(idOf(chatGpt))
  expect([idOf({ title: 'x' }), idOf({ mapping: {} }), idOf([1])]).toEqual(['unknown-form', 'no-words', 'unknown-form'])
})

it('never throws, and produces a valid import, whatever is in a chat', () => {
  const value = fc.oneof(
    fc.record({ mapping: fc.dictionary(fc.constantFrom('a', 'b', 'c'), fc.jsonValue()) }),
    fc.record({ chat_messages: fc.array(fc.jsonValue({ maxDepth: 3 }), { maxLength: 4 }) }),
    fc.record({
      mapping: fc.dictionary(
        fc.constantFrom('a', 'b', 'c', 'd'),
        fc.record({
          parent: fc.constantFrom(null, 'a', 'b', 'c', 'z'),
          children: fc.array(fc.constantFrom('a', 'b', 'c', 'd')),
          message: fc.record({
            author: fc.record({ role: fc.constantFrom('user', 'assistant', 'tool', 'x') }),
            content: fc.record({
              content_type: fc.constantFrom('text', 'thoughts', 'code'),
              parts: fc.array(fc.string()),
            }),
          }),
        }),
      ),
      current_node: fc.constantFrom('a', 'b', 'nowhere'),
    }),
  )
  fc.assert(
    fc.property(value, (one) => {
      const read = readForeignChat(JSON.stringify(one))
      const take = () => read.ok && checkImport(exportOfReadable(read.chat, 1))
      expect(take).not.toThrow()
    }),
    { numRuns: 300 },
  )
})

describe('the cutter', () => {
  const cut = (bytes: Uint8Array, at: readonly number[], limits?: Parameters<typeof createChatCutter>[1]) => {
    const pieces: CutPiece[] = []
    const cutter = createChatCutter((piece) => pieces.push(piece), limits)
    const places = [0, ...at.map((place) => place % (bytes.length + 1)).toSorted((a, b) => a - b), bytes.length]
    for (const [index, from] of places.entries()) {
      if (index + 1 < places.length) cutter.feed(bytes.subarray(from, places[index + 1]))
    }
    return { pieces, cutter }
  }

  it('returns each chat unchanged, wherever the bytes are split', () => {
    const chats = fc.array(fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 3 })), { maxLength: 5 })
    fc.assert(
      fc.property(chats, fc.array(fc.nat(), { maxLength: 6 }), (list, at) => {
        const { pieces, cutter } = cut(new TextEncoder().encode(JSON.stringify(list, null, 1)), at)
        expect(pieces.map((piece) => (piece.ok ? (JSON.parse(piece.text) as unknown) : piece))).toEqual(
          JSON.parse(JSON.stringify(list)),
        )
        expect([cutter.isWhole(), cutter.isList()]).toEqual([true, true])
      }),
      { numRuns: 200 },
    )
  })

  it('leaves out chats that are too large or too deep, and continues', () => {
    const list = [{ a: 'x'.repeat(300) }, { a: [[[[1]]]] }, { a: 1 }]
    const bytes = new TextEncoder().encode(JSON.stringify(list))
    expect(cut(bytes, [40, 100], { maxBytes: 100, maxDepth: 3 }).pieces).toEqual([
      { ok: false, why: 'too-large' },
      { ok: false, why: 'too-deep' },
      { ok: true, text: '{"a":1}' },
    ])
    expect(cut(bytes.subarray(0, -3), []).cutter.isWhole()).toBe(false)
    expect(cut(new TextEncoder().encode('{"a":[]}'), []).cutter.isList()).toBe(false)
  })
})

describe('a file', () => {
  const read = async (file: Blob) => {
    const texts: string[] = []
    let last = 0
    const state = await readForeignFile(file, {
      onPiece: (piece) => void texts.push(piece.ok ? piece.text : piece.why),
      onProgress: (share) => (last = share),
    })
    return { texts, state, last }
  }
  const zipOf = (members: Readonly<Record<string, string>>) =>
    createZip(
      Object.entries(members).map(([path, text]) => ({
        path,
        read: () => Promise.resolve(new TextEncoder().encode(text)),
        modifiedAt: 0,
      })),
    )

  it('is a zip with one list or several, or the list itself', async () => {
    const zip = await zipOf({
      'conversations-001.json': '[{"b":1}]',
      'conversations-000.json': '[{"a":1}]',
      'user.json': '{}',
    })
    expect(await read(zip)).toEqual({ texts: ['{"a":1}', '{"b":1}'], state: 'whole', last: 1 })
    expect(await isForeignFile(zip)).toBe(true)
    expect(await read(new Blob(['[{"a":1},{"b"']))).toMatchObject({ texts: ['{"a":1}'], state: 'cut-off' })
    expect((await read(new Blob(['{"format":"nod-conversation"}']))).state).toBe('no-chats')
    expect(await isForeignFile(await zipOf({ 'conversation.json': '{}', 'files/conversations.json': '[]' }))).toBe(
      false,
    )
    await expect(read((await zipOf({ 'conversations.json': '[{"a":1}]' })).slice(0, 60))).rejects.toThrow()
  })
})
