import { createMcpHandler, McpServer, ResourceTemplate } from '@modelcontextprotocol/server'
import { type Skill, skillEntry, SkillsExtension, type SkillSource } from '@modelcontextprotocol/server/ext/skills'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { connectMcp } from './connection'
import { expandTemplate, offerOf, templateVariables } from '@/lib/shared/mcp/offers'

const url = 'https://tools.example.org/mcp'

function makeServer(): McpServer {
  const server = new McpServer({ name: 'library', version: '1.0.0' })
  server.registerPrompt(
    'review',
    {
      title: 'Review',
      description: 'Reviews a text',
      argsSchema: z.object({ text: z.string().describe('What to review'), tone: z.string().optional() }),
    },
    ({ text, tone }) => ({
      messages: [
        {
          role: 'user',
          content: { type: 'text', text: `Review ${text}${tone === undefined ? '' : ` in a ${tone} tone`}` },
        },
        { role: 'assistant', content: { type: 'text', text: 'Gladly.' } },
        { role: 'user', content: { type: 'image', data: 'iVBORw0KGgo=', mimeType: 'image/png' } },
        { role: 'user', content: { type: 'resource', resource: { uri: 'notes://one', text: 'a note' } } },
      ],
    }),
  )
  server.registerPrompt('plain', {}, () => ({ messages: [{ role: 'user', content: { type: 'text', text: 'Hello' } }] }))
  server.registerResource('note', 'notes://one', { title: 'Note one', mimeType: 'text/plain', size: 6 }, (uri) => ({
    contents: [{ uri: uri.href, text: 'a note' }],
  }))
  server.registerResource('dot', 'notes://dot', { mimeType: 'image/png' }, (uri) => ({
    contents: [{ uri: uri.href, blob: 'iVBORw0KGgo=', mimeType: 'image/png' }],
  }))
  server.registerResource(
    'by-name',
    new ResourceTemplate('notes://by/{name}', { list: undefined }),
    {},
    (uri, { name }) => ({
      contents: [{ uri: uri.href, text: `about ${String(name)}` }],
    }),
  )
  return server
}

async function connected(make = makeServer) {
  const handler = createMcpHandler(() => make())
  const fetch: typeof globalThis.fetch = (input, init) => handler.fetch(new Request(input, init))
  return connectMcp({ fetch }, { url, era: 'auto' })
}

describe('what a server offers to people', () => {
  it('lists prompts with their arguments, and returns the messages of one', async () => {
    const open = await connected()
    const { prompts } = await open.offer({ ask: 'prompts' })
    expect(prompts.find(({ name }) => name === 'review')).toEqual({
      name: 'review',
      title: 'Review',
      about: 'Reviews a text',
      args: [
        { name: 'text', about: 'What to review', required: true },
        { name: 'tone', about: '', required: false },
      ],
    })
    expect(prompts.find(({ name }) => name === 'plain')).toMatchObject({ title: 'plain', args: [] })
    const { pieces } = await open.offer({ ask: 'prompt', name: 'review', args: { text: 'this', tone: 'kind' } })
    expect(pieces).toEqual([
      { kind: 'text', text: 'Review this in a kind tone', by: 'user', uri: '' },
      { kind: 'text', text: 'Gladly.', by: 'assistant', uri: '' },
      { kind: 'bytes', base64: 'iVBORw0KGgo=', mimeType: 'image/png', uri: '' },
      { kind: 'text', text: 'a note', by: 'user', uri: 'notes://one' },
    ])
    await open.close()
  })

  it('lists resources and templates with their size, and reads one', async () => {
    const open = await connected()
    const { resources } = await open.offer({ ask: 'resources' })
    expect(resources).toMatchObject([
      { uri: 'notes://one', isTemplate: false, title: 'Note one', mimeType: 'text/plain', size: 6 },
      { uri: 'notes://dot', isTemplate: false, title: 'dot', size: null },
      { uri: 'notes://by/{name}', isTemplate: true, title: 'by-name' },
    ])
    const read = async (uri: string) => (await open.offer({ ask: 'resource', uri })).pieces
    expect(await read('notes://one')).toEqual([{ kind: 'text', text: 'a note', by: 'user', uri: 'notes://one' }])
    expect(await read('notes://dot')).toMatchObject([{ kind: 'bytes', base64: 'iVBORw0KGgo=', mimeType: 'image/png' }])
    expect(await read(expandTemplate('notes://by/{name}', { name: 'a b' }))).toMatchObject([{ text: 'about a%20b' }])
    await open.close()
  })

  it('is empty for a server with neither, and an error for a missing one', async () => {
    const open = await connected(() => {
      const server = new McpServer({ name: 'empty', version: '1.0.0' })
      server.registerTool('one', { inputSchema: z.object({}) }, () => ({ content: [] }))
      return server
    })
    expect(await open.offer({ ask: 'prompts' })).toEqual({ prompts: [], resources: [], pieces: [] })
    expect(await open.offer({ ask: 'resources' })).toEqual({ prompts: [], resources: [], pieces: [] })
    await expect(open.offer({ ask: 'prompt', name: 'gone', args: {} })).rejects.toMatchObject({
      failure: { kind: 'http' },
    })
    await open.close()
  })

  it('reads any response without breaking, and does not follow pages forever', async () => {
    await fc.assert(
      fc.asyncProperty(fc.object({ maxDepth: 4 }), async (said) => {
        let asked = 0
        const client = {
          getServerCapabilities: () => ({ prompts: {}, resources: {} }),
          request: () => {
            asked += 1
            return Promise.resolve({ ...said, nextCursor: `page ${asked}` })
          },
        } as unknown as Parameters<typeof offerOf>[0]
        await offerOf(client, { ask: 'prompts' }, 1_000)
        await offerOf(client, { ask: 'resources' }, 1_000)
        await offerOf(client, { ask: 'prompt', name: 'x', args: {} }, 1_000)
        await offerOf(client, { ask: 'resource', uri: 'x' }, 1_000)
        expect(asked).toBeLessThan(100)
      }),
    )
    const odd = [null, 7, 'x', { name: 3 }, { name: '' }, { name: 'ok', arguments: [null, { name: 1 }, { name: 'a' }] }]
    const client = {
      getServerCapabilities: () => ({ prompts: {} }),
      request: () => Promise.resolve({ prompts: odd }),
    } as unknown as Parameters<typeof offerOf>[0]
    const { prompts } = await offerOf(client, { ask: 'prompts' }, 1_000)
    expect(prompts).toEqual([{ name: 'ok', title: 'ok', about: '', args: [{ name: 'a', about: '', required: false }] }])
  })
})

