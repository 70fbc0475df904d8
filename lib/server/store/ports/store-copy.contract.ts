import { describe, expect, it } from 'vitest'
import type { Grant } from '@/lib/shared/conversation/call-record'
import type { StoreUnderTest } from './store.contract'
import {
  asRequested,
  finishedEnding,
  neverGated,
  runOf,
  testCall,
  testConversation,
  testOutcome,
  testPlan,
} from '../testing/rows'
import { underTest } from '../testing/under-test'

const scope = {
  kind: 'effects',
  folders: ['/src'],
  changes: ['created', 'changed'],
  maxFiles: 2,
  maxBytes: 100,
  runs: 2,
} as const
const created = { path: '/src/ü 😀', change: 'created', size: 60 } as const
const within = { effects: [created], seen: [] }

const grant = (id: string, over: Partial<Grant> = {}): Grant => ({
  id,
  scope,
  createdAt: 5,
  uses: 0,
  lastUsedAt: null,
  revokedAt: null,
  ...over,
})

/** The contract of every store for kept approvals that keep a task's changes on a copy. */
export function copyContract(database: string, openBoth: () => Promise<StoreUnderTest>): void {
  describe(`store contract of copies under a kept approval: ${database}`, () => {
    const { store, elsewhere, next } = underTest(openBoth)
    const either = (n: number) => (n % 2 === 0 ? store : elsewhere)

    /** A chat with the approval `g`, and a copy `c` that began under it. */
    async function withCopy(over: Partial<Grant> = {}): Promise<string> {
      const id = `copy-${next()}`
      await store.createConversation('ada', testConversation(id))
      const plan = testPlan(id, 1)
      await store.append('ada', id, 'u1', plan, 2000)
      await store.endRun(runOf('ada', plan.reply), finishedEnding({ runnableCalls: 0 }), 3000)
      await store.giveGrant('ada', id, grant('g', over))
      const copy = grant('c', { scope: { kind: 'copy', under: 'g', isPreview: true }, createdAt: 60 })
      expect(await store.giveGrant('ada', id, copy)).toEqual(copy)
      return id
    }
    const grantsOf = async (id: string) => (await elsewhere.loadConversation('ada', id))?.grants
    const events = async (id: string) => (await store.loadLog('ada', id))?.map(({ event }) => event)
    const refused = (id: string, plan: Parameters<typeof store.allowCopy>[3] = within, at = 80) =>
      expect(store.allowCopy('ada', id, 'c', plan, at)).rejects.toMatchObject({ code: 'conflict' })

    it('counts one run per copy, in two processes and however often it asks, and stores it with the end', async () => {
      const id = await withCopy()
      const asked = await Promise.all(
        Array.from({ length: 6 }, (_, n) => either(n).allowCopy('ada', id, 'c', within, 80)),
      )
      const allowed = { at: 80, files: 1, bytes: 60 }
      const copy = grant('c', { scope: { kind: 'copy', under: 'g', isPreview: true, allowed }, createdAt: 60 })
      expect(asked).toEqual(asked.map(() => copy))
      expect(await grantsOf(id)).toEqual([grant('g', { uses: 1, lastUsedAt: 80 }), copy])
      const end = { kind: 'kept', changed: 1, kept: 1, leftOut: [], by: 'grant' } as const
      const ended = { ...copy, scope: { ...copy.scope, end }, revokedAt: 90 }
      expect(await store.revokeGrant('ada', id, 'c', 90, end)).toEqual(ended)
      expect(await elsewhere.allowCopy('ada', id, 'c', within, 95)).toEqual(ended)
      expect(await events(id)).toEqual(['grant-given', 'grant-given', 'grant-used', 'grant-revoked'])
      const used = (await store.loadLog('ada', id))?.[2]
      expect(used?.detail).toEqual({ grantId: 'g', copyId: 'c', files: 1, effects: [created] })
    })

    it('refuses changes beyond the approval, and counts nothing then', async () => {
      const id = await withCopy()
      await refused(id, { ...within, effects: [{ ...created, path: '/other' }] })
      await refused(id, { ...within, effects: [{ ...created, size: 101 }] })
      await refused(id, { ...within, effects: [{ ...created, change: 'deleted' }] })
      await refused(id, { ...within, effects: ['a', 'b', 'c'].map((name) => ({ ...created, path: `/src/${name}` })) })
      expect((await grantsOf(id))?.map(({ uses }) => uses)).toEqual([0, 0])
      expect(await events(id)).toEqual(['grant-given', 'grant-given'])
    })

    it('checks changed effects again within the approval, and counts no second run', async () => {
      const id = await withCopy({ uses: 1 })
      await store.allowCopy('ada', id, 'c', within, 80)
      const more = { ...within, effects: [created, { ...created, path: '/src/b', size: 1 }] }
      expect((await store.allowCopy('ada', id, 'c', more, 90)).scope).toMatchObject({ allowed: { at: 90, files: 2 } })
      await refused(id, { ...within, effects: [{ ...created, path: '/other' }] })
      expect((await grantsOf(id))?.map(({ uses }) => uses)).toEqual([2, 0])
    })

    it('refuses under a revoked, expired or used-up approval, and for a copy that began by a click', async () => {
      await refused(await withCopy({ uses: 2 }))
      await refused(await withCopy({ expiresAt: 80 }))
      const id = await withCopy()
      await store.revokeGrant('ada', id, 'g', 70)
      await refused(id)
      await store.giveGrant('ada', id, grant('own', { scope: { kind: 'copy' } }))
      for (const copyId of ['own', 'none', 'g']) {
        await expect(store.allowCopy('ada', id, copyId, within, 80)).rejects.toMatchObject({ code: 'conflict' })
      }
      await expect(store.allowCopy('eve', id, 'c', within, 80)).rejects.toMatchObject({ code: 'not-found' })
    })

    it('gives the last run to one of two concurrent copies', async () => {
      const id = await withCopy({ uses: 1 })
      await store.giveGrant('ada', id, grant('d', { scope: { kind: 'copy', under: 'g' }, createdAt: 60 }))
      const asked = await Promise.allSettled(
        ['c', 'd', 'd', 'c'].map((copyId, n) => either(n).allowCopy('ada', id, copyId, within, 80)),
      )
      const names = asked.flatMap((one) => (one.status === 'fulfilled' ? [one.value.id] : []))
      expect(new Set(names).size).toBe(1)
      expect((await grantsOf(id))?.find((one) => one.id === 'g')?.uses).toBe(2)
    })

    it('stores what a link shows, and one of many answers in two processes, until the copy ends', async () => {
      const id = await withCopy()
      const shown = {
        changes: [{ ...created, reasons: ['outside'], lines: { added: 1, removed: 0 } }],
        runs: 2,
        ms: 30,
      } as const
      expect(await store.answerCopy('ada', id, 'c', { kind: 'keep', from: 'link' })).toMatchObject({ isFirst: false })
      const look = await store.showCopy('ada', id, 'c', shown, 80)
      expect(look).toEqual({ ...shown, at: 80 })
      const newer = await elsewhere.showCopy('ada', id, 'c', shown, 80)
      expect(newer.at).toBe(81)
      const old = store.answerCopy('ada', id, 'c', { kind: 'keep', from: 'link', to: look.at })
      await expect(old).rejects.toMatchObject({ code: 'conflict' })
      const asked = await Promise.all(
        Array.from({ length: 6 }, (_, n) =>
          either(n).answerCopy('ada', id, 'c', { kind: n % 3 ? 'keep' : 'discard', from: 'link', to: newer.at }),
        ),
      )
      expect(asked.filter(({ isFirst }) => isFirst)).toHaveLength(1)
      const standing = asked.find(({ isFirst }) => isFirst)?.copy
      expect(asked.map(({ copy }) => copy)).toEqual(asked.map(() => standing))
      expect((await grantsOf(id))?.[1]).toEqual(standing)
      await expect(store.showCopy('ada', id, 'c', shown, 90)).rejects.toMatchObject({ code: 'conflict' })
      const here = { kind: 'discard', from: 'here' } as const
      const stays = await store.answerCopy('ada', id, 'c', { ...here, over: look.at })
      expect(stays).toEqual({ copy: standing, isFirst: false })
      const over = await store.answerCopy('ada', id, 'c', { ...here, over: newer.at })
      expect([over.isFirst, over.copy.scope]).toMatchObject([true, { look: { at: 81, answer: here } }])
      const end = { kind: 'discarded', changed: 1, kept: 0, leftOut: [] } as const
      await store.revokeGrant('ada', id, 'c', 95, end)
      expect((await grantsOf(id))?.[1]?.scope).toEqual({ kind: 'copy', under: 'g', isPreview: true, end })
      const late = await elsewhere.answerCopy('ada', id, 'c', { kind: 'keep', from: 'link', to: newer.at })
      expect([late.isFirst, late.copy.revokedAt]).toEqual([false, 95])
      await expect(store.showCopy('eve', id, 'c', shown, 90)).rejects.toMatchObject({ code: 'not-found' })
      await expect(store.answerCopy('ada', id, 'g', here)).rejects.toMatchObject({ code: 'not-found' })
    })

    it('refuses an answer once another call ran on the copy', async () => {
      const id = await withCopy()
      const { at } = await store.showCopy('ada', id, 'c', { changes: [], runs: 0, ms: 0 }, 80)
      await store.decideCall('ada', id, testCall('a1', 0, { decidedAt: 85 }), asRequested)
      const answer = store.answerCopy('ada', id, 'c', { kind: 'keep', from: 'link', to: at })
      await expect(answer).rejects.toMatchObject({ code: 'conflict' })
      expect((await grantsOf(id))?.[1]?.scope).not.toHaveProperty('look.answer')
    })

    it('waits for a call that runs on the copy, and refuses one that was not seen', async () => {
      const id = await withCopy()
      const ran = testCall('a1', 0, { decidedAt: 70 })
      await store.decideCall('ada', id, testCall('a1', 1, { decidedAt: 50 }), asRequested)
      await store.decideCall('ada', id, ran, asRequested)
      expect(await store.runsOnCopy('ada', id, 'c')).toMatchObject([{ slot: 0, decision: 'run' }])
      const call = { messageId: 'a1', slot: 0, attempt: 1 }
      const seen = [call]
      await refused(id)
      await refused(id, { ...within, seen })
      await store.finishCall('ada', id, { ...call, runnerId: ran.runnerId ?? '' }, testOutcome(), neverGated, 75)
      await refused(id)
      expect((await store.allowCopy('ada', id, 'c', { ...within, seen }, 80)).id).toBe('c')
      await store.revokeGrant('ada', id, 'c', 90)
      expect(await store.runsOnCopy('ada', id, 'c')).toBeNull()
      expect(await store.runsOnCopy('eve', id, 'c')).toBeNull()
    })
  })
}
