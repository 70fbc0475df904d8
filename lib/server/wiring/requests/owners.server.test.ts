import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { createOwners } from '@/lib/server/quota/owner'
import { settingsOf } from '@/lib/server/settings/testing/settings-of'
import { dataDirectory, loadAccess, loadSecret, previousSecrets } from './owners.server'

const root = mkdtempSync(join(tmpdir(), 'nod-secret-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

describe('the secret', () => {
  it('is created once, readable only by this user, and found again', () => {
    const env = { NOD_DATA_DIR: join(root, 'fresh') }
    const first = loadSecret(settingsOf(env))
    expect(first).toHaveLength(32)
    expect(loadSecret(settingsOf(env))).toEqual(first)
    const file = join(root, 'fresh', 'secret')
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(readFileSync(file, 'utf8').trim().length).toBeGreaterThan(32)
    expect(loadSecret(settingsOf({ NOD_DATA_DIR: join(root, 'other') }))).not.toEqual(first)
  })

  it('is taken from NOD_SECRET if that is set', () => {
    const secret = 'a'.repeat(32)
    expect(loadSecret(settingsOf({ NOD_SECRET: secret, DATABASE_URL: 'postgres://x' }))).toEqual(
      loadSecret(settingsOf({ NOD_SECRET: secret })),
    )
    for (const short of ['short', 'a'.repeat(31)]) {
      expect(() => loadSecret(settingsOf({ NOD_SECRET: short }))).toThrow(
        /NOD_SECRET is too short.*NOD_SECRET_PREVIOUS/,
      )
    }
    expect(previousSecrets(settingsOf({ NOD_SECRET_PREVIOUS: 'a'.repeat(16) }))).toHaveLength(1)
    expect(previousSecrets(settingsOf({}))).toEqual([])
  })

  it('can be changed repeatedly without losing a chat, while the former ones are listed', async () => {
    const secrets = ['first', 'second', 'third'].map((name) => name.repeat(8))
    const ownersOf = (at: number, previous: readonly string[]) => {
      writeFileSync(join(root, 'previous'), `${previous.join('\n')}\n`)
      const env = { NOD_SECRET: secrets[at] ?? '', NOD_SECRET_PREVIOUS_FILE: join(root, 'previous') }
      const settings = settingsOf(previous.length === 0 ? { NOD_SECRET: env.NOD_SECRET } : env)
      const ports = { newId: () => 'x', now: () => 1_700_000_000_000 }
      return createOwners({ secret: loadSecret(settings), previousSecrets: previousSecrets(settings), ...ports })
    }
    const [cookie = ''] = ownersOf(0, []).cookie('ada', { secure: false }).split(';')
    const later = ownersOf(2, [secrets[1] ?? '', secrets[0] ?? ''])
    expect(await later.read(cookie)).toEqual({ owner: 'ada', stale: true })
    const [renewed = ''] = later.cookie('ada', { secure: false }).split(';')
    // A former secret can be removed after cookies were signed again; then a cookie signed with a stolen one is
    // invalid.
    expect(await ownersOf(2, []).read(renewed)).toEqual({ owner: 'ada', stale: false })
    expect(await ownersOf(2, []).read(cookie)).toBeNull()
    // With several nodes: one that still signs with the former secret already accepts the new one.
    expect(await ownersOf(1, [secrets[2] ?? '', secrets[0] ?? '']).read(renewed)).toMatchObject({ owner: 'ada' })
  })

  it('is required if several servers share a database', () => {
    expect(() => loadSecret(settingsOf({ DATABASE_URL: 'postgres://x' }))).toThrow(/NOD_SECRET is not set/)
  })

  it('reports with a sentence that it can’t be stored or is damaged', () => {
    const file = join(root, 'a-file')
    writeFileSync(file, '')
    expect(() => loadSecret(settingsOf({ NOD_DATA_DIR: join(file, 'sub') }))).toThrow(/not writable/)
    mkdirSync(join(root, 'damaged'))
    writeFileSync(join(root, 'damaged', 'secret'), 'short')
    expect(() => loadSecret(settingsOf({ NOD_DATA_DIR: join(root, 'damaged') }))).toThrow(/is damaged/)
  })

  it('protects with an unguessable token, or with none', () => {
    const env = { NOD_DATA_DIR: join(root, 'guarded') }
    expect(loadAccess(settingsOf(env))).toBeNull()
    expect(loadAccess(settingsOf({ ...env, NOD_ACCESS_TOKEN: '' }))).toBeNull()
    expect(() => loadAccess(settingsOf({ ...env, NOD_ACCESS_TOKEN: 'friends' }))).toThrow(
      /NOD_ACCESS_TOKEN is too short/,
    )
    expect(
      loadAccess(settingsOf({ ...env, NOD_ACCESS_TOKEN: 'friends of the house' }))?.isToken('friends of the house'),
    ).toBe(true)
  })

  it('is stored in .data by default', () => {
    expect(dataDirectory(settingsOf({}))).toBe(join(process.cwd(), '.data'))
    expect(dataDirectory(settingsOf({ NOD_DATA_DIR: '' }))).toBe(join(process.cwd(), '.data'))
  })
})