it('fills in simple templates only, and a value cannot leave its place', () => {
  expect(templateVariables('a://{one}/{+two}/{one}')).toEqual(['one', 'two'])
  for (const hard of ['a://{?q}', 'a://{one,two}', 'a://{one*}', 'a://{#x}']) expect(templateVariables(hard)).toBeNull()
  expect(expandTemplate('a://{one}/{+two}', { one: 'x/y?#', two: 'b/c' })).toBe('a://x%2Fy%3F%23/b/c')
  expect(expandTemplate('a://{one}', {})).toBe('a://')
})

describe('the skills of a server', () => {
  const text = '---\nname: pdf\ndescription: Sums up.\n---\nDo it.'
  const files: Readonly<Record<string, string>> = { 'SKILL.md': text, 'scripts/run.py': 'print(1)' }
  /** `served`: the files that the server actually sends. */
  const withSkills = async (served = files, about = files, change: (entry: Skill) => Skill = (entry) => entry) => {
    const entry = change(await skillEntry('pdf', { ...about }))
    const source: SkillSource = {
      list: () => Promise.resolve({ skills: [entry] }),
      get: () => Promise.resolve(entry),
      read: (uri) => Promise.resolve({ text: served[uri.slice('skill://pdf/'.length)] ?? '' }),
    }
    return connected(() => {
      const server = new McpServer({ name: 'library', version: '1.0.0' })
      new SkillsExtension({ source }).attach(server)
      return server
    })
  }
  const readFirst = async (open: Awaited<ReturnType<typeof connected>>) => {
    const { skills = [] } = await open.offer({ ask: 'skills' })
    return open.offer({ ask: 'skill', uri: skills[0]?.uri ?? 'skill://pdf/SKILL.md' })
  }

  it('are listed, and one is read with all its files', async () => {
    const open = await withSkills()
    expect((await open.offer({ ask: 'skills' })).skills).toEqual([
      { uri: 'skill://pdf/SKILL.md', name: 'pdf', about: 'Sums up.', files: 2, bytes: text.length + 8 },
    ])
    const { files: read = [] } = await readFirst(open)
    expect(Object.fromEntries(read.map(({ path, base64 }) => [path, atob(base64)]))).toEqual(files)
  })

  it('are none if the server does not support them', async () => {
    expect((await (await connected()).offer({ ask: 'skills' })).skills).toEqual([])
  })

  it.each([
    ['a script that is another one than its digest says', { ...files, 'scripts/run.py': 'steal(1)' }],
    ['a script of another size', { ...files, 'scripts/run.py': 'print(1) # more' }],
    ['a SKILL.md with another head', { ...files, 'SKILL.md': text.replace('Sums up.', 'Steals.') }],
  ])('are refused with %s', async (_name, served) => {
    await expect(readFirst(await withSkills(served))).rejects.toBeDefined()
  })

  it('are not offered if their files may change each time', async () => {
    const open = await withSkills(files, files, (entry) => ({ ...entry, resources: 'dynamic' }))
    expect((await open.offer({ ask: 'skills' })).skills).toEqual([])
    expect((await readFirst(open)).files).toEqual([])
  })
})
