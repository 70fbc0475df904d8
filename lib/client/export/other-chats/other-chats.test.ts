import { describe, expect, it } from 'vitest'
import { exportOfReadable } from '@/lib/shared/conversation/readable/export-of-readable'
import { readForeignChat } from './foreign-chat'
import { isForeignFile } from './take-chats'
import { readForeignFile } from './read-foreign-file'

/** Title, source, and messages with their roles, of each chat of a file. */
async function chatsOf(value: unknown) {
  const file = new Blob([JSON.stringify(value)])
  const found: unknown[] = []
  const state = await readForeignFile(file, {
    onPiece(piece) {
      const read = piece.ok ? readForeignChat(piece.text) : piece
      if (!read.ok) return void found.push(read.why)
      const { messages } = exportOfReadable(read.chat, 1)
      found.push([read.source, read.chat.title, messages.map(({ role, text }) => `${role}: ${text}`)])
    },
    onProgress: () => undefined,
  })
  return { found, state, isForeign: await isForeignFile(file) }
}

const node = (
  id: string,
  parent: string | null,
  role: string,
  content: unknown,
  metadata: object = {},
  more: object = {},
) => ({
  id,
  parent,
  children: [] as string[],
  message: {
    author: { role, ...(role === 'tool' && { name: 'python' }) },
    create_time: 1_750_000_000,
    content,
    recipient: 'all',
    metadata,
    ...more,
  },
})
/** A chat of ChatGPT without branches. */
function line(...nodes: readonly ReturnType<typeof node>[]) {
  const linked = nodes.map((one, at) => ({ ...one, children: nodes[at + 1] ? [nodes[at + 1]?.id] : [] }))
  return {
    title: 'T',
    conversation_id: 'c',
    current_node: nodes.at(-1)?.id,
    mapping: Object.fromEntries(linked.map((one) => [one.id, one])),
  }
}
const says = (text: string) => ({ content_type: 'text', parts: [text] })
const textsOf = async (value: unknown) => ((await chatsOf(value)).found[0] as [string, string, string[]])[2]

