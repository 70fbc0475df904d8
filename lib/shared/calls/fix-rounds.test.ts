import { describe, expect, it } from 'vitest'
import type { AssistantMessage, Message, UserMessage } from '@/lib/shared/conversation/conversation'
import { fixRounds, type CountedBrokenCall } from './fix-rounds'

const base = { conversationId: 'c', parentId: null, createdAt: 1 }
const user = (id: string, text: string): UserMessage => ({ ...base, id, role: 'user', text, results: [] })
const reply = (id: string): AssistantMessage => ({
  ...base,
  id,
  role: 'assistant',
  text: '',
  reasoning: '',
  strategy: 'XML_Tag',
  toolsEnabled: true,
  model: 'm',
  outcome: 'finished',
  failure: null,
  usage: null,
  runId: 'r',
})

const write: CountedBrokenCall = { name: 'write_file', message: 'Your call to write_file was cut off.' }
const read: CountedBrokenCall = { name: 'read_file', message: 'Your call to read_file has no end.' }
const nameless: CountedBrokenCall = { message: 'Your tool call is not valid JSON.' }

const count = (
  path: readonly Message[],
  trouble: CountedBrokenCall,
  broken: Readonly<Record<string, CountedBrokenCall>>,
) => fixRounds(path, path.at(-1)?.id ?? '', trouble, (one) => (broken[one.id] ? [broken[one.id] ?? write] : []))

describe('fixRounds', () => {
  it('is 0 at first', () => {
    expect(count([user('u', 'Write it.'), reply('a')], write, { a: write })).toBe(0)
  })

  it('counts each time that the message about the same problem was sent', () => {
    const path = [
      user('u', 'Write it.'),
      reply('a'),
      user('v', write.message),
      reply('b'),
      user('w', write.message),
      reply('c'),
    ]
    expect(count(path.slice(0, 4), write, { a: write, b: write })).toBe(1)
    expect(count(path, write, { a: write, b: write, c: write })).toBe(2)
  })

  it('does not count another tool’s problem, except a nameless one', () => {
    const path = [user('u', 'Go.'), reply('a'), user('v', read.message), reply('b')]
    expect(count(path, write, { a: read })).toBe(0)
    const other = [user('u', 'Go.'), reply('a'), user('v', nameless.message), reply('b')]
    expect(count(other, write, { a: nameless })).toBe(1)
  })

  it('continues past results, and starts again at the user’s own message', () => {
    const path = [user('u', 'Go.'), reply('a'), user('v', write.message), reply('b'), user('w', ''), reply('c')]
    expect(count(path, write, { a: write })).toBe(1)
    const own = [
      user('u', 'Go.'),
      reply('a'),
      user('v', write.message),
      reply('b'),
      user('w', 'Try again.'),
      reply('c'),
    ]
    expect(count(own, write, { a: write, b: write })).toBe(0)
    const file = { path: '/a.csv', mediaType: 'text/csv', size: 3, head: 'a,b', isImage: false }
    const sent = own.map((row) => (row.id === 'w' ? { ...user('w', ''), attachments: [file] } : row))
    expect(count(sent, write, { a: write, b: write })).toBe(0)
  })
})
