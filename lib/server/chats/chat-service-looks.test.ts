import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { decodeSettings } from '@/lib/shared/conversation/settings/settings'
import { isApprovedElsewhere } from '@/lib/shared/conversation/wire/call-requests'
import type { Store } from '@/lib/server/store/ports/store'
import { openTestStore } from '@/lib/server/store/testing/open-test-store'
import { createChatHarness, type ChatHarness } from './testing/chat-harness'

let store: Store
let chat: ChatHarness

beforeAll(async () => {
  store = await openTestStore({ decodeSettings })
})
afterAll(() => store.close())
beforeEach(() => {
  chat = createChatHarness(store)
})

const write = 'CALL write_file {"path":"/a"}'
const none = { code: 'not-found', message: expect.stringMatching(/^This link shows no call/) as string }

async function withLook(text = write) {
  const { conversationId: id, replyId } = await chat.withReply(text)
  const decision = await chat.decision(replyId, 0, 'write_file')
  const { messageId, slot, callHash } = decision
  const { token, expiresAt } = await chat.service.openLook('ada', id, { messageId, slot, callHash })
  return { id, replyId, decision, token, expiresAt }
}

describe('a second look at a call', () => {
  it('shows the call with its chat to its owner until it is decided', async () => {
    const { id, token, expiresAt } = await withLook()
    const view = await chat.service.look('ada', token)
    expect(view).toMatchObject({
      chat: { id },
      call: { name: 'write_file', arguments: { path: '/a' } },
      decision: null,
      hasRun: false,
      expiresAt,
    })
    expect(await chat.service.answerLook('ada', token, { decision: 'deny', reason: 'No.' })).toMatchObject({
      granted: true,
      call: { decision: 'deny', reason: 'No.', by: { kind: 'click' } },
    })
    expect(await chat.service.look('ada', token)).toMatchObject({ decision: 'deny' })
  })

  it('runs nothing when it is approved: the browser with the files makes the next attempt, once', async () => {
    const { id, replyId, decision, token } = await withLook()
    const { call } = await chat.service.answerLook('ada', token, { decision: 'run' })
    expect(call && isApprovedElsewhere(call)).toBe(true)
    const next = { ...decision, attempt: 2 }
    const starts = await Promise.all([
      chat.decide(id, { ...next, runnerId: 'tab-1' }),
      chat.decide(id, { ...next, runnerId: 'tab-2' }),
    ])
    expect(starts.filter(({ granted }) => granted)).toHaveLength(1)
    const [run] = (await chat.service.view('ada', id)).calls
    expect(run).toMatchObject({ messageId: replyId, attempt: 2, decision: 'run' })
    expect(run && isApprovedElsewhere(run)).toBe(false)
  })

  it('accepts the first answer of two devices, and returns it to the other', async () => {
    const { id, decision, token } = await withLook()
    const [here, there, again] = await Promise.all([
      chat.decide(id, { ...decision, decision: 'deny' }),
      chat.service.answerLook('ada', token, { decision: 'run' }),
      chat.service.answerLook('ada', token, { decision: 'deny' }),
    ])
    const answers = [here, there, again]
    expect(answers.filter(({ granted }) => granted)).toHaveLength(1)
    const standing = answers.find(({ granted }) => granted)?.call
    expect(answers.map(({ call }) => call)).toEqual([standing, standing, standing])
    expect((await chat.service.view('ada', id)).calls).toEqual([standing])
  })

  it('is refused to other owners and for any other link', async () => {
    const { token } = await withLook()
    const other = await withLook()
    await expect(chat.service.look('eve', token)).rejects.toMatchObject(none)
    await expect(chat.service.answerLook('eve', token, { decision: 'run' })).rejects.toMatchObject(none)
    const parts = token.split('~')
    const forged = [
      '',
      'nonsense',
      parts.with(4, other.token.split('~').at(-1) ?? '').join('~'),
      parts.with(4, '').join('~'),
      parts.with(3, (8e15).toString(36)).join('~'),
      parts.with(2, '1').join('~'),
      parts.with(2, 'é').join('~'),
      [...parts, 'more'].join('~'),
      token.slice(0, -1),
    ]
    for (const one of forged) await expect(chat.service.look('ada', one)).rejects.toMatchObject(none)
  })

  it('expires, and ends when the call is edited', async () => {
    const { token } = await withLook()
    await chat.clock.pass(24 * 60 * 60_000)
    await expect(chat.service.look('ada', token)).rejects.toMatchObject(none)
    const { id, replyId, token: second } = await withLook()
    const call = { name: 'write_file', arguments: { path: '/b' } }
    await chat.service.amend('ada', id, { messageId: replyId, slot: 0, amendment: { call } })
    await expect(chat.service.answerLook('ada', second, { decision: 'run' })).rejects.toMatchObject(none)
  })

  it('is refused for a call that only its card shows completely', async () => {
    const { conversationId: id, replyId } = await chat.withReply('GUESSED write_file {"path":"/a"}')
    const decision = await chat.decision(replyId, 0, 'write_file')
    await expect(chat.service.openLook('ada', id, decision)).rejects.toMatchObject({ code: 'conflict' })
  })

  it('is refused for a decided call', async () => {
    const { id, decision } = await withLook()
    await chat.decide(id, decision)
    await expect(chat.service.openLook('ada', id, decision)).rejects.toMatchObject({ code: 'call-not-open' })
  })
})

