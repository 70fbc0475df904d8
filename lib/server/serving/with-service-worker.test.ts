import { expect, it } from 'vitest'
import type { Asset, AssetManifest } from './asset'
import { withServiceWorker } from './next-adapters'

const asset = (file: string): Asset => ({
  headers: [],
  bodies: [{ encoding: 'identity', file, bytes: 1, etag: `"${file}"` }],
})
const manifestOf = (basePath: string): AssetManifest => ({
  [`${basePath}/sw.js`]: asset('keeps'),
  [`${basePath}/sw-off.js`]: asset('leaves'),
  [`${basePath}/a.js`]: asset('a'),
})

it.each(['', '/nod'])('under “%s” serves the service worker that the settings select, under one URL', (basePath) => {
  const served = (keepsOffline: boolean) => withServiceWorker(manifestOf(basePath), { basePath, keepsOffline })
  expect(served(true)[`${basePath}/sw.js`]).toEqual(asset('keeps'))
  expect(served(false)[`${basePath}/sw.js`]).toEqual(asset('leaves'))
  for (const on of [true, false]) expect(Object.keys(served(on))).toEqual([`${basePath}/sw.js`, `${basePath}/a.js`])
})
