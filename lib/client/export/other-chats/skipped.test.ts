import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { exportOfReadable } from '@/lib/shared/conversation/readable/export-of-readable'
import { readForeignChat } from './foreign-chat'
import { readForeignFile } from './read-foreign-file'
import { holdsSomething, skippedKinds, sumOfSkipped, type Skipped, type SkippedKind } from './skipped'

/** A part of a message: what it must leave in the imported chat, or be counted as. */
interface Sample {
  readonly part: unknown
  /** Words that the imported chat must contain. */
  readonly says: readonly string[]
  readonly counts: SkippedKind | null
}

let made = 0
/** A unique word. */
const word = (): string => `w${(made += 1)}x`

type Maker = () => Sample
const sample = (part: unknown, says: readonly string[] = [], counts: SkippedKind | null = null): Sample => ({
  part,
  says,
  counts,
})

const damaged: readonly Maker[] = [
  () => sample(word().length, [], 'damaged'),
  () => sample([word()], [], 'damaged'),
  () => sample(null),
  () => sample({}),
]

/** The parts that each format knows, and some unknown ones. */
const contentParts: readonly Maker[] = [
  ...damaged,
  ...['text', 'input_text', 'output_text'].map((type) => () => {
    const text = word()
    return sample({ type, text }, [text])
  }),
  () => {
    const value = word()
    return sample({ type: 'text', text: { value } }, [value])
  },
  () => {
    const [name, query] = [word(), word()]
    return sample({ type: 'tool_use', name, input: { query } }, [name, query])
  },
  () => {
    const [name, output] = [word(), word()]
    return sample({ type: 'tool_call', tool_call: { name, args: '{"a":1}', output } }, [name, output])
  },
  () => {
    const text = word()
    return sample({ type: 'tool_result', name: word(), content: [{ type: 'text', text }] }, [text])
  },
  () => {
    const filename = word()
    return sample({ type: 'file', file: { filename } }, [filename], 'files')
  },
  () => sample({ type: 'image_url', image_url: { url: 'data:image/png;base64,AA' } }, ['image_url'], 'files'),
  () => sample({ type: 'input_audio', input_audio: { data: 'AA' } }, [], 'sound'),
  () => sample({ type: 'redacted_thinking', data: 'AA' }, [], 'hidden'),
  () => {
    const type = word()
    return sample({ type, payload: { a: [1] } }, [type], 'unknown')
  },
  () => {
    const text = word()
    return sample({ type: word(), text }, [text])
  },
  () => sample({ type: 'text', text: [word()] }, [], 'damaged'),
]

const chatGptParts: readonly Maker[] = [
  ...damaged.slice(0, 3),
  () => {
    const text = word()
    return sample(text, [text])
  },
  () => {
    const text = word()
    return sample({ content_type: 'audio_transcription', text }, [text])
  },
  () => sample({ content_type: 'audio_asset_pointer', asset_pointer: 'sediment://a' }, [], 'sound'),
  () => {
    const name = word()
    return sample({ content_type: 'image_asset_pointer', asset_pointer: `sediment://${name}` }, [name], 'files')
  },
  () => {
    const kind = word()
    return sample({ content_type: kind, payload: 1 }, [kind], 'files')
  },
]

const formats: Readonly<
  Record<string, readonly [readonly Maker[], (messages: readonly (readonly unknown[])[]) => unknown]>
> = {
  chatgpt: [
    chatGptParts,
    (messages) => ({
      mapping: Object.fromEntries(
        messages.map((parts, at) => [
          `n${at}`,
          {
            parent: at === 0 ? null : `n${at - 1}`,
            children: [`n${at + 1}`],
            message: {
              author: { role: at % 2 === 0 ? 'user' : 'assistant' },
              content: { content_type: 'multimodal_text', parts },
            },
          },
        ]),
      ),
    }),
  ],
  claude: [
    contentParts,
    (messages) => ({
      chat_messages: messages.map((content, at) => ({ sender: at % 2 === 0 ? 'human' : 'assistant', content })),
    }),
  ],
  librechat: [
    contentParts,
    (messages) => ({
      messages: messages.map((content, at) => ({ messageId: `${at}`, isCreatedByUser: at % 2 === 0, content })),
    }),
  ],
  openwebui: [
    contentParts,
    (messages) => ({
      chat: {
        history: {
          messages: Object.fromEntries(
            messages.map((content, at) => [
              `n${at}`,
              { parentId: at === 0 ? null : `n${at - 1}`, role: at % 2 === 0 ? 'user' : 'assistant', content },
            ]),
          ),
        },
      },
    }),
  ],
  messages: [
    contentParts,
    (messages) => ({
      messages: messages.map((content, at) => ({ role: at % 2 === 0 ? 'user' : 'assistant', content })),
    }),
  ],
}

