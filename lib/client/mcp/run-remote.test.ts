import { describe, expect, it } from 'vitest'
import type { ToolContext } from '@/lib/shared/tools/tool'
import type { SandboxEvent } from '@/lib/sandbox/sandbox'
import { toolOfRegistered } from '@/lib/shared/tools/tool-registry'
import { toolsOfSet } from '@/lib/shared/mcp/tools-of-set'
import type { CallAnswer, CallRequest } from '@/lib/shared/mcp/call-answer'
import { outcomeOf, runRemote } from './run-remote'

const host = 'mcp.example.com'
const [tool] = toolsOfSet({ server: 's', host, prefix: 'maps' }, [
  { name: 'find.map', title: 'Find a map', inputSchema: { type: 'object' }, annotations: { readOnlyHint: true } },
])
const answered = (result: object): CallAnswer => ({ kind: 'answered', result: result as never })

describe('a call at a tool server', () => {
  it('sends the server’s own name and reports its progress', async () => {
    const asked: CallRequest[] = []
    const events: SandboxEvent[] = []
    const server = {
      call: (
        request: CallRequest,
        { onProgress }: { onProgress: (progress: { progress: number; total: number; message: string }) => void },
      ) => {
        asked.push(request)
        onProgress({ progress: 3, total: 8, message: 'part 3' })
        return Promise.resolve(answered({ content: [{ type: 'text', text: 'found' }] }))
      },
    }
    const run = runRemote(
      () => server,
      { server: 's', host, name: 'find.map' },
      () => 0,
      'chat',
    )
    const context = {
      signal: new AbortController().signal,
      timeoutMs: 9,
      onEvent: (event: SandboxEvent) => void events.push(event),
    }
    expect(await run({ query: 'a' }, context as unknown as ToolContext<'none'>)).toMatchObject({
      ok: true,
      result: 'found',
    })
    expect(asked).toEqual([{ name: 'find.map', args: { query: 'a' }, timeoutMs: 9 }])
    expect(events).toEqual([{ type: 'remote', host, message: 'part 3', done: 3, of: 8, atMs: 0 }])
  })

  it.each<[CallAnswer, string]>([
    [{ kind: 'lost' }, 'not known'],
    [{ kind: 'timed-out' }, 'not known'],
    [{ kind: 'http', status: 503 }, 'not known'],
    [{ kind: 'http', status: 404 }, 'did not run'],
    [{ kind: 'too-large', mb: 16 }, 'larger than 16 MB'],
    [
      { kind: 'not-sent', failure: { kind: 'relay', message: 'All places are busy.' } },
      `The call was not sent to ${host}: All places are busy.`,
    ],
    [{ kind: 'not-sent', failure: { kind: 'unread' } }, 'Nothing was sent'],
    [{ kind: 'not-sent', failure: { kind: 'sign-in' } }, 'sign-in'],
    [answered({ resultType: 'input_required', inputRequests: {} }), 'did not run'],
  ])('says what is known after %j', (answer, words) => {
    const outcome = outcomeOf(answer, host, 30_000)
    expect(outcome.ok).toBe(false)
    expect(JSON.stringify(outcome)).toContain(words)
    expect(JSON.stringify(outcome)).toContain(host)
  })

  it('keeps a server’s error in its own words', () => {
    const failed = outcomeOf(answered({ isError: true, content: [{ type: 'text', text: 'no such city' }] }), host, 1)
    expect(failed).toMatchObject({
      ok: false,
      said: [{ reason: 'told.remote-failed', values: { host, why: 'no such city' } }],
      result: { error: 'no such city' },
    })
    expect(outcomeOf({ kind: 'refused', message: 'Unknown tool' }, host, 1)).toMatchObject({
      message: 'Unknown tool',
      said: null,
    })
  })

  it('notes beside a result that it does not match the server’s declaration', () => {
    const result = { content: [{ type: 'text', text: 'hello' }] }
    const given: CallAnswer = { kind: 'answered', result, mismatch: 'sum is missing' }
    expect(outcomeOf(given, host, 1)).toMatchObject({
      ok: true,
      result: { result: 'hello', note: expect.stringMatching(new RegExp(`${host}.*sum is missing`)) },
    })
  })

  it('is stopped like any other call', () => {
    expect(outcomeOf({ kind: 'stopped' }, host, 1)).toMatchObject({ reason: 'stopped' })
  })
})

describe('the card of a tool of a server', () => {
  const definition = toolOfRegistered(tool!)

  it('names the host, the arguments and how much leaves the browser', () => {
    const { sentence } = definition.card.summarize({ query: 'a\u{1f5fa}b', limit: 10 })
    expect(sentence).toEqual(['To ', { code: host }, ': query, limit (5 characters)'])
    expect(definition.card.summarize({ 'all of it, to nobody': '' }).sentence.at(-1)).toContain(
      '“all of it, to nobody”',
    )
    expect(definition.card.summarize({}).sentence).toEqual(['To ', { code: host }, ': no arguments'])
  })

  it('is reviewed before its result is sent, and leaves the browser', () => {
    expect(definition).toMatchObject({
      policy: {
        permission: 'moderate',
        requireResultApproval: 'always',
        capabilities: { files: 'none', network: 'remote' },
      },
    })
  })
})
