// @vitest-environment jsdom
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { afterEach, describe, expect, it, vi } from 'vitest'
import * as features from './features.browser'

const denied = new DOMException('Access is denied for this document.', 'SecurityError')
const refuse = (): never => {
  throw denied
}

/** Simulates a browser that blocks site data: each feature throws where it is read. */
function deny(...names: readonly (readonly [object, string])[]) {
  for (const [on, name] of names) {
    const before = Object.getOwnPropertyDescriptor(on, name)
    Object.defineProperty(on, name, { get: refuse, configurable: true })
    undo.push(() => {
      if (before) Object.defineProperty(on, name, before)
      else Reflect.deleteProperty(on, name)
    })
  }
}
const undo: (() => void)[] = []
afterEach(() => {
  for (const back of undo.splice(0)) back()
  vi.unstubAllGlobals()
})

describe('a feature that throws where it is read', () => {
  it.each([
    ['localStorage', () => [window, 'localStorage'], features.localStorageOrNull],
    ['sessionStorage', () => [window, 'sessionStorage'], features.sessionStorageOrNull],
    ['locks', () => [navigator, 'locks'], features.locksOrNull],
    ['caches', () => [window, 'caches'], features.cachesOrNull],
    ['serviceWorker', () => [navigator, 'serviceWorker'], features.serviceWorkersOrNull],
    ['storage', () => [navigator, 'storage'], features.storageManagerOrNull],
    ['Notification', () => [window, 'Notification'], features.notificationsOrNull],
    ['cookieStore', () => [window, 'cookieStore'], features.cookieStoreOrNull],
  ] as const)('is treated like a missing one: %s', (_name, at, read) => {
    deny(at() as unknown as readonly [object, string])
    expect(read()).toBeNull()
  })

  it('gives a database that can’t be opened', async () => {
    deny([window, 'indexedDB'])
    expect(() => features.indexedDbOrNull().open('x')).toThrow('refuses to store')
    expect(await features.canUseDatabases()).toBe(false)
  })

  it('gives a channel without listeners', () => {
    vi.stubGlobal('BroadcastChannel', vi.fn(refuse))
    const channel = features.openChannel('x')
    expect(() => (channel.postMessage(1), channel.close())).not.toThrow()
  })

  it('gives a cookie that is not kept', () => {
    deny([document, 'cookie'])
    features.writeCookie('a=1')
    expect(features.cookiesAvailable()).toBe('')
    expect(features.canSetCookies()).toBe(false)
  })
})

it('detects whether cookies are kept by setting one, and leaves none behind', () => {
  expect(features.canSetCookies()).toBe(true)
  expect(document.cookie).toBe('')
  // Chromium with the site data of one site blocked: cookies are enabled, but a written cookie disappears.
  vi.spyOn(document, 'cookie', 'set').mockImplementation(() => {})
  expect(navigator.cookieEnabled).toBe(true)
  expect(features.canSetCookies()).toBe(false)
})

it('no other file of the page reads these features from the window', () => {
  const guarded =
    /\b(?:window|globalThis|navigator|document)\.(?:localStorage|sessionStorage|indexedDB|locks|caches|serviceWorker|storage|cookie|cookieStore)\b|(?<![\w.'"`/-])(?:localStorage|sessionStorage)\.|new BroadcastChannel\(|new Notification\(/
  /** Code in workers and sealed frames has no access to page features. */
  const elsewhere =
    /(?:^|\/)(?:testing|sandbox|frame)\/|\.test\.tsx?$|worker\.ts$|service-worker|lib\/offline\/|sign-in\/return-page\.ts$|lib\/base\/features\.browser\.ts$/
  const found = ['app', 'components', 'lib'].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .map((name) => path.posix.join(folder, name.replaceAll('\\', '/')))
      .filter((name) => /\.tsx?$/.test(name) && !elsewhere.test(name))
      .filter((name) =>
        readFileSync(name, 'utf8')
          .split('\n')
          .some((line) => !/^\s*(?:\*|\/\/|\/\*)/.test(line) && guarded.test(line)),
      ),
  )
  expect(found).toEqual([])
})
