import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { createTestDatabase } from '@/lib/server/store/testing/test-database'
import { runBackupCommand, type BackupCommand } from './backup.server'
import { makeServer } from '../make-server'

const folder = mkdtempSync(path.join(tmpdir(), 'nod-backups-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
let made = 0
const newPlace = (): string => path.join(folder, String((made += 1)))
const quiet = { NOD_OLLAMA: 'off', NOD_DEMO_DELAY_MS: '0' }
const run = (command: BackupCommand, file: string | undefined, env: Record<string, string>) =>
  runBackupCommand(command, file, { ...quiet, ...env }, () => Date.UTC(2026, 10, 22, 9, 5))

describe('a server that was backed up while it was running', () => {
  it('is restored into an empty folder, and its browsers find their chats', async () => {
    const [data, other, file] = [newPlace(), newPlace(), newPlace()]
    const server = await makeServer({ ...quiet, NOD_DATA_DIR: data })
    const conversation = await server.service.create('ada', { id: crypto.randomUUID() })
    const cookie = server.owners.cookie('ada', { secure: false })
    const said = await run('backup', file, { NOD_DATA_DIR: data })
    expect(said[0]).toMatch(/^Backed up: \d+ rows? of \d+ tables in /)
    expect(said[1]).toMatch(/contains the secret that signs cookies/)
    await server.dispose()

    expect((await run('check', file, {}))[0]).toMatch(/complete: .* 2026-11-22T09:05:00.000Z/)
    const restored = await run('restore', file, { NOD_DATA_DIR: other })
    expect(restored.join(' ')).toMatch(/Restored: .*restored to /)
    expect(readFileSync(path.join(other, 'secret'))).toEqual(readFileSync(path.join(data, 'secret')))
    for (const name of ['secret', 'nod.sqlite']) expect(statSync(path.join(other, name)).mode & 0o777).toBe(0o600)
    const again = await makeServer({ ...quiet, NOD_DATA_DIR: other })
    expect((await again.owners.read(cookie.split(';')[0] ?? '', { secure: false }))?.owner).toBe('ada')
    expect((await again.service.view('ada', conversation.id)).conversation).toEqual(conversation)
    await again.dispose()
    await expect(run('restore', file, { NOD_DATA_DIR: other })).rejects.toThrow(/not empty/)
  })

  it('moves from the folder to PostgreSQL; the operator keeps their own secret', async () => {
    const [data, file, url] = [newPlace(), newPlace(), await createTestDatabase()]
    const NOD_SECRET = 'x'.repeat(40)
    const server = await makeServer({ ...quiet, NOD_DATA_DIR: data, NOD_SECRET })
    const id = crypto.randomUUID()
    await server.service.create('ada', { id })
    expect((await run('backup', file, { NOD_DATA_DIR: data, NOD_SECRET }))[1]).toMatch(/does not contain NOD_SECRET/)
    const view = await server.service.view('ada', id)
    await server.dispose()
    const target = { DATABASE_URL: url, NOD_SECRET, NOD_DATA_DIR: newPlace() }
    expect((await run('restore', file, target))[1]).toMatch(/does not contain NOD_SECRET/)
    const again = await makeServer({ ...quiet, ...target })
    expect(await again.service.view('ada', id)).toEqual(view)
    await again.dispose()
  })
})

it('reports that the backup’s secret differs from the server’s', async () => {
  const [data, file] = [newPlace(), newPlace()]
  await (await makeServer({ ...quiet, NOD_DATA_DIR: data })).dispose()
  await run('backup', file, { NOD_DATA_DIR: data })
  const secret = readFileSync(path.join(data, 'secret'), 'utf8').trim()
  const other = 'x'.repeat(40)
  const said = async (env: Record<string, string>) => {
    const lines = await run('restore', file, env)
    expect(lines.join(' ')).not.toContain(secret)
    return lines[1]
  }
  const database = async () => ({ DATABASE_URL: await createTestDatabase() })
  const otherSecret = /another secret than this server’s.*first line of the backup .*NOD_SECRET_PREVIOUS/
  expect(await said({ ...(await database()), NOD_SECRET: other })).toMatch(otherSecret)
  expect(await said({ ...(await database()), NOD_SECRET: secret })).toBeUndefined()
  expect(await said({ ...(await database()), NOD_SECRET: other, NOD_SECRET_PREVIOUS: secret })).toBeUndefined()
  expect(await said({ NOD_DATA_DIR: newPlace(), NOD_SECRET: other })).toMatch(otherSecret)
  const begun = newPlace()
  await (await makeServer({ ...quiet, NOD_DATA_DIR: begun })).dispose()
  rmSync(path.join(begun, 'nod.sqlite'))
  expect(await said({ NOD_DATA_DIR: begun })).toMatch(otherSecret)
})

it('reports what is missing, and creates nothing if there is no database', async () => {
  const data = newPlace()
  await expect(run('backup', undefined, { NOD_DATA_DIR: data })).rejects.toThrow(/no database to back up/)
  expect(existsSync(data)).toBe(false)
  await expect(run('restore', undefined, { NOD_DATA_DIR: data })).rejects.toThrow(/Name the backup/)
})
