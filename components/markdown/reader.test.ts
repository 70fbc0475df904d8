import { describe, expect, it } from 'vitest'
import { hostileShapes } from './testing/hostile-shapes'
import { readMarkdown, treeLimits, type MarkdownNode, type MarkdownRoot } from './read-markdown'
import { createMarkdownReader, type MarkdownWorkerPort, isCheap } from './reader'

/** A clock and a worker that the test advances. */
function world() {
  const state = { now: 0, workers: 0, terminated: 0, posted: [] as string[], late: [] as (() => void)[] }
  let port: MarkdownWorkerPort | null = null
  const reader = createMarkdownReader({
    monotonic: () => state.now,
    spawn() {
      state.workers += 1
      port = {
        postMessage: (text) => void state.posted.push(text),
        terminate: () => void (state.terminated += 1),
        onmessage: null,
        onerror: null,
      }
      return port
    },
    schedule(task) {
      state.late.push(task)
      return () => void (state.late = state.late.filter((one) => one !== task))
    },
  })
  return {
    state,
    reader,
    answer: () => port?.onmessage?.({ data: readMarkdown(state.posted.at(-1) ?? '') }),
    fail: () => port?.onerror?.(new Event('error')),
  }
}

const heavy = '[a]('.repeat(5_000)

const depthOf = (node: MarkdownNode | MarkdownRoot): number =>
  'children' in node ? 1 + Math.max(0, ...node.children.map((child) => depthOf(child))) : 1

describe('the Markdown reader', () => {
  it('parses cheap text immediately', () => {
    const { reader, state } = world()
    expect(reader.read('some *words*')).toMatchObject({ type: 'root' })
    expect(state.workers).toBe(0)
  })

  it('parses a long code block immediately, because it costs only its lines', () => {
    const code = `\`\`\`js\n${'const x = [1, 2, 3]\n'.repeat(5_000)}\`\`\``
    expect(world().reader.read(code)).toMatchObject({ children: [{ type: 'code', lang: 'js' }] })
  })

  it('leaves the rest to a worker, while the page shows the text as written', () => {
    const { reader, state, answer } = world()
    const read: (MarkdownRoot | null)[] = []
    expect(reader.read(heavy)).toBe('later')
    reader.ask(heavy, (root) => read.push(root))
    reader.ask('# tame', (root) => read.push(root))
    expect(state.posted).toEqual([heavy])
    answer()
    expect(state.posted).toEqual([heavy, '# tame'])
    answer()
    expect(read).toHaveLength(2)
    expect(reader.read(heavy)).toBe(read[0])
  })

  it('gives up permanently on a text that takes too long, and continues with the next', () => {
    const { reader, state, answer } = world()
    const read: (MarkdownRoot | null)[] = []
    reader.ask(heavy, (root) => read.push(root))
    reader.ask('next', (root) => read.push(root))
    state.late[0]?.()
    expect(read).toEqual([null])
    expect(state.terminated).toBe(1)
    expect(reader.read(heavy)).toBeNull()
    answer()
    expect(read[1]).toMatchObject({ type: 'root' })
    expect(state.workers).toBe(2)
  })

  it('shows the text as written if its worker does not load, and retries for the next text', () => {
    const { reader, state, fail } = world()
    let told = 0
    reader.ask(heavy, () => (told += 1))
    fail()
    expect(told).toBe(1)
    expect(reader.read(heavy)).toBe('later')
    reader.ask(heavy, () => {})
    expect(state.workers).toBe(2)
  })

  it('does not parse for a cancelled request', () => {
    const { reader, state } = world()
    reader.ask('first', () => {})
    const stop = reader.ask('second', () => {})
    stop()
    expect(state.posted).toEqual(['first'])
  })

  it('takes no more than its share of a frame, however many blocks come at once', () => {
    // Each clock read is a millisecond later: parsing a block takes one.
    let time = 0
    const reader = createMarkdownReader({ monotonic: () => (time += 1), spawn: () => null, schedule: () => () => {} })
    const readings = Array.from({ length: 40 }, (_, index) => reader.read(`block ${index}, *some* words`))
    const atOnce = readings.filter((reading) => reading !== 'later').length
    expect(atOnce).toBeGreaterThan(10)
    expect(atOnce).toBeLessThan(40)
    time += 1_000
    expect(reader.read('a block of the next frame')).not.toBe('later')
  })
})

describe('hostile shapes', () => {
  it.each(Object.entries(hostileShapes))('%s is never parsed on the main thread', (_, make) => {
    expect(isCheap(make(60_000))).toBe(false)
  })

  it.each(Object.entries(hostileShapes))('%s is rendered within the limits, or as written', (_, make) => {
    const root = readMarkdown(make(3_000))
    expect(root === null ? 0 : depthOf(root)).toBeLessThanOrEqual(treeLimits.maxDepth + 2)
  })

  it('keeps every letter of text that nests too deep', () => {
    const root = readMarkdown(`${'> '.repeat(60)}the end`)
    expect(JSON.stringify(root)).toContain('the end')
  })
})

describe('ordinary texts', () => {
  it.each([
    ['a paragraph', 'The quick **brown** fox jumps over [it](https://example.org). '.repeat(20)],
    ['a list', '- an item with `code` and **bold** words\n'.repeat(30)],
    ['a table', `| a | b | c |\n|---|---|---|\n${'| some words | 12.5 | more |\n'.repeat(30)}`],
    ['a nested list', '- a\n  - b\n    - c\n      1. d\n'.repeat(10)],
    ['a quotation', '> some words of somebody\n'.repeat(20)],
  ])('%s is parsed immediately', (_, text) => {
    expect(isCheap(text)).toBe(true)
  })
})

it('parses the same with any time left, and leaves expensive text to a worker', () => {
  const { reader, state } = world()
  const spend = () => (state.now += 30)
  expect(reader.readAlike('# a')).toMatchObject({ type: 'root' })
  expect(reader.readAlike(heavy)).toBe('later')
  const slow = createMarkdownReader({ monotonic: spend, spawn: () => null, schedule: () => () => {} })
  for (const text of ['# b', '# c', '# d']) expect(slow.readAlike(text)).toMatchObject({ type: 'root' })
})
