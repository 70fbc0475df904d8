import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { makeWheel } from '@/lib/sandbox/testing/make-wheel'
import { packageFolder, wheelPath, writeRecord } from '@/lib/server/python-packages/package-folder'
import { forgetSettings } from '@/lib/server/wiring/settings.server'
import * as listRoute from './python/route'
import * as wheelRoute from './python/[hash]/route'
import { problem, type Sent } from './testing/send'
import { serveRoutes } from './testing/serve-routes'

const served = serveRoutes({})
const wheel = makeWheel({ name: 'greet', requires: ['words'] })
const { data, ...listed } = wheel
let folder = ''

beforeEach(async () => {
  const dataFolder = mkdtempSync(path.join(tmpdir(), 'nod-python-route-'))
  vi.stubEnv('NOD_DATA_DIR', dataFolder)
  forgetSettings()
  folder = packageFolder(dataFolder)
  mkdirSync(folder, { recursive: true })
  writeFileSync(path.join(dataFolder, 'secret'), 'the secret')
  writeFileSync(path.join(folder, `${'b'.repeat(64)}.whl`), 'a wheel that no record names')
  writeFileSync(wheelPath(folder, wheel.sha256), data)
  await writeRecord(folder, { ...listed, isNamed: true, licenceText: 'MIT …' })
})
afterEach(() => {
  vi.unstubAllEnvs()
  forgetSettings()
  rmSync(path.dirname(path.dirname(folder)), { recursive: true, force: true })
})

const ask = (hash: string, sent: Sent = {}) => served.sendAs('ada', wheelRoute.GET, { params: { hash }, ...sent })

describe('GET /api/python', () => {
  it('lists the operator’s packages, without license texts', async () => {
    const response = await served.sendAs('ada', listRoute.GET, {})
    expect(response.headers.get('cache-control')).toBe('no-store')
    expect(await response.json()).toEqual({ packages: [listed] })
  })

  it('is empty if none were added', async () => {
    rmSync(folder, { recursive: true })
    expect(await (await served.sendAs('ada', listRoute.GET, {})).json()).toEqual({ packages: [] })
  })
})

describe('GET /api/python/:hash', () => {
  it('returns the wheel, to be cached permanently', async () => {
    const response = await ask(wheel.sha256)
    expect(response.status).toBe(200)
    expect(response.headers.get('cache-control')).toBe('private, max-age=31536000, immutable')
    expect(response.headers.get('content-type')).toBe('application/zip')
    expect(new Uint8Array(await response.arrayBuffer())).toEqual(data)
  })

  it.each([
    '../../secret',
    '..%2F..%2Fsecret',
    '/etc/passwd',
    `../${'b'.repeat(64)}`,
    'greet',
    'greet.json',
    `${wheel.sha256}.whl`,
    wheel.sha256.toUpperCase(),
    `${wheel.sha256}\0`,
    'b'.repeat(64),
    '',
    '__proto__',
  ])('finds nothing for %j', async (hash) => {
    expect(await problem(ask(hash))).toMatchObject({ status: 404, reason: 'server.no-python-package' })
  })
})