describe('chats of other programs', () => {
  it('of LibreChat are read, nested or flat', async () => {
    const nested = {
      conversationId: 'l',
      title: 'Libre',
      messages: [
        {
          messageId: '1',
          text: 'hello',
          isCreatedByUser: true,
          children: [
            {
              messageId: '2',
              text: 'one',
              isCreatedByUser: false,
              model: 'm',
              content: [{ type: 'text', text: { value: 'one' } }],
              children: [],
            },
            { messageId: '3', text: 'two', isCreatedByUser: false, children: [] },
          ],
        },
      ],
    }
    const flat = {
      title: 'Libre',
      messages: [
        { messageId: '1', parentMessageId: '0000', text: 'hello', isCreatedByUser: true },
        { messageId: '2', parentMessageId: '1', text: 'one', isCreatedByUser: false },
        { messageId: '3', parentMessageId: '1', text: 'two', isCreatedByUser: false },
      ],
    }
    for (const value of [nested, flat]) {
      expect(await chatsOf(value)).toEqual({
        found: [['librechat', 'Libre', ['user: hello', 'assistant: one', 'assistant: two']]],
        state: 'whole',
        isForeign: true,
      })
    }
  })

  it('of Open WebUI are read with their branches and separate thoughts', async () => {
    const chat = {
      title: 'Web',
      history: {
        currentId: 'b',
        messages: {
          b: {
            parentId: 'a',
            role: 'assistant',
            model: 'llama3',
            content: '<details type="reasoning" done="true"><summary>Thought</summary>&gt; hm</details>\nhi',
          },
          a: { parentId: null, role: 'user', content: 'hello' },
          c: { parentId: 'a', role: 'assistant', content: 'hey' },
        },
      },
    }
    const { found } = await chatsOf([{ id: 'o', title: 'Web', chat, created_at: 1_750_000_000 }])
    expect(found).toEqual([['openwebui', 'Web', ['user: hello', 'assistant: hi', 'assistant: hey']]])
    const read = readForeignChat(JSON.stringify({ chat }))
    expect(read.ok && read.chat.messages[1]).toMatchObject({
      parts: [
        { kind: 'thought', text: 'hm' },
        { kind: 'text', text: 'hi' },
      ],
    })
  })

  it('of LobeHub become one chat per topic', async () => {
    const messages = [
      { id: '1', role: 'user', content: 'hello', sessionId: 's', topicId: 't', createdAt: 1_750_000_000_000 },
      { id: '2', role: 'assistant', content: 'hi', parentId: '1', sessionId: 's', topicId: 't' },
      { id: '3', role: 'user', content: 'other', sessionId: 's', topicId: 'u' },
    ]
    const topics = [
      { id: 't', title: 'First' },
      { id: 'u', title: 'Second' },
    ]
    expect((await chatsOf({ exportType: 'sessions', state: { messages, topics }, version: 7 })).found).toEqual([
      ['messages', 'First', ['user: hello', 'assistant: hi']],
      ['messages', 'Second', ['user: other']],
    ])
  })

  it('written as model requests are read', async () => {
    const messages = [
      { role: 'system', content: 'Be brief.' },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'look' },
          { type: 'image_url', image_url: { url: 'data:,' } },
        ],
      },
      { role: 'assistant', content: null, tool_calls: [{ function: { name: 'f', arguments: '{"a":1}' } }] },
      { role: 'assistant', content: 'done' },
    ]
    const texts = await textsOf({ messages })
    expect(texts[0]).toBe('user: look\n\nFile image_url, 0 B')
    expect(texts[1]).toMatch(/^assistant: [^]*Call to `f`[^]*done$/)
    expect((await chatsOf([{ messages }, { messages }])).found).toHaveLength(2)
  })

  it('keep the names of attached files, their sources as links, and their calls', async () => {
    const web = {
      history: {
        messages: {
          a: {
            role: 'user',
            content: 'read',
            files: [{ type: 'file', name: 'a.txt', file: { data: { content: 'inside' }, meta: { size: 6 } } }],
          },
          b: {
            parentId: 'a',
            role: 'assistant',
            content:
              'Looking.<details type="tool_calls" done="true" name="search" arguments="&quot;{\\&quot;q\\&quot;:\\&quot;cats\\&quot;}&quot;" result="&quot;two &lt;b&gt;&quot;"><summary>Tool</summary></details>\nDone.',
            sources: [{ source: { name: 'Cats', url: 'https://example.org/cats' } }, { source: { name: 'mine' } }],
          },
        },
      },
    }
    const [question, reply] = await textsOf({ chat: web })
    expect(question).toBe('user: read\n\nFile a.txt, 6 B, its beginning:\n\n```text\ninside\n```')
    expect(reply).toMatch(
      /Looking\.[^]*Call to `search`[^]*"q": "cats"[^]*two <b>[^]*Done\.\n\n\(\[Cats\]\(<https:\/\/example\.org\/cats>\)\)$/,
    )

    const libre = [
      { messageId: '1', isCreatedByUser: true, text: 'see', files: [{ filename: 'b.pdf', bytes: 2_000 }] },
      {
        messageId: '2',
        content: [
          { type: 'think', think: 'hm' },
          { type: 'tool_call', tool_call: { name: 'sum', args: '{"a":1}', output: '2' } },
          { type: 'error', error: 'too long' },
        ],
      },
    ]
    const texts = await textsOf({ messages: libre })
    expect(texts[0]).toMatch(/File b\.pdf, 2(?:\.0)? KB/)
    expect(texts[1]).toMatch(/Call to `sum`[^]*"a": 1[^]*```text\n2\n```[^]*too long$/)
  })

  it('of LobeHub’s database have files and calls in tables beside the messages', async () => {
    const data = {
      messages: [
        {
          id: '2',
          role: 'assistant',
          content: '',
          tools: [{ apiName: 'find', arguments: '{"q":1}' }],
          createdAt: '2026-01-01T00:00:02Z',
        },
        { id: '1', role: 'user', content: 'hello', createdAt: '2026-01-01T00:00:01Z' },
        { id: '3', role: 'tool', content: 'found it', createdAt: '2026-01-01T00:00:03Z' },
      ],
      messagePlugins: [{ id: '3', apiName: 'find' }],
      files: [{ id: 'f', name: 'c.md', size: 3 }],
      messagesFiles: [{ fileId: 'f', messageId: '1' }],
    }
    const texts = await textsOf({ mode: 'pglite', data })
    expect(texts[0]).toBe('user: hello\n\nFile c.md, 3 B')
    expect(texts[1]).toMatch(/Call to `find`[^]*"q": 1[^]*found it/)
  })

  it('written as requests to Anthropic keep results in user messages', async () => {
    const messages = [
      { role: 'user', content: 'go' },
      { role: 'assistant', content: [{ type: 'tool_use', id: 't', name: 'ls', input: {} }] },
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 't', content: 'a.txt' },
          { type: 'text', text: 'and?' },
        ],
      },
    ]
    const texts = await textsOf({ messages })
    expect(texts.map((text) => text.split(':')[0])).toEqual(['user', 'assistant', 'user'])
    expect(texts[1]).toContain('a.txt')
    expect(texts[2]).toBe('user: and?')
  })

  it('of ChatGPT may come alone', async () => {
    const { found, state } = await chatsOf(
      line(node('a', null, 'user', says('Hi')), node('b', 'a', 'assistant', says('Yes'))),
    )
    expect([found, state]).toEqual([[['chatgpt', 'T', ['user: Hi', 'assistant: Yes']]], 'whole'])
  })

  it.each([[{ a: 1 }], [{ messages: [] }], [{ messages: [{ x: 1 }] }], [{ messages: 'x' }], [[1, 2]]])(
    '%j is no chat',
    async (value) => {
      expect((await chatsOf(value)).found.filter((one) => one !== 'unknown-form')).toEqual([])
    },
  )

  it('of Nod do not count as one', async () => {
    expect(await chatsOf({ format: 'nod-conversation', messages: [] })).toMatchObject({
      state: 'no-chats',
      isForeign: false,
    })
  })
})

