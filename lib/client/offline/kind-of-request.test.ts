import { describe, expect, it } from 'vitest'
import { anyChat, kindOfRequest } from './cached-pages'

const origin = 'https://nod.test'
const ask = (path: string, { method = 'GET', isPage = false, basePath = '', from = origin } = {}) =>
  kindOfRequest({ method, url: new URL(path, from), isPage, origin, basePath })

describe('requests that the service worker handles', () => {
  it.each(['POST', 'PUT', 'PATCH'])('never handles a write: %s', (method) => {
    for (const path of ['/', '/api/chat', '/api/conversations', '/api/conversations/a1', '/_next/static/a.js'])
      expect(ask(path, { method })).toBeNull()
  })

  it('serves pages that work without the server, and each chat from the shared copy', () => {
    expect(ask('/', { isPage: true })).toEqual({ kind: 'page', copy: '/', chatId: null })
    expect(ask('/lab', { isPage: true })).toEqual({ kind: 'page', copy: '/lab', chatId: null })
    expect(ask('/c/a1-b_2', { isPage: true })).toEqual({ kind: 'page', copy: anyChat, chatId: 'a1-b_2' })
  })

  it('writes no chat id into a page that could be markup', () => {
    for (const id of ['%22%3E%3Cscript%3E', 'a%2Fb', '"', 'a.b', '%00', 'x'.repeat(65)])
      expect(ask(`/c/${id}`, { isPage: true })).toEqual({ kind: 'elsewhere' })
  })

  it('sends other pages to the server, or to the page that says it is away', () => {
    expect(ask('/account', { isPage: true })).toEqual({ kind: 'elsewhere' })
    expect(ask('/api/conversations/a1/export', { isPage: true })).toBeNull()
  })

  it('of the API handles the list, an opened chat and the models; no search, stream or later page', () => {
    for (const path of ['/api/conversations', '/api/conversations/a1?last=200', '/api/models', '/api/python'])
      expect(ask(path)).toEqual({ kind: 'rows' })
    const others = [
      '/api/conversations?q=a',
      '/api/conversations?after=2',
      '/api/models?x=1',
      '/api/conversations/a1/export',
      '/api/runs/r1/events?after=0',
      '/api/use',
      '/api/account/sessions',
    ]
    expect(others.filter((path) => ask(path) !== null)).toEqual([])
  })

  it('handles files whose names contain their version', () => {
    expect(ask('/_next/static/chunks/a.js')).toEqual({ kind: 'built' })
    expect(ask('/workers/vfs.js?v=1')).toEqual({ kind: 'built' })
    expect(ask('/workers/vfs.js')).toBeNull()
    expect(ask('/workers/models.js?v=1')).toEqual({ kind: 'settled-late' })
    expect(ask('/sandbox-libs/pyodide-314.0.7.wasm')).toEqual({ kind: 'large' })
    const hash = 'a1'.repeat(32)
    expect(ask(`/sandbox-libs/wheel-${hash}.whl`)).toEqual({ kind: 'large' })
    expect(ask(`/api/python/${hash}`)).toEqual({ kind: 'large' })
    expect(ask(`/api/python/${hash}/more`)).toBeNull()
    expect(ask('/api/python/numpy')).toBeNull()
    expect(ask('/sw.js')).toBeNull()
  })

  it('handles nothing of another origin, and nothing outside its own path', () => {
    expect(ask('/_next/static/a.js', { from: 'https://other.test' })).toBeNull()
    expect(ask('/nod/c/a1', { isPage: true, basePath: '/nod' })).toMatchObject({ kind: 'page', chatId: 'a1' })
    expect(ask('/nod', { isPage: true, basePath: '/nod' })).toMatchObject({ copy: '/' })
    expect(ask('/nodule/c/a1', { isPage: true, basePath: '/nod' })).toBeNull()
    expect(ask('/c/a1', { isPage: true, basePath: '/nod' })).toBeNull()
  })

  it('notices that a chat is deleted', () => {
    expect(ask('/api/conversations/a1', { method: 'DELETE' })).toEqual({ kind: 'deleted' })
    expect(ask('/api/use', { method: 'DELETE' })).toBeNull()
  })
})
