import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'

const root = path.resolve(import.meta.dirname, '../..')

/** A text that begins with an address of ours, and is not in the brackets of the one function for them. */
const bare =
  /(?<!\b(?:withBase|builtFile)\(\s*)(['"`])\/(?:api|workers|sandbox-libs|_next)\/|(?<!\b(?:withBase|builtFile)\(\s*)(['"`])\/(?:sandbox|show|run)\.html\2/

/** Where such a text is no address that a browser is to follow: files and folders. */
const allowed: Readonly<Record<string, string>> = {
  'components/account/': 'the one `fetch` of `lib/client/wire.ts` puts all of them under the base path',
  'components/admin/': 'the one `fetch` of `lib/client/wire.ts` puts all of them under the base path',
  'lib/client/address.ts': 'the one `fetch` of `nod-api.ts` puts them under the base path, and `withBase` a picture’s',
  'lib/client/find-api.ts': 'the one `fetch` of `wire.ts` puts all of them under the base path',
  'lib/client/nod-api.ts': 'the one `fetch` of `wire.ts` puts all of them under the base path',
  'lib/client/share-api.ts': 'the one `fetch` of `wire.ts` puts all of them under the base path',
  'lib/client/preset-api.ts': 'the one `fetch` of `wire.ts` puts all of them under the base path',
  'lib/http/route-pattern.ts': 'patterns of paths that have no base path',
  'lib/http/access.ts': 'compared with a path that has no base path',
  'lib/wiring/odd-requests.server.ts': 'compared with a path that has no base path',
  'lib/offline/kind-of-request.ts': 'compared with a path that has no base path',
  'lib/settings/settings-table.ts': 'words for the docs',
  'next.config.ts': 'Next puts its rules under the base path by itself',
}

const withoutComments = (text: string): string => text.replaceAll(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '')

describe('addresses of ours in the sources', () => {
  it('are put under the base path by the one function for that', () => {
    const files = globSync(['{app,components,lib}/**/*.{ts,tsx}', '*.ts'], { cwd: root })
      .map((file) => file.split(path.sep).join('/'))
      .filter((file) => !/\.test\.tsx?$|\/testing\/|\/fixtures\/|\.contract\.ts$|^(?:vitest|playwright)/.test(file))
    expect(files.length).toBeGreaterThan(500)
    const found = files.filter((file) => bare.test(withoutComments(readFileSync(path.join(root, file), 'utf8'))))
    const places = Object.keys(allowed)
    const placeOf = (file: string) =>
      places.find((place) => file === place || (place.endsWith('/') && file.startsWith(place)))
    expect(found.filter((file) => placeOf(file) === undefined)).toEqual([])
    // What is there no more goes from the list.
    expect(new Set(found.map(placeOf))).toEqual(new Set(places))
  })

  it('would be found', () => {
    for (const code of [
      "fetch('/api/health')",
      'new Worker("/workers/x.js")',
      "src: '/sandbox.html'",
      'at(`/api/chat`)',
    ]) {
      expect([code, bare.test(code)]).toEqual([code, true])
    }
    for (const code of [
      "withBase('/api/health')",
      'withBase(\n  `/sandbox-libs/${name}`)',
      "'/apiary/'",
      "href='/c/1'",
    ]) {
      expect([code, bare.test(code)]).toEqual([code, false])
    }
  })
})
