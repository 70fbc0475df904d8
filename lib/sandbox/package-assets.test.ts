import { afterEach, expect, test, vi } from 'vitest'
import { isSandboxAsset, packageAssets } from './assets'
import {
  allPackages,
  inLoadOrder,
  packageListAsset,
  shippedPackages,
  wheelAsset,
  type PythonPackage,
} from './python-packages'

const pack = (name: string, depends: readonly string[] = [], version = '1.0'): PythonPackage => ({
  name,
  version,
  imports: [name],
  depends,
  file: `${name}-${version}-py3-none-any.whl`,
  sha256: name.repeat(64).slice(0, 64),
  bytes: 1,
  licence: 'MIT',
  source: '',
})

afterEach(() => vi.unstubAllGlobals())

const listOf = async (response: () => Promise<Response>) =>
  JSON.parse(new TextDecoder().decode(await packageAssets(response)(packageListAsset))) as readonly PythonPackage[]

test('allows the list of packages and wheels by hash, and no other files of a server', () => {
  expect([packageListAsset, wheelAsset('0af'.repeat(32).slice(0, 64))].every(isSandboxAsset)).toBe(true)
  for (const name of [
    'wheel-../x.whl',
    'wheel-ABC.whl',
    `wheel-${'a'.repeat(63)}.whl`,
    `x/${wheelAsset('a'.repeat(64))}`,
    'wheel-.whl',
  ])
    expect(isSandboxAsset(name)).toBe(false)
})

test('lists shipped and added packages; an added one replaces a shipped one of the same name', async () => {
  const added = [pack('numpy'), pack('pypdf', [], '99.0')]
  const list = await listOf(() => Promise.resolve(Response.json({ packages: added })))
  expect(list).toEqual(allPackages(added))
  expect(list.filter(({ name }) => name === 'pypdf').map(({ version }) => version)).toEqual(['99.0'])
  expect(list.map(({ name }) => name)).toContain('numpy')
})

test('lists only shipped packages without the server', async () => {
  expect(await listOf(() => Promise.reject(new TypeError('offline')))).toEqual(shippedPackages)
  expect(await listOf(() => Promise.resolve(new Response('', { status: 401 })))).toEqual(shippedPackages)
})

test.each([true, false])('accepts a wheel only if its bytes match its hash; secure context: %s', async (isSecure) => {
  if (!isSecure) vi.stubGlobal('crypto', {})
  const hash = 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'
  const asked: string[] = []
  const load = (text: string, status = 200) =>
    packageAssets((url) => {
      asked.push(url)
      return Promise.resolve(new Response(text, { status }))
    })(wheelAsset(hash))
  expect(new TextDecoder().decode(await load('abc'))).toBe('abc')
  expect(asked).toEqual([`/api/python/${hash}`])
  await expect(load('abd')).rejects.toThrow('has other bytes than its name says')
  await expect(load('abc', 404)).rejects.toThrow('could not be loaded: 404')
})

test('loads a shipped wheel from beside the other libraries', async () => {
  const asked: string[] = []
  const [shipped] = shippedPackages
  const load = packageAssets((url) => {
    asked.push(url)
    return Promise.resolve(new Response('', { status: 404 }))
  })
  await expect(load(wheelAsset(shipped?.sha256 ?? ''))).rejects.toThrow('404')
  expect(asked).toEqual([`/sandbox-libs/wheel-${shipped?.sha256}.whl`])
})

test('loads packages after their dependencies, also in a cycle, and omits unknown ones', () => {
  const all = [pack('a', ['b', 'c']), pack('b', ['c', 'gone']), pack('c', ['a']), pack('d')]
  expect(inLoadOrder(['a', 'nothing'], all).map(({ name }) => name)).toEqual(['c', 'b', 'a'])
})
