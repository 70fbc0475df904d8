import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { Agent, request as ask, type IncomingHttpHeaders } from 'node:http'
import path from 'node:path'
import { expect, test } from '@playwright/test'
import type { AssetManifest } from '@/lib/server/serving/asset'
import { hostFiles, releaseEntries } from '@/scripts/release/contents.mjs'
import { serverEntry } from '@/scripts/setup/paths.mjs'
import { untilUp } from '@/scripts/setup/until-up.mjs'
import { appUrl, basePath, restartPort } from './support/addresses'

/* What the server's entry adds to Next: files of the build. Needs no browser. */

interface Answer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
}

const send = (url: string, headers: Record<string, string> = {}): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const sent = ask(url, { headers, agent: new Agent() }, (response) => {
      response.resume()
      response.once('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers }))
      response.once('error', reject)
    })
    sent.once('error', reject)
    sent.end()
  })

test('every file has the headers that Next would give it', async () => {
  const release = path.dirname(serverEntry())
  const manifest = JSON.parse(readFileSync(path.join(release, 'assets.json'), 'utf8')) as AssetManifest
  const files = Object.keys(manifest)
  expect(files).toContain(`${basePath}/sandbox.html`)
  expect(files.length).toBeGreaterThan(50)

  const next = ['node_modules/next/dist/bin/next', 'start', '-H', '127.0.0.1', '-p', String(restartPort)]
  const child = spawn(process.execPath, next, {
    stdio: 'ignore',
    env: { ...process.env, NOD_DATA_DIR: '.cache/e2e-next' },
  })
  try {
    await untilUp(`http://127.0.0.1:${restartPort}${basePath}/show.html`)
    // The server's own headers: connection lifetime, compression and cache validation.
    const own = /^(?:date|connection|keep-alive|etag|last-modified|vary|content-length|transfer-encoding|x-request-id)$/
    // The operator configures what these may reach, so their policy is made when the server starts.
    const reachesOut = /\/workers\/(?:mcp|models|wllama)\.js$/
    const said = ({ headers }: Answer, file: string) =>
      Object.entries(headers)
        .filter(([name]) => !own.test(name) && !(name === 'content-security-policy' && reachesOut.test(file)))
        .toSorted(([a], [b]) => a.localeCompare(b))
    await Promise.all(
      // The service worker is made from the build's output, after the build, so Next does not know it.
      files
        .filter((file) => !/\/sw(?:-off)?\.js$/.test(file))
        .map(async (file) => {
          const ours = await send(`${new URL(appUrl).origin}${file}`)
          const theirs = await send(`http://127.0.0.1:${restartPort}${file}`)
          expect([file, ours.status, said(ours, file)]).toEqual([file, theirs.status, said(theirs, file)])
        }),
    )
  } finally {
    child.kill('SIGKILL')
  }
})

test('a release contains what its host starts and reads', () => {
  const release = path.dirname(serverEntry())
  const missing = [...Object.keys(releaseEntries), ...hostFiles].filter((name) => !existsSync(path.join(release, name)))
  expect(missing).toEqual([])
})

test('pages are compressed as the browser prefers, events never', async () => {
  const page = (accept: string) => send(appUrl, { 'accept-encoding': accept })
  expect((await page('gzip, deflate, br, zstd')).headers['content-encoding']).toBe('br')
  expect((await page('gzip')).headers['content-encoding']).toBe('gzip')
  expect((await page('identity')).headers['content-encoding']).toBeUndefined()
})
