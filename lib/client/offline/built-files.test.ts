// @vitest-environment jsdom
import { beforeEach, describe, expect, it } from 'vitest'
import { createBuiltFiles } from './built-files'
import { cacheNames, forgetChat, forgetPrivate } from './offline-caches'
import { memoryCaches } from './testing/memory-caches'

const names = cacheNames('')
const origin = 'https://nod.test'
let caches: CacheStorage
let asked: string[]
let gone: number
let serve: (path: string) => Response | null

const make = (build: string) =>
  createBuiltFiles({
    caches,
    names,
    build,
    onGone: () => Promise.resolve(void (gone += 1)),
    fetch(request) {
      const { pathname } = new URL(request instanceof Request ? request.url : request, origin)
      asked.push(pathname)
      const response = serve(pathname)
      return response ? Promise.resolve(response) : Promise.reject(new TypeError('no network'))
    },
  })
const fileAt = (path: string) => new Request(`${origin}${path}`)

beforeEach(() => {
  caches = memoryCaches()
  asked = []
  gone = 0
  serve = (path) => new Response(path)
})

describe('built files', () => {
  it('are all cached before a build is offered; files of an older build are not fetched again', async () => {
    await make('b1').keepAll(['/a.js', '/b.js'])
    await make('b2').keepAll(['/b.js', '/c.js'])
    expect(asked.toSorted()).toEqual(['/a.js', '/b.js', '/c.js'])
    serve = () => null
    expect(await (await make('b2').answer(fileAt('/c.js'), names.build('b2'))).text()).toBe('/c.js')
  })

  it('of earlier builds stay for their open tabs', async () => {
    await make('b1').keepAll(['/old.js'])
    await make('b2').keepAll(['/new.js'])
    serve = () => null
    expect(await (await make('b2').answer(fileAt('/old.js'), names.build('b2'))).text()).toBe('/old.js')
  })

  it('never leave half of a build', async () => {
    serve = (path) => (path === '/b.js' ? new Response('', { status: 404 }) : new Response(path))
    await expect(make('b1').keepAll(['/a.js', '/b.js'])).rejects.toThrow('404')
  })

  it('that are gone from the server remove the cached pages that name them', async () => {
    serve = () => new Response('', { status: 404 })
    expect((await make('b1').answer(fileAt('/a.js'), names.build('b1'))).status).toBe(404)
    expect(gone).toBe(1)
  })

  it('whose headers follow the settings come from the server while it answers', async () => {
    const files = make('b1')
    serve = () => new Response('monday')
    await files.answerFreshly(fileAt('/w.js'), names.build('b1'))
    serve = () => new Response('tuesday')
    expect(await (await files.answerFreshly(fileAt('/w.js'), names.build('b1'))).text()).toBe('tuesday')
    serve = () => null
    expect(await (await files.answerFreshly(fileAt('/w.js'), names.build('b1'))).text()).toBe('tuesday')
  })
})

describe('private data', () => {
  it('is deleted: pages and rows of this Nod only; its files and other Nods’ caches stay', async () => {
    const neighbour = cacheNames('/other')
    const kept = [names.build('b1'), names.large, neighbour.rows, neighbour.pages('b1')]
    for (const name of [...kept, names.rows, names.pages('b1'), names.pages('b0')]) await caches.open(name)
    await forgetPrivate(caches)
    expect(await caches.keys()).toEqual(kept)
    await forgetPrivate(null)
  })

  it('of one chat is deleted with it', async () => {
    const rows = await caches.open(names.rows)
    const at = (id: string) => `${window.location.origin}/api/conversations/${id}?last=200`
    await rows.put(at('a'), new Response('{}'))
    await rows.put(at('b'), new Response('{}'))
    await forgetChat('a', caches)
    expect((await rows.keys()).map(({ url }) => url)).toEqual([at('b')])
  })
})