describe.each(Object.entries(formats))('a chat of %s', (_, [makers, chatOf]) => {
  it('loses no part silently: each is in the imported chat or counted', () => {
    const picks = fc.array(fc.array(fc.nat(makers.length - 1), { minLength: 1, maxLength: 4 }), {
      minLength: 1,
      maxLength: 4,
    })
    let tried = 0
    fc.assert(
      fc.property(picks, (messages) => {
        // One part has text, so that there is a chat.
        const known = makers.findIndex((maker) => maker().says.length > 0)
        const samples = [[known], ...messages].map((some) => some.flatMap((at) => makers[at]?.() ?? []))
        const read = readForeignChat(JSON.stringify(chatOf(samples.map((some) => some.map(({ part }) => part)))))
        if (!read.ok) throw new Error(read.why)
        const imported = JSON.stringify(exportOfReadable(read.chat, 1).messages)
        const all = samples.flat()
        for (const { says } of all) for (const text of says) expect(imported).toContain(text)
        const expected = sumOfSkipped(all.map(({ counts }) => (counts === null ? {} : { [counts]: 1 })))
        expect(read.skipped).toEqual(expected)
        tried += Object.keys(expected).length
      }),
      { numRuns: 150 },
    )
    expect(tried).toBeGreaterThan(50)
  })
})

describe('invalid messages', () => {
  const countsOf = (value: unknown): Skipped | string => {
    const read = readForeignChat(JSON.stringify(value))
    return read.ok ? read.skipped : read.why
  }
  const hello = { role: 'user', content: 'hello' }

  it('are counted in every format', () => {
    expect(countsOf({ messages: [hello, 'lost', null, 7, { role: 'assistant', said: 'lost' }] })).toEqual({
      damaged: 3,
    })
    expect(countsOf({ chat: { history: { messages: { a: hello, b: 'lost', c: null } } } })).toEqual({ damaged: 1 })
    expect(countsOf({ chat_messages: [{ sender: 'human', text: 'hello' }, 'lost'] })).toEqual({ damaged: 1 })
    const said = { author: { role: 'user' }, content: { parts: ['hello'] } }
    const mapping = {
      a: { message: said, children: [] },
      b: 'lost',
      c: { message: { author: { role: 'assistant' }, content: 'lost' } },
      d: { message: { author: { role: 'critic' }, content: { parts: ['lost'] } } },
      e: { message: { author: { role: 'system' }, content: { parts: ['You are a model'] } } },
      f: { message: { ...said, metadata: { is_visually_hidden_from_conversation: true } } },
      g: { message: { author: { role: 'tool' }, content: { content_type: 'chart', rows: [1] } } },
      h: { message: null },
    }
    expect(countsOf({ mapping })).toEqual({ damaged: 2, unknown: 2, instructions: 1, hidden: 1 })
  })

  it('counts system prompts: an imported chat takes over no settings', () => {
    const messages = [{ role: 'system', content: 'Be brief.' }, hello]
    expect(countsOf({ messages })).toEqual({ instructions: 1 })
    expect(countsOf({ chat: { messages: [hello], params: { system: 'Be brief.' } } })).toEqual({ instructions: 1 })
  })
})

describe('a file', () => {
  const piecesOf = async (text: string) => {
    const pieces: string[] = []
    const state = await readForeignFile(new Blob([text]), {
      onPiece: (piece) => void pieces.push(piece.ok ? piece.text : piece.why),
      onProgress: () => undefined,
    })
    return { pieces, state }
  }

  it('reports list entries that are no chat', async () => {
    expect(await piecesOf('[{"a":1}, null, "x,{}" ,7,{"b":[1,2]},true]')).toEqual({
      pieces: ['{"a":1}', 'unknown-form', 'unknown-form', 'unknown-form', '{"b":[1,2]}', 'unknown-form'],
      state: 'whole',
    })
    expect((await piecesOf('[]')).pieces).toEqual([])
  })

  it('may be a list of messages, or a chat in each line', async () => {
    const { pieces } = await piecesOf('[{"role":"user","content":"one"},{"role":"assistant","content":"two"}]')
    const read = readForeignChat(pieces.join(''))
    expect([pieces.length, read.ok && read.chat.messages.length]).toEqual([1, 2])
    const lines = '{"messages":[{"role":"user","content":"a"}]}\n{"messages":[]}\nlost\n'
    expect((await piecesOf(lines)).pieces).toHaveLength(3)
    expect((await piecesOf(lines)).pieces.at(-1)).toBe('unknown-form')
    expect((await piecesOf('hello\n{"a":1}')).state).toBe('no-chats')
  })
})

it('counts only values with a letter or a digit', () => {
  expect([null, '', ' ', [], {}, { a: [{ b: '' }] }, true].map(holdsSomething)).not.toContain(true)
  expect([0, 'a', [['a']], { a: { b: 1 } }].map(holdsSomething)).not.toContain(false)
  expect(sumOfSkipped([{ files: 1 }, { files: 2, sound: 1 }, {}])).toEqual({ files: 3, sound: 1 })
  expect(Object.keys(sumOfSkipped(skippedKinds.map((kind) => ({ [kind]: 1 }))))).toHaveLength(skippedKinds.length)
})
