import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { nothingShown, onlyShown, type ReadableChat, type ReadablePart } from './readable-chat'
import { fenced, readableMarkdown } from './readable-markdown'

const chat = (parts: readonly ReadablePart[]): ReadableChat => ({
  title: 'A *title*',
  createdAt: 0,
  systemPrompt: null,
  messages: [
    {
      by: 'person',
      at: 0,
      text: 'Hello',
      files: [{ name: 'a.txt', mediaType: 'text/plain', size: 5, head: 'x', picture: null }],
    },
    { by: 'model', at: 0, model: 'demo/demo', ended: 'length', parts },
  ],
})

describe('a chat as Markdown', () => {
  it('names the speakers, with calls and results as blocks of code', () => {
    const text = readableMarkdown(
      chat([
        { kind: 'thought', text: 'hm </details> still' },
        { kind: 'text', text: 'Look.' },
        {
          kind: 'call',
          tool: 'write_file',
          state: 'done',
          arguments: { path: '/a', content: 'one\n```\ntwo' },
          written: null,
          result: { value: { ok: true }, displays: [] },
        },
      ]),
      0,
    )
    expect(text).toContain('# A \\*title\\*')
    expect(text).toContain('<details><summary>Reasoning</summary>\n\nhm &lt;/details> still\n\n</details>')
    expect(text).toContain('**Call to `write_file`** · done\n\n```json\n{\n  "path": "/a"\n}\n```')
    expect(text).toContain('````text\none\n```\ntwo\n````')
    expect(text).toContain('Result:\n\n```json\n{\n  "ok": true\n}\n```')
    expect(text).toContain('_This reply was cut off')
  })

  it.each([
    [[], '_The model sent no answer._'],
    [[{ kind: 'text', text: ' \n\u200b' }], '_The model sent no answer._'],
    [[{ kind: 'thought', text: 'hm' }], '_The model ended after thinking, without an answer._'],
  ] as const)('says that a reply has no answer: %j', (parts, sentence) => {
    const ended = chat(parts)
    const messages = ended.messages.map((message) =>
      message.by === 'model' ? { ...message, ended: 'finished' as const } : message,
    )
    expect(readableMarkdown({ ...ended, messages }, 0)).toContain(sentence)
    expect(readableMarkdown(onlyShown({ ...ended, messages }, nothingShown), 0)).toContain(
      '_The model sent no answer._',
    )
  })

  it('leaves out hidden parts', () => {
    const hidden = onlyShown(chat([{ kind: 'thought', text: 'secret' }]), nothingShown)
    expect(readableMarkdown(hidden, 0)).not.toMatch(/secret|a\.txt/)
  })

  it('fences any text so that nothing in it ends the fence', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[`\nab ]{0,40}$/), (text) => {
        const lines = fenced(text, 'text').split('\n')
        const fence = lines.at(-1) ?? ''
        expect(lines.slice(1, -1).some((line) => line.trim().startsWith(fence))).toBe(false)
      }),
      { numRuns: 200 },
    )
  })
})
