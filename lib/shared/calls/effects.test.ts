import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { EffectsScope } from '@/lib/shared/conversation/copy-scopes'
import type { Grant } from '@/lib/shared/conversation/call-record'
import type { CopyEffect } from '@/lib/shared/conversation/wire/call-requests'
import { worksOnCopy } from './copy'
import { bytesOf, effectKinds, excessOf, isScopeSound, suggestedScope } from './effects'

const scope = (over: Partial<EffectsScope> = {}): EffectsScope => ({
  kind: 'effects',
  folders: ['/src'],
  changes: ['created', 'changed', 'moved'],
  maxFiles: 3,
  maxBytes: 100,
  runs: 10,
  ...over,
})
const effect = (path: string, over: Partial<CopyEffect> = {}): CopyEffect => ({
  path,
  change: 'changed',
  size: 10,
  ...over,
})
const kindsOf = (limits: EffectsScope, ...effects: readonly CopyEffect[]) =>
  excessOf(limits, effects).map(({ kind }) => kind)

describe('changes beyond a kept approval', () => {
  it('are none within its folders, kinds, number and size', () => {
    const moved = effect('/src/b', { change: 'moved', from: '/src/a' })
    expect(kindsOf(scope(), effect('/src/x/y.ts'), effect('/src/z', { change: 'created', size: 80 }), moved)).toEqual(
      [],
    )
    expect(kindsOf(scope({ folders: ['/'] }), effect('/anything'))).toEqual([])
  })

  it.each<[string, CopyEffect, readonly string[]]>([
    ['a file beside the folder', effect('/srcs/a'), ['folder']],
    ['the folder itself', effect('/src', { change: 'created' }), ['folder']],
    ['a path that does not say plainly where it leads', effect('/src/../a'), ['folder']],
    ['a relative path', effect('src/a'), ['folder']],
    ['a file that came from elsewhere', effect('/src/a', { change: 'moved', from: '/b' }), ['folder']],
    ['a move that does not say where from', effect('/src/a', { change: 'moved' }), ['folder']],
    ['a deletion', effect('/src/a', { change: 'deleted', size: 1_000 }), ['deleted']],
    ['a large file', effect('/src/a', { size: 101 }), ['bytes']],
  ])('are %s', (_, one, kinds) => {
    expect(kindsOf(scope(), one)).toEqual(kinds)
  })

  it('include every change of a skill, whatever folders the approval covers', () => {
    const wide = scope({ folders: ['/'], changes: effectKinds })
    expect(kindsOf(wide, effect('/skills/a/SKILL.md'))).toEqual(['skill'])
    expect(kindsOf(wide, effect('/a.md', { change: 'moved', from: '/skills/a/SKILL.md' }))).toEqual(['skill'])
    expect(kindsOf(wide, effect('/skills-of-mine/a.md'))).toEqual([])
  })

  it('are counted, with the first path of each kind', () => {
    const effects = ['/a', '/b', '/src/c', '/src/d'].map((path) => effect(path, { change: 'deleted' }))
    expect(excessOf(scope(), effects)).toEqual([
      { kind: 'deleted', path: '/a', count: 4 },
      { kind: 'folder', path: '/a', count: 2 },
      { kind: 'files', count: 4, most: 3 },
    ])
  })

  it('are all changes if the approval only begins copies', () => {
    expect(kindsOf(scope({ maxFiles: 0 }), effect('/src/a'))).toEqual(['files'])
  })
})

const path = fc
  .array(fc.constantFrom('a', 'b', 'c'), { minLength: 1, maxLength: 4 })
  .map((names) => `/${names.join('/')}`)
const effects = fc.array(
  fc
    .record({ path, change: fc.constantFrom(...effectKinds), size: fc.nat(1_000_000) })
    .chain((one) =>
      one.change === 'moved' ? path.map((from): CopyEffect => ({ ...one, from })) : fc.constant<CopyEffect>(one),
    ),
  { minLength: 1, maxLength: 60 },
)

describe('the limits suggested after a task', () => {
  it.each<[readonly string[], readonly string[]]>([
    [['/src/a.ts', '/src/lib/b.ts'], ['/src']],
    [['/site/x/a', '/site/x/b'], ['/site/x']],
    [
      ['/src/a.ts', '/docs/b.md'],
      ['/docs', '/src'],
    ],
    [['/a.md', '/src/b'], ['/']],
  ])('for %j are the folders %j', (paths, folders) => {
    expect(suggestedScope(paths.map((one) => effect(one))).folders).toEqual(folders)
  })

  it('round up number and size', () => {
    const twelve = Array.from({ length: 12 }, (_, at) => effect(`/src/${at}`, { size: 3_400 }))
    expect(suggestedScope(twelve)).toEqual(scope({ changes: ['created', 'changed'], maxFiles: 12, maxBytes: 60_000 }))
  })

  it('cover the same task again, except its deletions', () =>
    fc.assert(
      fc.property(effects, (done) => {
        const limits = suggestedScope(done)
        expect(isScopeSound(limits)).toBe(true)
        expect(bytesOf(done) <= limits.maxBytes).toBe(true)
        const kinds = kindsOf(limits, ...done)
        expect(kinds).toEqual(done.some(({ change }) => change === 'deleted') ? ['deleted'] : [])
      }),
    ))
})

describe('a chat whose tasks work on a copy', () => {
  const grant: Grant = {
    id: 'e1',
    scope: scope(),
    createdAt: 1,
    uses: 9,
    lastUsedAt: null,
    revokedAt: null,
    expiresAt: 50,
  }
  it.each<[string, Partial<Grant>, boolean]>([
    ['by an approval that can be used', {}, true],
    ['not by one that is used up', { uses: 10 }, false],
    ['not by one that is over', { expiresAt: 49 }, false],
    ['not by one that was revoked', { revokedAt: 5 }, false],
    ['by a copy that is open', { scope: { kind: 'copy' }, expiresAt: 1_000 }, true],
    ['not by an approval of calls', { scope: { kind: 'tool', tool: 'write_file' } }, false],
  ])('does so %s', (_, over, does) => {
    expect(worksOnCopy([{ ...grant, ...over }], 49)).toBe(does)
  })
})
