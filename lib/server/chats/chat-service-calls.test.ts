import { APICallError } from 'ai'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Store } from '@/lib/server/store/ports/store'
import { openTestStore } from '@/lib/server/store/testing/open-test-store'
import { decodeSettings } from '@/lib/shared/conversation/settings/settings'
import { createChatHarness, type ChatHarness, type Script } from './testing/chat-harness'

let store: Store
let chat: ChatHarness

beforeAll(async () => {
  store = await openTestStore({ decodeSettings })
})
afterAll(() => store.close())
beforeEach(() => {
  chat = createChatHarness(store)
})

const read = 'CALL read_file {"path":"/a"}'
const list = 'CALL list_directory {"path":"/a"}'
const teaching = (words: RegExp) => expect.stringMatching(words) as string
const refused = (code: string, words?: RegExp) => ({
  code,
  ...(words && { message: expect.stringMatching(words) as string }),
})
const apiError = (statusCode: number) =>
  new APICallError({ message: 'no', url: 'http://model', requestBodyValues: {}, statusCode })

describe('calls', () => {
  it('denied without a reason accept one until the denial was sent, and the model gets it', async () => {
    const { conversationId, replyId } = await chat.withReply(read)
    const no = await chat.decision(replyId, 0, 'read_file', { decision: 'deny' })
    await chat.decide(conversationId, no)
    const said = { messageId: replyId, slot: 0, reason: 'Not before Friday.' }
    await expect(chat.service.explainDenial('eve', conversationId, said)).rejects.toMatchObject(refused('not-found'))
    expect(await chat.service.explainDenial('ada', conversationId, said)).toMatchObject({
      decision: 'deny',
      reason: 'Not before Friday.',
    })
    const sent = await chat.append(conversationId, { kind: 'tool-results', id: 'results', parentId: replyId })
    await chat.service.settled(sent.runId)
    expect(sent.message?.results).toMatchObject([
      { status: 'execution_rejected', result: { reason: 'Not before Friday.' } },
    ])
    const late = { ...said, reason: 'And not after.' }
    await expect(chat.service.explainDenial('ada', conversationId, late)).rejects.toMatchObject(
      refused('call-not-open'),
    )
  })

  it('run once, and their results are sent to the model once', async () => {
    const { conversationId, replyId } = await chat.withReply(`${read}\nand\n${list}`)
    expect(await chat.service.list('ada', '')).toContainEqual(
      expect.objectContaining({ id: conversationId, waitingCalls: 2 }),
    )
    const granted = await chat.decide(conversationId, await chat.decision(replyId, 0, 'read_file'))
    expect(granted).toMatchObject({ granted: true, call: { callId: 'call_1', name: 'read_file', decision: 'run' } })
    const second = await chat.decide(
      conversationId,
      await chat.decision(replyId, 0, 'read_file', { runnerId: 'tab-2' }),
    )
    expect(second).toMatchObject({ granted: false, call: { runnerId: 'tab-1' } })

    const results = { kind: 'tool-results', id: 'results', parentId: replyId } as const
    await expect(chat.append(conversationId, results)).rejects.toMatchObject(refused('call-not-open', /read_file/))
    await chat.finish(conversationId, replyId, 0, 'content')
    expect((await chat.finish(conversationId, replyId, 0, 'again')).outcome?.result).toBe('content')
    await expect(chat.append(conversationId, results)).rejects.toMatchObject(refused('call-not-open', /list_directory/))
    await chat.decide(
      conversationId,
      await chat.decision(replyId, 1, 'list_directory', { decision: 'deny', reason: 'not now' }),
    )

    const sent = await chat.append(conversationId, results)
    await chat.service.settled(sent.runId)
    expect(sent.message?.text).toBe('')
    expect(sent.message?.results).toMatchObject([
      { slot: 0, callId: 'call_1', status: 'completed', result: 'content', durationMs: 5 },
      { slot: 1, callId: 'call_2', status: 'execution_rejected', result: { reason: 'not now' } },
    ])
    expect(sent.calls.map(({ postedIn }) => postedIn)).toEqual(['results', 'results'])
    expect(await chat.append(conversationId, results)).toMatchObject({ runId: sent.runId })
    await expect(chat.append(conversationId, { ...results, id: 'results-2' })).rejects.toMatchObject(
      refused('conflict', /already sent/),
    )
    expect(JSON.stringify(chat.model.doStreamCalls[1]?.prompt)).toContain('not now')
    expect(chat.model.doStreamCalls).toHaveLength(2)
  })

  it('keep the pictures of their results, which are attached to the message and named to the model', async () => {
    const { conversationId, replyId } = await chat.withReply(read)
    await chat.decide(conversationId, await chat.decision(replyId, 0, 'read_file'))
    await chat.finish(conversationId, replyId, 0, 'a map')
    const data = btoa('\u0089PNG\r\n\u001a\nand the rest')
    const file = { path: '/.nod/results/m-1.png', mediaType: 'image/png', size: 20, head: null, isImage: true }
    const attachments = [{ ...file, image: { mediaType: 'image/png', data } }] as const
    const append = { kind: 'tool-results', id: 'r', parentId: replyId, attachments } as const
    const sent = await chat.append(conversationId, append)
    await chat.service.settled(sent.runId)
    expect(sent.message).toMatchObject({ attachments: [file], results: [{ slot: 0, result: 'a map' }] })
    expect(await store.loadImages('ada', conversationId, [{ messageId: 'r', number: 0 }])).toMatchObject([{ data }])
    const prompt = JSON.stringify(chat.model.doStreamCalls[1]?.prompt)
    expect(prompt).toContain('a map')
    expect(prompt).toContain('/.nod/results/m-1.png')
    expect(prompt).not.toContain(data)
  })

  it('are granted only as they are in the stored text', async () => {
    const { conversationId, replyId, userId } = await chat.withReply(`${read}\nCALL nothing {"path":"/a"}`)
    const good = await chat.decision(replyId, 0, 'read_file')
    const forged = { ...good, callHash: good.callHash.replace(/^./, (digit) => (digit === '0' ? '1' : '0')) }
    await expect(chat.decide(conversationId, forged)).rejects.toMatchObject(refused('conflict', /Reload/))
    const other = await chat.decision(replyId, 0, 'write_file')
    await expect(chat.decide(conversationId, other)).rejects.toMatchObject(refused('conflict'))
    for (const slot of [1, 2, -1]) {
      await expect(chat.decide(conversationId, { ...good, slot })).rejects.toMatchObject(refused('call-not-open'))
    }
    await expect(chat.decide(conversationId, { ...good, messageId: userId })).rejects.toMatchObject(
      refused('not-found'),
    )
    await expect(chat.decide(conversationId, { ...good, attempt: 2 })).rejects.toMatchObject(refused('call-not-open'))
    await expect(chat.finish(conversationId, replyId, 0, 'forged')).rejects.toMatchObject(refused('call-not-open'))
    expect((await chat.service.view('ada', conversationId)).calls).toEqual([])
  })

  it.each<[string, Script]>([
    ['stopped', [{ text: `${read}\n` }, { hang: 'listening' }]],
    ['length', [{ text: `${read}\n` }, { finish: 'length' }]],
    ['failed', [{ text: `${read}\n` }, { fail: apiError(500) }]],
  ])('of a reply that ended as %s never run', async (outcome, script) => {
    const id = await chat.newChat()
    chat.script(script)
    const sent = await chat.append(id, { kind: 'user', id: 'u1', parentId: null, text: 'hi' })
    await chat.settle()
    if (outcome === 'stopped') await chat.service.stop('ada', sent.runId)
    await chat.service.settled(sent.runId)
    expect((await chat.reply(id, sent.replyId)).outcome).toBe(outcome)
    const decision = await chat.decision(sent.replyId, 0, 'read_file')
    await expect(chat.decide(id, decision)).rejects.toMatchObject(refused('call-not-open', /did not finish/))
    const results = { kind: 'tool-results', id: 'r', parentId: sent.replyId } as const
    await expect(chat.append(id, results)).rejects.toMatchObject(refused('call-not-open', /did not finish/))
    const next = await chat.send(id, 'go on', sent.replyId)
    expect(next.message?.results).toEqual([])
  })

  it('of a reply made without tools never run', async () => {
    const { tools } = (await chat.service.view('ada', await chat.newChat())).conversation.settings
    const { conversationId, replyId } = await chat.withReply(read, { tools: { ...tools, enabled: false } })
    const decision = await chat.decision(replyId, 0, 'read_file')
    await expect(chat.decide(conversationId, decision)).rejects.toMatchObject(refused('call-not-open'))
  })

  it('that cannot run get the teaching text as their result, alone or with others', async () => {
    const { tools } = (await chat.service.view('ada', await chat.newChat())).conversation.settings
    const text = 'CALL nothing {"path":"/a"}\nCALL read_file {}\nCALL write_file {"path":"/a"}'
    const { conversationId, replyId } = await chat.withReply(text, {
      tools: { ...tools, toolToggles: { write_file: false } },
    })
    expect(await chat.service.list('ada', '')).toContainEqual(
      expect.objectContaining({ id: conversationId, waitingCalls: 0 }),
    )
    const sent = await chat.append(conversationId, { kind: 'tool-results', id: 'r1', parentId: replyId })
    await chat.service.settled(sent.runId)
    expect(sent.calls).toEqual([])
    expect(sent.message?.results).toMatchObject([
      {
        slot: 0,
        status: 'not_found',
        result: { error: teaching(/^There is no tool named nothing\. .*\n- list_directory/) },
      },
      {
        slot: 1,
        status: 'error',
        result: { error: teaching(/^The arguments of read_file do not fit\. .*\n- path is required\n/) },
      },
      {
        slot: 2,
        status: 'error',
        result: { error: teaching(/^The tool write_file is turned off in this conversation\./) },
      },
    ])
    const enabled = { ...(await chat.service.view('ada', conversationId)).conversation.settings, tools }
    await chat.service.patch('ada', conversationId, { settings: enabled })
    const late = await chat.decision(replyId, 2, 'write_file')
    await expect(chat.decide(conversationId, late)).rejects.toMatchObject(
      refused('call-not-open', /continued without this call/),
    )
  })

  it('keep the result of a run when their tool is switched off afterwards', async () => {
    const { conversationId, replyId } = await chat.withReply(read)
    await chat.decide(conversationId, await chat.decision(replyId, 0, 'read_file'))
    await chat.finish(conversationId, replyId, 0, 'content')
    const { settings } = (await chat.service.view('ada', conversationId)).conversation
    const tools = { ...settings.tools, toolToggles: { read_file: false } }
    await chat.service.patch('ada', conversationId, { settings: { ...settings, tools } })
    const sent = await chat.append(conversationId, { kind: 'tool-results', id: 'r', parentId: replyId })
    await chat.service.settled(sent.runId)
    expect(sent.message?.results).toMatchObject([{ status: 'completed', result: 'content' }])
  })

  it('are skipped when the user sends a message; finished results are sent, running ones as unfinished', async () => {
    const { conversationId, replyId } = await chat.withReply(`${read}\n${list}\n${read}`)
    await chat.decide(conversationId, await chat.decision(replyId, 0, 'read_file'))
    await chat.finish(conversationId, replyId, 0, 'content')
    await chat.decide(conversationId, await chat.decision(replyId, 2, 'read_file'))
    const sent = await chat.send(conversationId, 'never mind', replyId)
    expect(sent.message).toMatchObject({
      text: 'never mind',
      results: [
        { status: 'completed' },
        { status: 'skipped' },
        { status: 'unfinished', result: { note: expect.stringContaining('It may still run') as string } },
      ],
    })
    expect(sent.message).not.toHaveProperty('late')
    expect(sent.calls.map(({ decision, outcome }) => [decision, outcome?.status])).toEqual([
      ['run', 'completed'],
      ['skip', undefined],
      ['run', undefined],
    ])
    const late = await chat.decision(replyId, 1, 'list_directory')
    expect(await chat.decide(conversationId, late)).toMatchObject({ granted: false, call: { decision: 'skip' } })
  })

  it('that end after the user’s next message keep their outcome, and the model is informed once', async () => {
    const { conversationId, replyId } = await chat.withReply(read)
    await chat.decide(conversationId, await chat.decision(replyId, 0, 'read_file'))
    const first = await chat.send(conversationId, 'never mind', replyId)
    const [, , , second] = (await chat.service.view('ada', conversationId)).messages
    const outcome = { status: 'completed', result: 'late', durationMs: 1, console: [], displays: [] } as const
    const files = { kept: true, total: 1, changes: [{ path: '/a', change: 'created', kind: 'file', size: 1 }] } as const
    const key = { messageId: replyId, slot: 0, attempt: 1, runnerId: 'tab-1' }
    const row = await chat.service.finish('ada', conversationId, { ...key, outcome: { ...outcome, files } })
    expect(row).toMatchObject({ outcome: { result: 'late' }, postedIn: first.message?.id, gated: false })

    const next = await chat.send(conversationId, 'and now?', second?.id ?? '')
    const [told] = next.message?.late ?? []
    expect(told).toMatchObject({ messageId: replyId, slot: 0, status: 'completed', result: 'late' })
    expect(told?.note).toBe('Files changed: created /a.')
    const third = (await chat.service.view('ada', conversationId)).messages.at(-1)
    expect((await chat.send(conversationId, 'once more', third?.id ?? '')).message).not.toHaveProperty('late')
    const log = await chat.service.log('ada', conversationId)
    expect(log.map(({ event }) => event)).toEqual(['call-decided', 'results-sent', 'call-finished', 'results-sent'])
    // The first message edited: no call was unfinished in that branch.
    const edited = await chat.send(conversationId, 'other words', replyId, 'edit')
    expect(edited.message?.results).toMatchObject([{ status: 'completed', result: 'late' }])
    expect(edited.message).not.toHaveProperty('late')
  })

  it('that end late are withheld if results need approval, and the model gets only their files', async () => {
    const { conversationId, replyId } = await chat.withReply(read)
    const { settings } = (await chat.service.view('ada', conversationId)).conversation
    const gated = { ...settings, tools: { ...settings.tools, resultGate: 'always' as const } }
    await chat.service.patch('ada', conversationId, { settings: gated })
    await chat.decide(conversationId, await chat.decision(replyId, 0, 'read_file'))
    await chat.send(conversationId, 'never mind', replyId)
    const [, , , second] = (await chat.service.view('ada', conversationId)).messages
    expect(await chat.finish(conversationId, replyId, 0, 'secret')).toMatchObject({
      gated: true,
      release: { kind: 'withheld' },
    })
    const next = await chat.send(conversationId, 'and now?', second?.id ?? '')
    expect(next.message?.late).toMatchObject([{ status: 'result_rejected' }])
    expect(JSON.stringify(next.message)).not.toContain('secret')
    expect((await chat.service.list('ada', '')).find(({ id }) => id === conversationId)?.waitingCalls).toBe(0)
  })

  it.each(['written on before its page spoke', 'its page spoke late'])(
    'that the user stopped keep their partial output withheld if results need approval: %s',
    async (when) => {
      const { conversationId, replyId } = await chat.withReply(`${read}\n${read}`)
      const { settings } = (await chat.service.view('ada', conversationId)).conversation
      const gated = { ...settings, tools: { ...settings.tools, resultGate: 'always' as const } }
      await chat.service.patch('ada', conversationId, { settings: gated })
      const stopped = (more: object) =>
        ({
          status: 'cancelled',
          result: { error: 'The user stopped the code while it ran.', ...more },
          durationMs: 3,
          console: [],
          displays: [],
        }) as const
      const keyOf = (slot: number) => ({ messageId: replyId, slot, attempt: 1, runnerId: 'tab-1' })
      const outcomes = [stopped({ console: ['a secret'] }), stopped({})]
      for (const [slot, outcome] of outcomes.entries()) {
        await chat.decide(conversationId, await chat.decision(replyId, slot, 'read_file'))
        if (when.startsWith('written')) {
          await chat.service.stopCall('ada', conversationId, { ...keyOf(slot), outcome })
        }
      }
      let sent = await chat.send(conversationId, 'never mind', replyId)
      if (when.startsWith('its')) {
        for (const [slot, outcome] of outcomes.entries()) {
          await chat.service.stopCall('ada', conversationId, keyOf(slot))
          await chat.service.finish('ada', conversationId, { ...keyOf(slot), outcome })
        }
        const last = (await chat.service.view('ada', conversationId)).messages.at(-1)
        sent = await chat.send(conversationId, 'and now?', last?.id ?? '')
      }
      const told = sent.message?.late ?? sent.message?.results
      expect(told?.map(({ status }) => status)).toEqual(['result_rejected', 'cancelled'])
      expect(JSON.stringify(sent.message)).not.toContain('a secret')
    },
  )

  it('that the user stopped are reported as stopped, whatever happens to their page', async () => {
    const { conversationId, replyId } = await chat.withReply(`${read}\n${read}`)
    const outcome = {
      status: 'cancelled',
      result: { error: 'The user stopped this call. It changed no files.' },
      durationMs: 3_200,
      console: [],
      displays: [],
    } as const
    for (const slot of [0, 1]) {
      await chat.decide(conversationId, await chat.decision(replyId, slot, 'read_file'))
      const key = { messageId: replyId, slot, attempt: 1, runnerId: 'tab-1' }
      expect(await chat.service.stopCall('ada', conversationId, key)).toMatchObject({ stopped: { outcome: null } })
    }
    const key = { messageId: replyId, slot: 0, attempt: 1, runnerId: 'tab-1' }
    await chat.service.stopCall('ada', conversationId, { ...key, outcome })
    const { calls } = await chat.service.view('ada', conversationId)
    expect(calls).toMatchObject([
      { outcome: null, stopped: { outcome: { durationMs: 3_200 } } },
      { outcome: null, stopped: { outcome: null } },
    ])
    await expect(chat.service.stopCall('eve', conversationId, key)).rejects.toMatchObject({ code: 'not-found' })
    const elsewhere = { ...key, runnerId: 'another' }
    await expect(chat.service.stopCall('ada', conversationId, elsewhere)).rejects.toMatchObject({
      code: 'call-not-open',
    })

    const sent = await chat.send(conversationId, 'stopped it', replyId)
    expect(sent.message?.results).toMatchObject([
      { status: 'cancelled', result: { error: 'The user stopped this call. It changed no files.' } },
      {
        status: 'cancelled',
        result: { error: expect.stringContaining('What it had done by then is not known') as string },
      },
    ])
    const log = await chat.service.log('ada', conversationId)
    const events = log.map(({ event }) => event)
    expect(events.filter((event) => event === 'call-stopped')).toHaveLength(2)
  })

  it('send their results once, even if a message arrives at the same time', async () => {
    const { conversationId, replyId, userId } = await chat.withReply(read)
    await chat.decide(conversationId, await chat.decision(replyId, 0, 'read_file'))
    await chat.finish(conversationId, replyId, 0, 'content')
    const results = { kind: 'tool-results', id: 'r', parentId: replyId } as const
    const words = { kind: 'user', id: 'w', parentId: replyId, text: 'and now' } as const
    // Both are sent at the same time; the first to arrive is stored, and the other one is refused.
    const crossed = await Promise.allSettled([chat.append(conversationId, results), chat.append(conversationId, words)])
    const sent = crossed.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
    expect(sent).toHaveLength(1)
    await chat.service.settled(sent[0]?.runId ?? '')
    const other = crossed[0]?.status === 'fulfilled' ? words : results
    await expect(chat.append(conversationId, other)).rejects.toMatchObject(refused('conflict'))
    const { messages, conversation } = await chat.service.view('ada', conversationId)
    expect(messages.filter((row) => row.role === 'user' && row.results.length > 0)).toHaveLength(1)
    expect(conversation.headId).toBe(sent[0]?.replyId)
    // Results can't be sent from another branch either: that would move the page away from the branch on screen.
    chat.script([{ text: read }, { finish: 'stop' }])
    const again = await chat.append(conversationId, { kind: 'reply', id: 'again', parentId: userId })
    await chat.service.settled(again.runId)
    await chat.decide(conversationId, await chat.decision(again.replyId, 0, 'read_file'))
    await chat.finish(conversationId, again.replyId, 0, 'content')
    await chat.service.patch('ada', conversationId, { headId: replyId })
    const elsewhere = { kind: 'tool-results', id: 'r2', parentId: again.replyId } as const
    await expect(chat.append(conversationId, elsewhere)).rejects.toMatchObject({
      ...refused('conflict', /another branch/),
      headId: sent[0]?.replyId,
    })
    await chat.service.patch('ada', conversationId, { headId: again.replyId })
    await chat.service.settled((await chat.append(conversationId, elsewhere)).runId)
  })

  it('lose no race between a click and a message: the call runs or is skipped, never both', async () => {
    const { conversationId, replyId } = await chat.withReply(read)
    const [decided, sent] = await Promise.all([
      chat.decide(conversationId, await chat.decision(replyId, 0, 'read_file')).catch((error: unknown) => error),
      chat.send(conversationId, 'or not', replyId),
    ])
    const [row] = (await chat.service.view('ada', conversationId)).calls
    const ran = (decided as { granted?: boolean }).granted === true
    expect(row?.decision).toBe(ran ? 'run' : 'skip')
    expect(sent.message?.results[0]?.status).toBe(ran ? 'unfinished' : 'skipped')
  })

  it('run again only after an attempt without an outcome', async () => {
    const { conversationId, replyId } = await chat.withReply(read)
    const attempt = async (n: number) =>
      chat.decide(conversationId, await chat.decision(replyId, 0, 'read_file', { attempt: n, runnerId: `tab-${n}` }))
    await attempt(1)
    expect(await attempt(2)).toMatchObject({ granted: true, call: { attempt: 2, runnerId: 'tab-2' } })
    await expect(chat.finish(conversationId, replyId, 0, 'of attempt 1')).rejects.toMatchObject(
      refused('call-not-open'),
    )
    const outcome = { status: 'completed', result: 'of 2', durationMs: 1, console: [], displays: [] } as const
    const key = { messageId: replyId, slot: 0, attempt: 2, runnerId: 'tab-2' }
    await chat.service.finish('ada', conversationId, { ...key, outcome })
    expect(await attempt(3)).toMatchObject({ granted: false, call: { attempt: 2, outcome: { result: 'of 2' } } })
  })

  it('cancelled before they began run only by another attempt, and the model learns that they did not run', async () => {
    const { conversationId, replyId } = await chat.withReply(read)
    const word = (over: object) => chat.decision(replyId, 0, 'read_file', { ...over })
    for (const over of [{ decision: 'deny' }, { attempt: 2 }, { by: { kind: 'auto' } }] as const) {
      await expect(chat.decide(conversationId, await word({ cancelled: true, ...over }))).rejects.toMatchObject(
        refused('conflict'),
      )
    }
    const cancelled = await word({ cancelled: true })
    const row = { decision: 'run', outcome: null, by: { kind: 'run-stopped' }, stopped: { begun: false } }
    expect(await chat.decide(conversationId, cancelled)).toMatchObject({ granted: true, call: row })
    expect(await chat.decide(conversationId, await word({}))).toMatchObject({ granted: false, call: row })
    const append = { kind: 'tool-results', id: 'r1', parentId: replyId } as const
    await expect(chat.append(conversationId, append)).rejects.toMatchObject(refused('call-not-open'))
    const sent = await chat.send(conversationId, 'something else', replyId)
    await chat.service.settled(sent.runId)
    const { messages, calls } = await chat.service.view('ada', conversationId)
    const told = messages.find(({ id }) => id === sent.message?.id)
    expect(told).toMatchObject({
      results: [{ status: 'cancelled', result: { error: expect.stringContaining('It did not run.') }, durationMs: 0 }],
    })
    expect(calls).toMatchObject([{ stopped: { begun: false }, outcome: { status: 'cancelled' } }])
  })

  it('require a message from the user after maxIterations rounds', async () => {
    const { tools } = (await chat.service.view('ada', await chat.newChat())).conversation.settings
    const { conversationId, replyId } = await chat.withReply('CALL nothing {"path":"/a"}', {
      tools: { ...tools, maxIterations: 2 },
    })
    let parentId = replyId
    const round = async (n: number, continueRounds?: boolean) => {
      chat.script([{ text: 'CALL nothing {"path":"/a"}' }, { finish: 'stop' }])
      const append = { kind: 'tool-results', id: `r${n}`, parentId, ...(continueRounds && { continueRounds }) } as const
      const sent = await chat.append(conversationId, append)
      await chat.service.settled(sent.runId)
      parentId = sent.replyId
    }
    await round(1)
    await round(2)
    await expect(round(3)).rejects.toMatchObject(
      refused('conflict', /2 tool rounds without a message from you. Continue\?/),
    )
    await round(3, true)
    await round(4)
    await expect(round(5)).rejects.toMatchObject(refused('conflict'))
    const word = await chat.send(conversationId, 'go on', parentId)
    chat.script([{ text: 'CALL nothing {"path":"/a"}' }, { finish: 'stop' }])
    const again = await chat.send(conversationId, 'more', word.replyId)
    parentId = again.replyId
    await round(6)
  })
})