describe('ChatGPT’s marks in the text', () => {
  const cite = '\ue200cite\ue202turn0search1\ue202turn0search4\ue201'

  it('turn sources into links and entities into names, and remove other marks', async () => {
    const references = [
      {
        matched_text: cite,
        type: 'grouped_webpages',
        items: [{ title: 'Hop [1]', url: 'https://example.org/hop' }],
        alt: null,
      },
      {
        matched_text: '【4†source】',
        items: [
          { title: '', url: 'https://example.org/four' },
          { title: 'bad', url: 'javascript:alert(1)' },
        ],
      },
      { matched_text: ' ', alt: 'nothing' },
    ]
    const text = `Hops.${cite} A \ue200entity\ue202["animal","Kangaroo","marsupial"]\ue201.\ue200i\ue202turn0image0\ue201 Four【4†source】 five【5†source】 six【6:1†a.pdf】 \ue202end`
    const citations = [{ metadata: { title: 'Five', url: 'https://example.org/5', extra: { cited_message_idx: 5 } } }]
    const metadata = { content_references: references, citations }
    expect(
      await textsOf(line(node('a', null, 'user', says('?')), node('b', 'a', 'assistant', says(text), metadata))),
    ).toEqual([
      'user: ?',
      'assistant: Hops. ([Hop  1](<https://example.org/hop>)) A Kangaroo. Four ([example.org](<https://example.org/four>)) five ([Five](<https://example.org/5>)) six end',
    ])
    const alt = [{ matched_text: cite, alt: '([Hop](https://example.org/hop))' }]
    expect(
      await textsOf(line(node('b', null, 'assistant', says(`Hops.${cite}`), { content_references: alt }))),
    ).toContain('assistant: Hops. ([Hop](https://example.org/hop))')
    expect(await textsOf(line(node('b', null, 'user', says('【注意】 stays'))))).toEqual(['user: 【注意】 stays'])
  })

  it('keep the names of the user’s files, and speech is no file', async () => {
    const picture = { content_type: 'image_asset_pointer', asset_pointer: 'sediment://file_1', size_bytes: 5 }
    const attachments = [
      { id: 'file_1', name: 'holiday photo.png', size: 5 },
      { id: 'file_2', name: 'report.pdf', size: 9, mime_type: 'application/pdf' },
    ]
    const content = { content_type: 'multimodal_text', parts: [picture, 'What is this?'] }
    const [text] = await textsOf(line(node('a', null, 'user', content, { attachments })))
    expect(text).toContain('holiday photo.png')
    expect(text).toContain('report.pdf')
    expect(text).not.toContain('file_1')
    const spoken = {
      content_type: 'multimodal_text',
      parts: [
        { content_type: 'audio_transcription', text: 'Spoken' },
        { content_type: 'real_time_user_audio_video_asset_pointer', audio_asset_pointer: {} },
        { content_type: 'audio_asset_pointer', asset_pointer: 'sediment://file_3' },
      ],
    }
    expect(await textsOf(line(node('a', null, 'user', spoken)))).toEqual(['user: Spoken'])
  })

  it('name images of its code', async () => {
    const metadata = {
      aggregate_result: { messages: [{ message_type: 'image', image_url: 'file-service://file-plot' }] },
    }
    const [, text] = await textsOf(
      line(
        node('a', null, 'user', says('plot')),
        node('b', 'a', 'tool', { content_type: 'execution_output', text: '' }, metadata),
      ),
    )
    expect(text).toContain('file-plot')
  })

  it('read a canvas as its document', async () => {
    const to = (recipient: string, value: unknown) =>
      node('b', 'a', 'assistant', says(JSON.stringify(value)), {}, { recipient })
    const of = async (recipient: string, value: unknown) =>
      (await textsOf(line(node('a', null, 'user', says('?')), to(recipient, value))))[1]
    expect(await of('canmore.create_textdoc', { name: 'Plan', type: 'document', content: '# One\n\ntwo' })).toBe(
      'assistant: **Plan**\n\n# One\n\ntwo',
    )
    expect(await of('canmore.create_textdoc', { name: 'App', type: 'code/python', content: 'x = 1' })).toBe(
      'assistant: **App**\n\n```python\nx = 1\n```',
    )
    expect(
      await of('canmore.update_textdoc', { updates: [{ pattern: '.*', multiple: false, replacement: 'new' }] }),
    ).toBe('assistant: new')
    expect(await of('canmore.update_textdoc', { updates: [{ pattern: 'a', replacement: 'b' }] })).toContain(
      'canmore.update_textdoc',
    )
  })
})