describe('a second look at a copy', () => {
  const shown = {
    changes: [{ path: '/a', change: 'created', size: 5, reasons: ['outside'] }],
    runs: 1,
    ms: 20,
  } as const

  async function withCopyLook() {
    const { conversationId: id, replyId } = await chat.withReply(write)
    const { messageId, slot, callHash } = await chat.decision(replyId, 0, 'write_file')
    const copyId = `copy-${id}`
    await chat.service.giveGrant('ada', id, { id: copyId, messageId, slot, callHash, kind: 'copy' })
    await chat.clock.pass(10)
    const { token, expiresAt } = await chat.service.openLook('ada', id, { copyId, shown })
    const end = (kind: 'kept' | 'discarded') =>
      chat.service.endCopy('ada', id, copyId, { kind, changed: 1, kept: kind === 'kept' ? 1 : 0, leftOut: [] })
    return { id, replyId, copyId, token, expiresAt, end }
  }

  it('shows what would change, without contents, and takes one answer', async () => {
    const { id, copyId, token, expiresAt, end } = await withCopyLook()
    const view = { chat: { id }, copy: shown, decision: null, hasRun: false, expiresAt }
    expect(await chat.service.look('ada', token)).toMatchObject(view)
    const [first, second] = await Promise.all([
      chat.service.answerLook('ada', token, { decision: 'run' }),
      chat.service.answerLook('ada', token, { decision: 'deny' }),
    ])
    expect([first, second].filter(({ granted }) => granted)).toHaveLength(1)
    expect(first.decision).toBe(second.decision)
    expect(await chat.service.look('ada', token)).toMatchObject({ decision: first.decision, hasRun: false })
    const claim = await chat.service.endCopy('ada', id, copyId, { kind: 'answer', answer: 'discard' })
    const kind = first.decision === 'run' ? 'keep' : 'discard'
    expect(claim).toMatchObject({ revokedAt: null, scope: { look: { answer: { kind, from: 'link' } } } })
    await end('kept')
    expect(await chat.service.look('ada', token)).toMatchObject({ copy: null, decision: 'run', hasRun: true })
    expect(await chat.service.answerLook('ada', token, { decision: 'deny' })).toEqual({
      granted: false,
      decision: 'run',
    })
  })

  it('tells another device that the browser with the copy decided first', async () => {
    const { id, copyId, token } = await withCopyLook()
    await chat.service.endCopy('ada', id, copyId, { kind: 'answer', answer: 'discard' })
    expect(await chat.service.answerLook('ada', token, { decision: 'run' })).toEqual({
      granted: false,
      decision: 'deny',
    })
  })

  it('is for its owner and this state of the copy only, and expires', async () => {
    const { id, copyId, replyId, token } = await withCopyLook()
    const other = await withCopyLook()
    await expect(chat.service.look('eve', token)).rejects.toMatchObject(none)
    await expect(chat.service.openLook('eve', id, { copyId, shown })).rejects.toMatchObject({ code: 'not-found' })
    const parts = token.split('~')
    const forged = [
      parts.with(1, other.copyId).join('~'),
      parts.with(2, 'copy.1').join('~'),
      parts.with(3, (8e15).toString(36)).join('~'),
      parts.with(4, other.token.split('~').at(-1) ?? '').join('~'),
      [...parts, 'more'].join('~'),
    ]
    for (const one of forged) await expect(chat.service.look('ada', one)).rejects.toMatchObject(none)
    await chat.clock.pass(10)
    const newer = await chat.service.openLook('ada', id, { copyId, shown })
    await expect(chat.service.look('ada', token)).rejects.toMatchObject(none)
    await chat.clock.pass(10)
    await chat.decide(id, { ...(await chat.decision(replyId, 0, 'write_file')), copyId })
    const late = chat.service.answerLook('ada', newer.token, { decision: 'run' })
    await expect(late).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringMatching(/copy changed/) as string,
    })
    await chat.clock.pass(24 * 60 * 60_000)
    await expect(chat.service.look('ada', newer.token)).rejects.toMatchObject(none)
  })
})

describe('a link for a reviewer', () => {
  const people = { ada: 'account-ada', grace: 'account-grace', eve: 'account-eve' } as const
  const as = (name: keyof typeof people) => ({ id: people[name], name: `${name} \u202e` })
  const noLink = { code: 'not-found', message: expect.stringMatching(/^This link does not open/) as string }

  beforeAll(async () => {
    for (const [owner, id] of Object.entries(people)) {
      const row = { id, name: owner, email: `${owner}@example.com`, emailProven: true, owner, role: 'user' } as const
      const account = { ...row, createdAt: 1, disabledAt: null }
      await store.accounts.addAccount(account, { id: `in-${id}`, providerId: 'header', accountId: owner })
    }
  })
  beforeEach(() => {
    const findReviewer = async (address: string) => (await store.accounts.findAccountByEmail(address))?.id ?? null
    chat = createChatHarness(store, { findReviewer })
  })

  async function withReview(reviewer = 'grace@example.com') {
    const look = await withLook()
    const { messageId, slot, callHash } = look.decision
    const made = await chat.service.openLook('ada', look.id, { messageId, slot, callHash, reviewer }, as('ada'))
    return { ...look, made, review: made.review ?? '' }
  }

  it('shows what the owner’s link shows, without the way to the chat, to that account only', async () => {
    const { token, review } = await withReview()
    const own = await chat.service.look('ada', token)
    const seen = await chat.service.look('grace', review, as('grace'))
    expect(seen).toEqual({ ...own, chat: { id: null, title: own.chat.title } })
    for (const who of ['ada', 'eve'] as const) {
      await expect(chat.service.look(who, review, as(who))).rejects.toMatchObject(noLink)
      const answer = chat.service.answerLook(who, review, { decision: 'run' }, as(who))
      await expect(answer).rejects.toMatchObject(noLink)
    }
    await expect(chat.service.look('grace', review)).rejects.toMatchObject(noLink)
    // The owner's own link stays the owner's.
    await expect(chat.service.look('grace', token, as('grace'))).rejects.toMatchObject(none)
  })

  it('keeps the reviewer’s name with a denial, and gives the reviewer no row', async () => {
    const { id, review } = await withReview()
    const answer = await chat.service.answerLook('grace', review, { decision: 'deny', reason: 'No.' }, as('grace'))
    expect(answer).toEqual({ granted: true, decision: 'deny' })
    const [row] = (await chat.service.view('ada', id)).calls
    expect(row).toMatchObject({ decision: 'deny', reason: 'No.', by: { kind: 'reviewer', name: as('grace').name } })
    expect(await chat.service.answerLook('grace', review, { decision: 'run' }, as('grace'))).toEqual({
      granted: false,
      decision: 'deny',
    })
    const { calls } = JSON.parse((await Array.fromAsync((await chat.service.export('ada', id)).pieces)).join('')) as {
      calls: readonly unknown[]
    }
    expect(calls).toEqual([row])
  })

  it('stays the reviewer’s approval when the owner’s browser starts the call, and not a second time', async () => {
    const { id, decision, review } = await withReview()
    await chat.service.answerLook('grace', review, { decision: 'run' }, as('grace'))
    const next = { ...decision, attempt: 2 }
    const starts = await Promise.all([
      chat.decide(id, { ...next, runnerId: 'tab-1' }),
      chat.decide(id, { ...next, runnerId: 'tab-2' }),
    ])
    expect(starts.filter(({ granted }) => granted)).toHaveLength(1)
    expect(starts[0].call.by).toEqual({ kind: 'reviewer', name: as('grace').name })
    const { call } = await chat.decide(id, { ...decision, attempt: 3, runnerId: 'tab-1' })
    expect(call.by).toEqual({ kind: 'click' })
  })

  it('takes the first answer of the owner and the reviewer', async () => {
    const { id, decision, token, review } = await withReview()
    const answers = await Promise.all([
      chat.service.answerLook('grace', review, { decision: 'run' }, as('grace')),
      chat.decide(id, { ...decision, decision: 'deny' }),
      chat.service.answerLook('ada', token, { decision: 'deny' }),
      chat.service.answerLook('grace', review, { decision: 'deny' }, as('grace')),
    ])
    expect(answers.filter(({ granted }) => granted)).toHaveLength(1)
    const [row] = (await chat.service.view('ada', id)).calls
    expect((await chat.service.look('grace', review, as('grace'))).decision).toBe(row?.decision)
  })

  it('ends when it is withdrawn, replaced, expired, edited, or for a disabled account', async () => {
    const look = (review: string) => chat.service.look('grace', review, as('grace'))
    const withdrawn = await withReview()
    await chat.service.endLook('eve', withdrawn.review)
    expect(await look(withdrawn.review)).toMatchObject({ decision: null })
    await chat.service.endLook('ada', withdrawn.review)
    await chat.service.endLook('ada', withdrawn.review)
    await expect(look(withdrawn.review)).rejects.toMatchObject(noLink)

    const { id, decision, review } = await withReview()
    const { messageId, slot, callHash } = decision
    const again = { messageId, slot, callHash, reviewer: 'eve@example.com' }
    await chat.service.openLook('ada', id, again, as('ada'))
    await expect(look(review)).rejects.toMatchObject(noLink)

    const edited = await withReview()
    const call = { name: 'write_file', arguments: { path: '/b' } }
    await chat.service.amend('ada', edited.id, { messageId: edited.replyId, slot: 0, amendment: { call } })
    await expect(look(edited.review)).rejects.toMatchObject(noLink)

    const kept = await withReview()
    await store.accounts.setDisabled(people.grace, 1)
    await expect(look(kept.review)).rejects.toMatchObject(noLink)
    await store.accounts.setDisabled(people.grace, null)
    expect(await look(kept.review)).toMatchObject({ decision: null })
    await chat.clock.pass(24 * 60 * 60_000)
    await expect(look(kept.review)).rejects.toMatchObject(noLink)
  })

  it('is made in the same way if there is no such account, and then opens for nobody', async () => {
    const real = await withReview()
    const unknown = await withReview('nobody@example.com')
    const formOf = ({ made }: typeof real) =>
      Object.entries(made).map(([name, value]) => [name, typeof value, String(value).length])
    expect(formOf(unknown)).toEqual(formOf(real))
    for (const who of ['ada', 'grace', 'eve'] as const) {
      await expect(chat.service.look(who, unknown.review, as(who))).rejects.toMatchObject(noLink)
    }
    await expect(withReview('ada@example.com')).rejects.toMatchObject({ code: 'bad-request' })
  })

  it('is neither made nor opened on a server that does not allow reviewers', async () => {
    const { id, decision, review, token } = await withReview()
    const off = createChatHarness(store)
    const { messageId, slot, callHash } = decision
    const refused = { code: 'forbidden' }
    const request = { messageId, slot, callHash, reviewer: 'grace@example.com' }
    await expect(off.service.openLook('ada', id, request, as('ada'))).rejects.toMatchObject(refused)
    await expect(off.service.look('grace', review, as('grace'))).rejects.toMatchObject(refused)
    const answer = off.service.answerLook('grace', review, { decision: 'run' }, as('grace'))
    await expect(answer).rejects.toMatchObject(refused)
    expect(await off.service.look('ada', token)).toMatchObject({ decision: null })
    const browser = chat.service.openLook('ada', id, request)
    await expect(browser).rejects.toMatchObject({ code: 'signed-out' })
  })

  it('decides on a copy, whose end names the reviewer', async () => {
    const { conversationId: id, replyId } = await chat.withReply(write)
    const { messageId, slot, callHash } = await chat.decision(replyId, 0, 'write_file')
    const copyId = `copy-${id}`
    await chat.service.giveGrant('ada', id, { id: copyId, messageId, slot, callHash, kind: 'copy' })
    const shown = { changes: [{ path: '/a', change: 'created', size: 5, reasons: [] }], runs: 1, ms: 20 } as const
    const request = { copyId, shown, reviewer: 'grace@example.com' }
    const { review = '' } = await chat.service.openLook('ada', id, request, as('ada'))
    expect(await chat.service.look('grace', review, as('grace'))).toMatchObject({ chat: { id: null }, copy: shown })
    expect(await chat.service.answerLook('grace', review, { decision: 'run' }, as('grace'))).toEqual({
      granted: true,
      decision: 'run',
    })
    const kept = { kind: 'kept', changed: 1, kept: 1, leftOut: [] } as const
    const { scope } = await chat.service.endCopy('ada', id, copyId, kept)
    expect(scope).toEqual({ kind: 'copy', end: { ...kept, reviewer: as('grace').name } })
  })
})
